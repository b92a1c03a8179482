import { isDeepStrictEqual } from 'node:util'
import { stageFlips } from '../../engine/lab/flips/recorded.ts'
import { recommendedProbe } from '../../engine/probe/options.ts'
import type { Decider, Stage, StageFlip } from '../../engine/schema/compare.ts'
import type { Side } from '../../engine/schema/lab.ts'
import type { ProbeOptions } from '../../engine/schema/probe.ts'
import { openTranscript } from '../../host/transcripts/transcript.ts'
import { coachOfSide } from '../../host/coach/session/rules-of-side.ts'
import { replaySession } from '../../host/replay/session/replay.ts'
import type { ResolvedSide } from '../../host/drafts/sides.ts'
import { createTimeLimit } from '../../host/platform/guard/guard.ts'
import type { Lab, LabCorpus } from '../lab/lab-corpus.ts'
import { type ProbeWanted, openReplayProbe } from '../replay/replay-probe.ts'
import { ownFormats } from '../replay/replayer.ts'
import { openStages } from '../kit/stages.ts'
import { counted } from '../../engine/result.ts'
import type { Session } from '../../engine/schema/session.ts'
import type { Workspace } from '../../host/workspace/workspace.ts'
import { probesAlike } from '../../host/compare/session/compared-stages.ts'
import { messagesOf } from '../../host/turns/session/messages.ts'
import type { Personas } from '../../wire/internal/session.ts'

/** An event for which a stage other than the belief differs, with its place. */
export interface PlacedStageFlip extends StageFlip {
  readonly file: string
  readonly sessionId: string
  /** Number of the session in the file, from 0. */
  readonly inFile: number
}

/** One side: the given name and its resolved configuration. */
interface NamedSide {
  readonly side: Side
  readonly resolved: ResolvedSide
}

interface Sides {
  readonly base: NamedSide
  readonly head: NamedSide
}

export interface StageDiff {
  /** In the order of files and events. */
  readonly flips: AsyncIterable<PlacedStageFlip>
  /** Stages that were not compared, and why: complete when the flips have ended. */
  readonly uncompared: ReadonlyMap<Stage, string>
}

const STAGE_OPTIONS = ['query', 'selfSignal', 'prompt'] as const
const SAME_RULES = 'the same rules of the coach judge both sides'

/** Prompts contain enrichment, so they may differ if a turn flips. All other stages differ only if an option does. */
function mayDiffer({ base, head }: Sides, flips: number): boolean {
  const own = base.resolved.files.preset.value
  const other = head.resolved.files.preset.value
  return flips > 0 || STAGE_OPTIONS.some((name) => !isDeepStrictEqual(own[name], other[name]))
}

function probeOf({ resolved }: NamedSide): ProbeOptions {
  return resolved.files.preset.value.probe ?? recommendedProbe
}

function decided({ side }: NamedSide): Decider {
  return side.kind === 'config' ? side.config : side
}

interface Around {
  readonly lab: Lab
  readonly corpus: LabCorpus
  readonly wanted: ProbeWanted
}

/** [L51] [T81] Flips of query types, self-signals, prompts, personas and verdicts. */
export async function stageDiff(
  { lab, corpus, wanted }: Around,
  sides: Sides,
  flips: number,
): Promise<StageDiff> {
  const { workspace } = lab
  const coachOf = (each: NamedSide) => () =>
    coachOfSide(workspace, decided(each), each.resolved.files.domains.file.path)
  const own = await coachOf(sides.base)()
  const other = await coachOf(sides.head)()
  const probing = { here: probeOf(sides.base), there: probeOf(sides.head) }
  const personas = await comparePersonas(workspace, probing, wanted)
  const uncompared = new Map<Stage, string>()
  if (own.rulesHash === other.rulesHash) uncompared.set('verdict', SAME_RULES)
  if (typeof personas === 'string') uncompared.set('persona', personas)
  const wantedStages = new Set<Stage>([
    ...(mayDiffer(sides, flips) ? (['query', 'self-signal', 'prompt'] as const) : []),
    ...(typeof personas === 'string' ? [] : (['persona'] as const)),
    ...(uncompared.has('verdict') ? [] : (['verdict'] as const)),
  ])
  const reading: Reading = { corpus, sides, coachOf, only: wantedStages }
  return { uncompared, flips: read(lab.workspace.root, reading, personas, uncompared) }
}

