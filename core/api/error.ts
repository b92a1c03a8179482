import { type Problem, type Result, formatProblem } from '../engine/result.ts'
import type * as Api from './turnscope.d.ts'

/** [F190] An expected failure on its way to a script. */
export class TurnscopeError extends Error implements Api.TurnscopeError {
  readonly what: string
  readonly where: string
  readonly do: string
  constructor(problem: Problem) {
    super(formatProblem(problem))
    this.name = 'TurnscopeError'
    this.what = problem.what
    this.where = problem.where
    this.do = problem.do
  }
}

/** The value of a result, or the error that a script catches. */
export function valueOrThrow<T>(result: Result<T>): T {
  if (result.ok) return result.value
  throw new TurnscopeError(result.error)
}
