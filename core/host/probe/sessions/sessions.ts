import type { ProbeColumns } from '../../../wire/contract.ts'
import { type Result, ok } from '../../../engine/result.ts'
import { type ProbeOptions, SKIP_REASONS, Strength } from '../../../engine/schema/probe.ts'
import type { ProbeSettings } from '../../../engine/schema/probe-settings.ts'
import type { Asked } from '../ask.ts'
import type { DeskWork, OptionsPatch, ProbeDesk } from '../service.ts'
import {
  type Track,
  type TrackMessage,
  type TrackRow,
  type TrackTurn,
  type TrackWork,
  createTrack,
} from './session-probe.ts'

/** A session of an opened file, and how it is probed. */
export interface SessionQuestion {
  readonly key: string
  readonly session: number
  readonly preset: string
  readonly options: OptionsPatch
  readonly settings: ProbeSettings
  /** Messages of persons from the first on, in order. */
  readonly messages: readonly TrackMessage[]
}

function workOf({ asked }: Tracked, { signal, probed }: SessionWork): TrackWork {
  return { signal, ports: asked.ports(signal), report: probed }
}

interface Tracked {
  readonly track: Track
  readonly asked: Asked
  readonly options: ProbeOptions
}

export type SessionWork = DeskWork & {
  readonly probed: (done: number, total: number) => void
}

/** What the probe keeps for opened sessions (L27): freed when they are closed. */
export interface ProbeSessions {
  /** All messages; those that failed before are asked again. */
  columns(question: SessionQuestion, work: SessionWork): Promise<Result<ProbeColumns>>
  scores(question: SessionQuestion, work: SessionWork): Promise<Result<ProbeScores>>
  /** The message with this number, which has to be among the messages. */
  turn(question: SessionQuestion, seq: number, work: SessionWork): Promise<Result<TrackTurn | null>>
  /** Tracks kept for a file; for tests and for nobody else a number. */
  forget(key: string): void
}

export interface ProbeScores {
  readonly collections: readonly string[]
  readonly thresholds: readonly number[]
  readonly rows: readonly TrackRow[]
}

/** Ways of probing one session that are kept: presets and thresholds that somebody compares. */
const MOST_TRACKS = 4

export function createProbeSessions(desk: ProbeDesk): ProbeSessions {
  const files = new Map<string, Map<string, Track>>()

  async function tracked(question: SessionQuestion, work: DeskWork): Promise<Result<Tracked>> {
    const { key, session, preset, settings } = question
    const options = await desk.options(preset, question.options)
    if (!options.ok) return options
    const { enabled: isProbed } = options.value
    const asked = await desk.asked(settings, null, { ...work, isProbed })
    if (!asked.ok) return asked
    const tracks = files.get(key) ?? new Map<string, Track>()
    files.set(key, tracks)
    const stamp = JSON.stringify([session, options.value, asked.value.stamp])
    const track = tracks.get(stamp) ?? createTrack(options.value)
    // Used again: the youngest now.
    tracks.delete(stamp)
    tracks.set(stamp, track)
    const [oldest] = tracks.keys()
    if (tracks.size > MOST_TRACKS && oldest !== undefined) tracks.delete(oldest)
    return ok({ track, asked: asked.value, options: options.value })
  }

  return {
    columns: async (question, work) => {
      const found = await tracked(question, work)
      if (!found.ok) return found
      const { track } = found.value
      const { messages } = question
      const done = { ...workOf(found.value, work), retry: true }
      await track.advance(messages, messages.length - 1, done)
      return ok(columnsOf(track.rows, found.value.asked))
    },
    scores: async (question, work) => {
      const found = await tracked(question, work)
      if (!found.ok) return found
      const { track, asked, options } = found.value
      const { messages } = question
      await track.advance(messages, messages.length - 1, workOf(found.value, work))
      const { collections } = asked
      return ok({
        collections: collections.map((each) => each.name),
        thresholds: collections.map((each) => options.threshold ?? each.threshold ?? 0),
        rows: track.rows,
      })
    },
    turn: async (question, seq, work) => {
      const index = question.messages.findIndex((message) => message.seq === seq)
      if (index < 0) return ok(null)
      const found = await tracked(question, work)
      if (!found.ok) return found
      const done = workOf(found.value, work)
      await found.value.track.advance(question.messages, index, done)
      return ok(await found.value.track.turn(question.messages, index, done))
    },
    forget: (key) => void files.delete(key),
  }
}

function columnsOf(rows: readonly TrackRow[], { collections }: Asked): ProbeColumns {
  const names = collections.map((each) => each.name)
  const personas = [...new Set(collections.flatMap(({ persona }) => persona ?? []))]
  const column = (of: (row: TrackRow) => number): number[] => rows.map(of)
  return {
    collections: names,
    personas,
    seq: column((row) => row.seq),
    similarity: column((row) => row.similarity),
    primary: column((row) => (row.primary === null ? -1 : names.indexOf(row.primary))),
    hits: column((row) => row.hits),
    cached: column((row) => row.cached),
    strength: column((row) => Strength.options.indexOf(row.strength)),
    persona: column((row) => (row.persona === null ? -1 : personas.indexOf(row.persona))),
    refused: column((row) => (row.isRefused ? 1 : 0)),
    skipped: column((row) => (row.skipped === null ? -1 : SKIP_REASONS.indexOf(row.skipped))),
    errors: column((row) => row.errors),
  }
}
