import { recommendedBundle } from '../../../engine/bundle/options.ts'
import {
  type Outcome,
  type Part,
  partChanges,
  stepsOfSearch,
} from '../../../engine/lab/flips/causes.ts'
import { type StageFacts, stageFlips } from '../../../engine/lab/flips/recorded.ts'
import { type ComparedSide, outcomeOf } from '../../../engine/lab/flips/session-diff.ts'
import {
  type CauseGroup,
  type Compared,
  type Decider,
  type Stage,
  deciderOf,
} from '../../../engine/schema/compare.ts'
import { loadO200k } from '../../../engine/tokens-o200k.ts'
import type { ConfigFiles } from '../../workspace/config-files.ts'
import { readPromptSources } from '../../workspace/prompt-files.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { type FoundCauses, findCauses, listedChanges, searchChanges } from '../cause-search.ts'
import type { TimeLimit } from '../../platform/guard/guard.ts'
import { compilePipeline, type Pipelines } from '../../rules/pipelines.ts'
import { refusal, valueOrRefuse } from '../../platform/threads/refusal.ts'
import { createBreath } from '../../platform/threads/yielding.ts'
import { stepOutcome } from '../../bundle/session/step-outcome.ts'
import { createStaging } from './compare.ts'
import { compareStages } from './compared-stages.ts'
import type { SessionReplay } from '../../replay/session/replay.ts'
import type { Waiting } from '../../replay/session/replays.ts'
import type { SessionService } from '../../sessions/session/service.ts'
import { readStages } from './stages.ts'

export interface Asked {
  readonly key: string
  readonly session: number
  readonly config: Decider
  readonly compare: Compared
}

export interface CausesAround {
  readonly service: SessionService
  readonly workspace: Workspace
  readonly limit: TimeLimit
  readonly domainSet: Pipelines['domainSet']
}

/**
 * Parts of a preset whose options affect a comparison of a session. The options of one search do not affect another
 * search, so each runs alone.
 */
const SEARCHES = [
  {
    parts: new Set<Part>(['belief', 'query', 'prompt']),
    only: new Set<Stage>(['query', 'prompt']),
  },
  { parts: new Set<Part>(['selfSignal']), only: new Set<Stage>(['self-signal']) },
] as const

/** [L52] [T83] Which differences between two configurations cause what flips in a session. */
export async function causesOf(around: CausesAround, asked: Asked, waiting: Waiting) {
  const decider = deciderOf(asked.compare)
  if (decider === null)
    throw refusal({
      what: 'what was observed has no options',
      where: 'compare',
      do: 'Compare with a configuration',
    })
  const base = await around.service.files(asked.config)
  const other = await around.service.files(decider)
  const found = await decisions(around, asked, { base, other }, waiting)
  const probed: CauseGroup = {
    group: 'probe',
    flips: null,
    why: 'not_probed',
    causes: listedChanges(base, other, new Set(['probe'])),
  }
  const others = [
    probed,
    await bundles(around, asked, { base, other }, waiting.signal),
    await verdicts(around, { ...asked, decider }, waiting.signal),
  ]
  return { ...found, others: others.filter(({ causes }) => causes.length > 0) }
}

interface Files {
  readonly base: ConfigFiles
  readonly other: ConfigFiles
}

/** Turns, and events of query types, self-signals and prompts. */
async function decisions(around: CausesAround, asked: Asked, files: Files, waiting: Waiting) {
  const { service, workspace, limit } = around
  const { signal, onProgress = () => undefined } = waiting
  const session = service.session(asked)
  const base = await service.replay(asked, asked.config, { signal })
  const estimators = { o200k_base: await loadO200k() }
  const shared = { session, sources: readPromptSources(workspace.roots), estimators, limit }
  const found: FoundCauses[] = []
  const known = new Map<string, ReadonlyMap<number, string>>()
  const meter = createMeter(files, onProgress)
  for (const { parts, only } of SEARCHES) {
    const sideOf = async (replay: SessionReplay): Promise<ComparedSide> => ({
      replay,
      stages: await readStages({ ...shared, replay }, { signal, recorded: null, only, known }),
    })
    const here = await sideOf(base)
    const replayed = createReplaying(around, asked, { base, files: files.base }, signal)
    const search = { ...files, parts, files: found.length === 0, onProgress: meter() }
    found.push(
      await findCauses({
        ...search,
        outcome: async (configured) => outcomeOf(here, await sideOf(await replayed(configured))),
      }),
    )
  }
  return {
    causes: found.flatMap(({ causes }) => causes),
    flips: found.reduce((sum, { flips }) => sum + flips, 0),
  }
}

