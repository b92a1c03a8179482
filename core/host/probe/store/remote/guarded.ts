import { type Problem, type Result, err, ok } from '../../../../engine/result.ts'
import { Refused } from '../checks.ts'

/** Answers with what `work` gives; what it throws becomes words. */
export async function guarded<T>(
  work: () => Promise<T>,
  problemOf: (error: unknown) => Problem,
): Promise<Result<T>> {
  try {
    return ok(await work())
  } catch (error) {
    return err(error instanceof Refused ? error.problem : problemOf(error))
  }
}
