import { diffSession } from '../../../engine/lab/flips/session-diff.ts'
import { recommendedProbe } from '../../../engine/probe/options.ts'
import { type Decider, deciderOf } from '../../../engine/schema/compare.ts'
import { textOf } from '../../../engine/schema/event.ts'
import type { TurnLabel } from '../../../engine/schema/label.ts'
import type { Personas } from '../../../wire/internal/session.ts'
import type { Answer } from '../../../wire/method.ts'
import type { Handlers } from '../../../wire/rpc.ts'
import type { SessionContract } from '../../../wire/threads.ts'
import { flipText } from '../flip-text.ts'
import { moreTime, watchText } from '../../platform/guard/guard.ts'
import { reporting, throttled } from '../../platform/threads/yielding.ts'
import { type Asked, type CausesAround, causesOf } from './causes.ts'
import { createStaging, otherReplay } from './compare.ts'
import { compareStages } from './compared-stages.ts'
import type { Waiting } from '../../replay/session/replays.ts'

type Methods = `session.${'compare' | 'causes' | 'probeOptions' | 'flipTexts'}`
type Labels = ReadonlyMap<number, TurnLabel>

interface Comparing extends Asked {
  readonly personas: Personas | null
}

interface Around extends CausesAround {
  readonly labelsOf: (address: Pick<Asked, 'key' | 'session'>) => Promise<Labels>
}

async function compared(around: Around, asked: Comparing, waiting: Waiting) {
  const { service, workspace } = around
  const { signal } = waiting
  const base = await service.replay(asked, asked.config, waiting)
  const other = await otherReplay(
    service,
    { address: asked, base, compare: asked.compare },
    waiting,
  )
  const staged = createStaging(service, workspace)
  const decider = deciderOf(asked.compare)
  const session = service.session(asked)
  const here = staged(asked.config, base)
  const there = decider && other.decided && staged(decider, other.decided)
  const { personas } = asked
  const stages = await compareStages(around, { session, here, there, personas }, signal)
  const labels = await around.labelsOf(asked)
  const diff = diffSession(
    { replay: base, stages: stages.here },
    { replay: other.replay, stages: stages.there },
    labels,
  )
  return { ...diff, uncompared: [...stages.uncompared], recorded: other.recorded }
}

/** [L50] Comparisons of a session, paired by event in one place (`engine/lab/flips/diff.ts`). */
export function createCompareHandlers(around: Around): Pick<Handlers<SessionContract>, Methods> {
  const { service, limit } = around
  type Compare = Answer<SessionContract, 'session.compare'>
  type Causes = Answer<SessionContract, 'session.causes'>
  return {
    'session.compare': async function* (asked, { signal }) {
      yield* answered<Compare>('comparing', signal, async (waiting) => ({
        kind: 'compared',
        diff: await compared(around, asked, waiting),
      }))
    },
    'session.causes': async function* (asked, { signal }) {
      yield* answered<Causes>('switching', signal, async (waiting) => ({
        kind: 'causes',
        ...(await causesOf(around, asked, waiting)),
      }))
    },
    'session.probeOptions': async ({ config, compare }) => {
      const optionsOf = async (side: Decider) =>
        (await service.files(side)).preset.value.probe ?? recommendedProbe
      const decider = deciderOf(compare)
      return { here: await optionsOf(config), there: decider && (await optionsOf(decider)) }
    },
    'session.flipTexts': async ({ seqs, ...asked }) => {
      const { events, texts } = service.session(asked)
      const here = await service.compiled(asked.config)
      const { compare } = asked
      const decider = deciderOf(compare)
      const there = decider && (await service.compiled(decider))
      const guardOf = (chars: number) => watchText(limit, () => moreTime.allPatterns(chars)).guard
      return {
        texts: seqs.flatMap((seq) => {
          const event = events[seq]
          if (event === undefined) return []
          const text = textOf(event, texts)
          return [{ seq, ...flipText(text, here.pipeline, there?.pipeline ?? null, guardOf) }]
        }),
      }
    },
  }
}

/** Progress, then the answer. */
async function* answered<T>(
  phase: Step['phase'],
  signal: AbortSignal,
  work: (waiting: Waiting) => Promise<T>,
): AsyncGenerator<T | Step, void> {
  const answer = yield* reporting<Step, T>((report) =>
    work({
      signal,
      onProgress: throttled((done, total) => report({ kind: 'progress', phase, done, total })),
    }),
  )
  yield answer
}

interface Step {
  readonly kind: 'progress'
  readonly phase: 'comparing' | 'switching'
  readonly done: number
  readonly total: number
}
