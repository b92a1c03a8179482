import { diffReplays, oneSided } from '../../../engine/lab/flips/diff.ts'
import type { Answer, Asked } from '../../../wire/method.ts'
import { columnsFrom } from '../../../wire/replay-part.ts'
import type { SessionContract } from '../../../wire/threads.ts'
import { reporting } from '../../platform/threads/yielding.ts'
import { otherReplay } from './compare.ts'
import type { Waiting } from '../../replay/session/replays.ts'
import type { SessionService } from '../../sessions/session/service.ts'

type Step = Answer<SessionContract, 'session.replay'>

/** Replays a session, a second time if a comparison is requested, and yields the flips. */
export async function* replayStream(
  service: SessionService,
  input: Asked<SessionContract, 'session.replay'>,
  signal: AbortSignal,
): AsyncGenerator<Step, void> {
  const start = performance.now()
  const { config, compare, known } = input
  const replayed = <T>(phase: 'replaying' | 'comparing', work: (waiting: Waiting) => Promise<T>) =>
    reporting<Step, T>((report) => {
      const onProgress = (done: number, total: number) =>
        report({ kind: 'progress', phase, done, total })
      return work({ signal, onProgress })
    })
  const base = yield* replayed('replaying', (waiting) => service.replay(input, config, waiting))
  const other =
    compare === null
      ? null
      : yield* replayed('comparing', (waiting) =>
          otherReplay(service, { address: input, base, compare }, waiting),
        )
  const from =
    known !== null && known.run === base.run ? Math.min(known.turns, base.turns.length) : 0
  yield {
    kind: 'replayed',
    run: base.run,
    from,
    events: base.events,
    key: base.compiled.key,
    compareKey: other?.key ?? null,
    columns: columnsFrom(base.columns, from),
    compare: other?.replay.columns ?? null,
    flips: other === null ? [] : diffReplays(base, other.replay),
    oneSided: other === null ? null : oneSided(base, other.replay),
    elapsedMs: performance.now() - start,
  }
}
