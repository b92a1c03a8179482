import { type StageFacts, recordedStages, stageFlips } from '../../../engine/lab/flips/recorded.ts'
import type { StageFlipFacts } from '../../../engine/find/flips.ts'
import { recommendedProbe } from '../../../engine/probe/options.ts'
import { type Stage, STAGES, type Uncompared } from '../../../engine/schema/compare.ts'
import { ProbeOptions } from '../../../engine/schema/probe.ts'
import type { Session } from '../../../engine/schema/session.ts'
import { loadO200k } from '../../../engine/tokens-o200k.ts'
import type { Personas } from '../../../wire/internal/session.ts'
import { readPromptSources } from '../../workspace/prompt-files.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import type { TimeLimit } from '../../platform/guard/guard.ts'
import type { CoachFiles } from '../../coach/session/prompt-files.ts'
import type { SessionReplay } from '../../replay/session/replay.ts'
import { readStages } from './stages.ts'
import { isTextless } from '../../replay/session/textless.ts'

/** One side whose stages are read. */
export interface StagedSide {
  readonly replay: SessionReplay
  /** [T84] Loads the coach's files. Called only if verdicts are compared. */
  readonly coach: () => Promise<CoachFiles>
}

interface Pair {
  readonly session: Session
  readonly here: StagedSide
  /** Null: the values that the file recorded when it ran. */
  readonly there: StagedSide | null
  /** Null: nothing was probed. */
  readonly personas: Personas | null
  /** Requested stages; absent: all. */
  readonly only?: ReadonlySet<Stage> | undefined
}

export interface StagePair {
  readonly here: StageFacts
  readonly there: StageFacts
  /** Stages that have nothing to compare, and why. */
  readonly uncompared: readonly Uncompared[]
}

interface Around {
  readonly workspace: Pick<Workspace, 'roots'>
  readonly limit: TimeLimit
}

const NO_WORDS: StagePair = {
  here: new Map(),
  there: new Map(),
  uncompared: STAGES.map((stage) => ({ stage, why: 'no_texts' })),
}

/** [L51] The only place that reads the stages of two sides, for window, find and command line. */
export async function compareStages(
  { workspace: { roots }, limit }: Around,
  { session, here, there, personas, only }: Pair,
  signal: AbortSignal,
): Promise<StagePair> {
  // [U121] The other stages read the words.
  if (isTextless(session)) return NO_WORDS
  const recorded = there === null ? recordedStages(session.events, session.texts) : null
  const isJudged = only?.has('verdict') !== false
  const coaches = isJudged ? await coachesOf(here, there, recorded) : null
  const known = new Map<string, ReadonlyMap<number, string>>()
  const shared = { session, sources: readPromptSources(roots), limit }
  const estimators = { o200k_base: await loadO200k() }
  const factsOf = (side: StagedSide, coach: CoachFiles | null) =>
    readStages(
      { ...shared, estimators, replay: side.replay },
      { signal, recorded, known, only, coach: coach?.coach },
    )
  const own = await factsOf(here, coaches?.here ?? null)
  const other =
    there === null ? (recorded ?? new Map()) : await factsOf(there, coaches?.there ?? null)
  const facts = {
    here: withPersonas(own, personas?.here),
    there: withPersonas(other, personas?.there),
  }
  return { ...facts, uncompared: uncomparedIn(facts, there === null, missingOf(here, there)) }
}

const probeOf = ({ replay }: StagedSide): ProbeOptions =>
  replay.compiled.pipeline.preset.probe ?? recommendedProbe

/** Fields in the order of the schema, independent of the order in the file. */
const inOneOrder = (options: ProbeOptions): string => JSON.stringify(ProbeOptions.parse(options))

/** [L51] Whether both sides give every message the same persona: equal options, or both have the probe off. */
export function probesAlike(here: ProbeOptions, there: ProbeOptions): boolean {
  return (!here.enabled && !there.enabled) || inOneOrder(here) === inOneOrder(there)
}

/**
 * [T84] Coaches of both sides. Null if there is nothing to compare: equal rules judge both sides, or there is no other
 * side and no verdict was recorded.
 */
async function coachesOf(here: StagedSide, there: StagedSide | null, recorded: StageFacts | null) {
  if (there === null)
    return recorded?.has('verdict') === true ? { here: await here.coach(), there: null } : null
  const own = await here.coach()
  const other = await there.coach()
  return own.rulesHash === other.rulesHash ? null : { here: own, there: other }
}

/** Adds the probe's results, which no other thread has. */
function withPersonas(facts: StageFacts, rows: Personas['here'] | null | undefined): StageFacts {
  return rows ? new Map([...facts, ['persona', new Map(rows)]]) : facts
}

/** Why a stage is missing where both sides are configurations; others are always there. */
type Missing = Readonly<Partial<Record<Stage, Uncompared['why']>>>

function missingOf(here: StagedSide, there: StagedSide | null): Missing {
  const isAlike = there !== null && probesAlike(probeOf(here), probeOf(there))
  return { verdict: 'same_rules', persona: isAlike ? 'same_probe' : 'not_probed' }
}

function uncomparedIn(
  { here, there }: Pick<StagePair, 'here' | 'there'>,
  isObserved: boolean,
  missing: Missing,
): readonly Uncompared[] {
  return STAGES.flatMap((stage): readonly Uncompared[] => {
    if (here.has(stage) && there.has(stage)) return []
    if (isObserved && !there.has(stage)) return [{ stage, why: 'not_recorded' }]
    const why = missing[stage]
    return why === undefined ? [] : [{ stage, why }]
  })
}

/** [F77] Events that flip, by stage. */
export function stageFlipsOf({ here, there, uncompared }: StagePair): StageFlipFacts {
  const absent = new Set(uncompared.map(({ stage }) => stage))
  const { flips } = stageFlips(here, there)
  const seqsOf = (stage: Stage) =>
    new Set(flips.flatMap((flip) => (flip.stage === stage ? [flip.seq] : [])))
  return new Map(
    STAGES.filter((stage) => !absent.has(stage)).map((stage) => [stage, seqsOf(stage)]),
  )
}