interface Reading {
  readonly corpus: LabCorpus
  readonly sides: Sides
  readonly coachOf: (side: NamedSide) => () => ReturnType<typeof coachOfSide>
  readonly only: ReadonlySet<Stage>
}

async function* read(
  workspace: string,
  { corpus, sides, coachOf, only }: Reading,
  personas: Awaited<ReturnType<typeof comparePersonas>>,
  uncompared: Map<Stage, string>,
): AsyncGenerator<PlacedStageFlip, void> {
  if (only.size === 0) return
  const stages = openStages({ workspace })
  const limit = createTimeLimit()
  const { signal } = new AbortController()
  const leftOut = createLeftOut()
  try {
    for (const { path } of corpus.read.files) {
      const opened = await openTranscript(path, { signal, formats: ownFormats({ workspace }) })
      // Unreadable files were reported when the corpus was read.
      if (!opened.ok) continue
      for (const [inFile, session] of opened.value.transcript.sessions.entries()) {
        const sideOf = async (each: NamedSide) => {
          const replay = await replaySession(each.resolved.compiled, session, { limit, signal })
          return { replay, coach: coachOf(each) }
        }
        const probed = typeof personas === 'string' ? personas : await personas.of(path, session)
        leftOut.count(probed)
        const { here, there } = await stages.compare({
          session,
          here: await sideOf(sides.base),
          there: await sideOf(sides.head),
          only,
          personas: typeof probed === 'string' ? null : probed,
        })
        for (const flip of stageFlips(here, there).flips)
          yield { file: path, sessionId: session.id, inFile, ...flip }
      }
      opened.value.close()
    }
    const why = leftOut.said()
    if (why !== null) uncompared.set('persona', why)
  } finally {
    if (typeof personas !== 'string') await personas.close()
  }
}

/** Personas of both sides, session by session. */
interface ComparedPersonas {
  /** A sentence where nothing was asked. */
  of(file: string, session: Session): Promise<Personas | string>
  close(): Promise<void>
}

const ALIKE = 'both sides probe alike'
const LEFT_OUT = '--no-probe leaves them out'

/**
 * [T81] Compares the persona of each message under both sides, as the window shows it. Returns a sentence, and loads
 * nothing, if the result is known beforehand.
 */
async function comparePersonas(
  workspace: Workspace,
  { here, there }: { readonly here: ProbeOptions; readonly there: ProbeOptions },
  wanted: ProbeWanted,
): Promise<ComparedPersonas | string> {
  if (probesAlike(here, there)) return ALIKE
  if (wanted.probe === false) return LEFT_OUT
  const probe = await openReplayProbe(workspace, { ...wanted, options: here })
  const personasUnder = async (file: string, session: Session, options: ProbeOptions) => {
    const probing = probe.session(file, options)
    const rows: Array<[number, string]> = []
    for (const message of messagesOf(session)) {
      const found = await probing.next(message)
      if (found === null) return probing.why()
      rows.push([message.seq, found.persona.persona ?? 'none'])
    }
    return rows
  }
  return {
    of: async (file, session) => {
      const own = await personasUnder(file, session, here)
      if (typeof own === 'string') return own
      const other = await personasUnder(file, session, there)
      return typeof other === 'string' ? other : { here: own, there: other }
    },
    close: () => probe.close(),
  }
}

/** [T81] Sessions whose personas were not compared, and why: samples may be asked where others are not (D70). */
function createLeftOut() {
  const reasons = new Map<string, number>()
  let sessions = 0
  return {
    /** @param personas as `ComparedPersonas` says them */
    count: (personas: Personas | string): void => {
      sessions += 1
      if (typeof personas === 'string') reasons.set(personas, (reasons.get(personas) ?? 0) + 1)
    },
    /** The reason without a count if it applies to all sessions. Null if all sessions were compared. */
    said: (): string | null => {
      const all = [...reasons].map(([why, of]) =>
        of === sessions ? why : `${of} of ${counted(sessions, 'session')}: ${why}`,
      )
      return all.length === 0 ? null : all.join('; ')
    },
  }
}
