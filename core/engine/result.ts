import { readJson } from './json-read.ts'

/** Expected failures are values: what went wrong, where, and what to do about it. */
export type Result<T, E = Problem> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: E }

/** An error message: `what` happened, `where` it is, what to `do`. */
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

/** Maps the value of a success; a failure stays unchanged. */
export function mapOk<T, U, E>(result: Result<T, E>, map: (value: T) => U): Result<U, E> {
  return result.ok ? ok(map(result.value)) : result
}

/** All values, or the first failure. Items after it are not read. */
export function allOk<A, T, E>(
  items: Iterable<A>,
  get: (item: A) => Result<T, E>,
): Result<readonly T[], E> {
  const values: T[] = []
  for (const item of items) {
    const result = get(item)
    if (!result.ok) return result
    values.push(result.value)
  }
  return ok(values)
}

export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}

/** [I173] Returns a JSON value, or the parser's error message. */
export function parseJson(text: string): Result<unknown, string> {
  try {
    return ok(readJson(text))
  } catch (error) {
    return err(messageOf(error))
  }
}

/** "1 line", "2 lines". */
export function counted(count: number, noun: string, nouns = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : nouns}`
}

/** One line for a terminal or a log: `where: what. do`. */
export function formatProblem(problem: Problem): string {
  return `${problem.where}: ${problem.what}. ${problem.do}`
}
