import { diffReplays, oneSided } from '../../engine/lab/diff.ts'
import type { ReplayConfig } from '../../engine/schema/replay.ts'
import type { Answer, Asked } from '../../wire/method.ts'
import type { SessionContract } from '../../wire/threads.ts'
import { reporting } from '../shared/yielding.ts'
import type { SessionReplay } from './replay.ts'
import type { SessionService } from './service.ts'

type Step = Answer<SessionContract, 'session.replay'>

/** Replays a session, a second time where a comparison is asked for, and says what flips. */
export async function* replayStream(
  service: SessionService,
  input: Asked<SessionContract, 'session.replay'>,
  signal: AbortSignal,
): AsyncGenerator<Step, void> {
  const start = performance.now()
  const { config, compare } = input
  const replayed = (of: ReplayConfig, phase: 'replaying' | 'comparing') =>
    reporting<Step, SessionReplay>((report) => {
      const onProgress = (done: number, total: number) =>
        report({ kind: 'progress', phase, done, total })
      return service.replay(input, of, { signal, onProgress })
    })
  const base = yield* replayed(config, 'replaying')
  const other = compare === null ? null : yield* replayed(compare, 'comparing')
  yield {
    kind: 'replayed',
    key: base.compiled.key,
    compareKey: other?.compiled.key ?? null,
    columns: base.columns,
    compare: other?.columns ?? null,
    flips: other === null ? [] : diffReplays(base, other),
    oneSided: other === null ? null : oneSided(base, other),
    elapsedMs: performance.now() - start,
  }
}
