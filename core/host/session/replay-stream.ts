import type { z } from 'zod'
import type { TurnscopeContract } from '../../wire/contract.ts'
import type { Immutable } from '../../engine/schema/immutable.ts'
import { diffReplays } from '../../engine/lab/diff.ts'
import { reporting } from '../shared/yielding.ts'
import type { SessionService } from './service.ts'

type ReplayMethod = TurnscopeContract['session.replay']
type Step = Immutable<z.infer<ReplayMethod['out']>>

/** Replays a session, a second time where a comparison is asked for, and says what flips. */
export async function* replayStream(
  service: SessionService,
  input: z.infer<ReplayMethod['in']>,
  signal: AbortSignal,
): AsyncGenerator<Step, void> {
  const start = performance.now()
  const { config, compare } = input
  const base = yield* reporting<Step, Awaited<ReturnType<SessionService['replay']>>>((report) =>
    service.replay(input, config, {
      signal,
      onProgress: (done, total) => report({ kind: 'progress', phase: 'replaying', done, total }),
    }),
  )
  const other =
    compare === null
      ? null
      : yield* reporting<Step, Awaited<ReturnType<SessionService['replay']>>>((report) =>
          service.replay(input, compare, {
            signal,
            onProgress: (done, total) =>
              report({ kind: 'progress', phase: 'comparing', done, total }),
          }),
        )
  yield {
    kind: 'replayed',
    key: base.compiled.key,
    compareKey: other?.compiled.key ?? null,
    columns: base.columns,
    compare: other?.columns ?? null,
    flips: other === null ? [] : diffReplays(base, other),
    elapsedMs: performance.now() - start,
  }
}
