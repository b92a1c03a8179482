import { type StageFacts, recordedStages } from '../../engine/lab/recorded.ts'
import { type ComparedSide, diffSession, outcomeOf } from '../../engine/lab/session-diff.ts'
import type { Compared, Decider } from '../../engine/schema/compare.ts'
import { textOf } from '../../engine/schema/event.ts'
import type { TurnLabel } from '../../engine/schema/label.ts'
import { loadO200k } from '../../engine/tokens-o200k.ts'
import type { Personas } from '../../wire/internal/session.ts'
import type { Answer } from '../../wire/method.ts'
import type { Handlers } from '../../wire/rpc.ts'
import type { SessionContract } from '../../wire/threads.ts'
import { readPromptSources } from '../files/prompt-files.ts'
import type { Workspace } from '../files/workspace.ts'
import { findCauses } from '../shared/cause-search.ts'
import { flipText } from '../shared/flip-text.ts'
import { type TimeLimit, moreTime, watchText } from '../shared/guard.ts'
import { compilePipeline, type Pipelines } from '../shared/pipelines.ts'
import { refusal, valueOrRefuse } from '../shared/refusal.ts'
import { reporting, throttled } from '../shared/yielding.ts'
import { otherReplay } from './compare.ts'
import type { SessionReplay } from './replay.ts'
import type { Waiting } from './replays.ts'
import type { SessionService } from './service.ts'
import { readStages } from './stages.ts'

type Methods = 'session.compare' | 'session.causes' | 'session.flipTexts'
type Labels = ReadonlyMap<number, TurnLabel>

interface Address {
  readonly key: string
  readonly session: number
}

interface Asked extends Address {
  readonly config: Decider
  readonly compare: Compared
}

interface Comparing extends Asked {
  readonly personas: Personas | null
}

/** Adds what the probe said: no other thread knows it. */
function withPersonas(facts: StageFacts, rows: Personas['here'] | null | undefined): StageFacts {
  return rows ? new Map([...facts, ['persona', new Map(rows)]]) : facts
}

interface Around {
  readonly service: SessionService
  readonly workspace: Workspace
  readonly limit: TimeLimit
  readonly domainSet: Pipelines['domainSet']
  readonly labelsOf: (address: Address) => Promise<Labels>
}

type Known = NonNullable<Parameters<typeof readStages>[1]['known']>

/** What the stages beside the belief say of a replayed session. */
async function stagesOf(
  { service, workspace, limit }: Around,
  asked: Address,
  replay: SessionReplay,
  more: { readonly signal: AbortSignal; readonly recorded: StageFacts | null; known?: Known },
): Promise<StageFacts> {
  const { roots } = workspace
  const session = service.session(asked)
  const estimators = { o200k_base: await loadO200k() }
  const sources = readPromptSources(roots)
  return readStages({ session, replay, sources, estimators, limit }, { roots, ...more })
}

async function compared(around: Around, asked: Comparing, waiting: Waiting) {
  const { service } = around
  const { signal } = waiting
  const base = await service.replay(asked, asked.config, waiting)
  const other = await otherReplay(
    service,
    { address: asked, base, compare: asked.compare },
    waiting,
  )
  const { events, texts } = service.session(asked)
  const recorded = other.decided === null ? recordedStages(events, texts) : null
  const known: Known = new Map()
  const stages = await stagesOf(around, asked, base, { signal, recorded, known })
  const there =
    other.decided === null
      ? (recorded ?? new Map())
      : await stagesOf(around, asked, other.decided, { signal, recorded, known })
  const labels = await around.labelsOf(asked)
  const { personas } = asked
  const diff = diffSession(
    { replay: base, stages: withPersonas(stages, personas?.here) },
    { replay: other.replay, stages: withPersonas(there, personas?.there) },
    labels,
  )
  return { ...diff, recorded: other.recorded }
}

async function causes(around: Around, asked: Asked, waiting: Waiting) {
  const { service, domainSet } = around
  const { signal } = waiting
  const { config, compare } = asked
  if ('kind' in compare && compare.kind === 'observed')
    throw refusal({
      what: 'what was observed has no options',
      where: 'compare',
      do: 'Compare with a configuration',
    })
  const base = await service.replay(asked, config, { signal })
  const known: Known = new Map()
  const sideOf = async (replay: SessionReplay): Promise<ComparedSide> => ({
    replay,
    stages: await stagesOf(around, asked, replay, { signal, recorded: null, known }),
  })
  const here = await sideOf(base)
  return findCauses({
    base: await service.files(config),
    other: await service.files(compare),
    onProgress: waiting.onProgress ?? (() => undefined),
    outcome: async (files) => {
      const compiled = valueOrRefuse(compilePipeline(files, domainSet))
      const replay = await service.replayWith(asked, compiled, { signal })
      return outcomeOf(here, await sideOf(replay))
    },
  })
}

/** [L50] Comparisons of a session, paired by event in one place (`engine/lab/diff.ts`). */
export function createCompareHandlers(around: Around): Pick<Handlers<SessionContract>, Methods> {
  const { service, limit } = around
  type Compare = Answer<SessionContract, 'session.compare'>
  type Causes = Answer<SessionContract, 'session.causes'>
  return {
    'session.compare': async function* (asked, { signal }) {
      yield* answered<Compare>(signal, async (waiting) => ({
        kind: 'compared',
        diff: await compared(around, asked, waiting),
      }))
    },
    'session.causes': async function* (asked, { signal }) {
      yield* answered<Causes>(signal, async (waiting) => ({
        kind: 'causes',
        ...(await causes(around, asked, waiting)),
      }))
    },
    'session.flipTexts': async ({ seqs, ...asked }) => {
      const { events, texts } = service.session(asked)
      const here = await service.compiled(asked.config)
      const { compare } = asked
      const there =
        'kind' in compare && compare.kind === 'observed' ? null : await service.compiled(compare)
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
  signal: AbortSignal,
  work: (waiting: Waiting) => Promise<T>,
): AsyncGenerator<T | Step, void> {
  const answer = yield* reporting<Step, T>((report) =>
    work({
      signal,
      onProgress: throttled((done, total) =>
        report({ kind: 'progress', phase: 'comparing', done, total }),
      ),
    }),
  )
  yield answer
}

interface Step {
  readonly kind: 'progress'
  readonly phase: 'comparing'
  readonly done: number
  readonly total: number
}
