import { reachAll } from '../../engine/reach/reach.ts'
import type { Reach } from '../../engine/schema/reach.ts'
import { createTimeLimit, watchText } from '../platform/guard/guard.ts'
import type { ResolvedSide } from './sides.ts'

/** [K21] All that can be reached, and what cannot, step by step, under the watchdog. */
export function* reachSteps(
  { compiled }: Pick<ResolvedSide, 'compiled'>,
  tell: (found: readonly Reach[]) => void,
): Generator<{ readonly done: number; readonly total: number }, null, undefined> {
  const { guard } = watchText(createTimeLimit(), () => 0)
  tell(yield* reachAll(compiled.pipeline, guard))
  return null
}