/** One count of runs over all searches, each of which counts its own. */
function createMeter({ base, other }: Files, onProgress: NonNullable<Waiting['onProgress']>) {
  const expected = SEARCHES.map(({ parts }) =>
    stepsOfSearch(listedChanges(base, other, parts).length),
  )
  let behind = 0
  let last = 0
  return () => {
    behind += last
    expected.shift()
    const ahead = expected.reduce((sum, runs) => sum + runs, 0)
    return (done: number, total: number): void => {
      last = total
      onProgress(behind + done, behind + total + ahead)
    }
  }
}

/** Replays under changed configurations. Turns are decided again only if a setting that decides them differs. */
function createReplaying(
  { service, domainSet }: CausesAround,
  asked: Asked,
  { base, files }: { readonly base: SessionReplay; readonly files: ConfigFiles },
  signal: AbortSignal,
): (configured: ConfigFiles) => Promise<SessionReplay> {
  const decidedBy = ({ config, domains, profile, preset }: ConfigFiles) =>
    JSON.stringify([
      config.classify,
      domains.fingerprint,
      profile?.fingerprint,
      preset.value.belief,
    ])
  const own = decidedBy(files)
  return async (configured) => {
    const compiled = valueOrRefuse(compilePipeline(configured, domainSet))
    return decidedBy(configured) === own
      ? { ...base, compiled }
      : service.replayOnce(asked, compiled, { signal })
  }
}

/** [T83] Step bundles whose prompt or tiers are others, by option. */
async function bundles(
  { service, workspace }: CausesAround,
  asked: Asked,
  { base, other }: Files,
  signal: AbortSignal,
): Promise<CauseGroup> {
  const here = base.preset.value.bundle ?? recommendedBundle
  const there = other.preset.value.bundle ?? recommendedBundle
  const changes = partChanges('bundle', here, there)
  const group = 'bundle'
  const session = service.session(asked)
  if (changes.length === 0) return { group, causes: [], flips: 0, why: null }
  if (!session.events.some(({ kind }) => kind === 'step'))
    return {
      group,
      causes: listedChanges(base, other, new Set([group])),
      flips: null,
      why: 'no_steps',
    }
  const built = await stepOutcome(session, workspace.roots, createBreath(signal))
  const before = await built(here)
  const found = await searchChanges(
    changes,
    async (chosen) => {
      const taken = changes.filter((_, at) => chosen.has(at)).map(({ option }) => option)
      return differing(before, await built({ ...here, ...picked(there, taken) }))
    },
    () => undefined,
  )
  return { group, ...found, why: null }
}

function picked(options: object, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(options).filter(([name]) => names.includes(name)))
}

/** Entries that differ from before. */
function differing(before: Outcome, after: Outcome): Outcome {
  return new Map([...after].filter(([key, value]) => before.get(key) !== value))
}

/** [T84] Only other rules of the coach make other verdicts. */
async function verdicts(
  { service, workspace, limit }: CausesAround,
  { decider, ...asked }: Asked & { readonly decider: Decider },
  signal: AbortSignal,
): Promise<CauseGroup> {
  const staged = createStaging(service, workspace)
  const replay = await service.replay(asked, asked.config, { signal })
  const here = staged(asked.config, replay)
  const there = staged(decider, replay)
  const pair = { session: service.session(asked), here, there, personas: null, only: ONLY_VERDICTS }
  const stages = await compareStages({ workspace, limit }, pair, signal)
  const group = 'verdict'
  if (stages.uncompared.some(({ stage }) => stage === group))
    return { group, causes: [], flips: 0, why: null }
  const flips = countOf(stages)
  const name = 'rules of the coach'
  const cause = { name, from: 'as now', to: 'as they were', alone: flips, needed: flips > 0 }
  return { group, causes: [cause], flips, why: null }
}

const ONLY_VERDICTS = new Set(['verdict'] as const)

function countOf({
  here,
  there,
}: {
  readonly here: StageFacts
  readonly there: StageFacts
}): number {
  return stageFlips(here, there).flips.length
}
