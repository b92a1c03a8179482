/** Expected failures are values: what went wrong, where, and what to do about it. */
export type Result<T, E = Problem> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: E }

/** What a person is told: `what` happened, `where` it is, what to `do`. */
export interface Problem {
  readonly what: string
  readonly where: string
  readonly do: string
}

export function ok<T>(value: T): { readonly ok: true; readonly value: T } {
  return { ok: true, value }
}

export function err<E>(error: E): { readonly ok: false; readonly error: E } {
  return { ok: false, error }
}

/** One line for a terminal or a log: `where: what. do`. */
export function formatProblem(problem: Problem): string {
  return `${problem.where}: ${problem.what}. ${problem.do}`
}
