import type { ProbeThreadContract } from '../../../wire/threads.ts'
import type { Asked } from '../../../wire/method.ts'
import type { Immutable } from '../../../engine/schema/immutable.ts'
import type { ProbeColumns } from '../../../wire/contract.ts'
import { type Lru, createLru } from '../../../engine/lru.ts'
import { addHitRates, noHitRate } from '../../../engine/probe/hit-rate.ts'
import { type Result, ok } from '../../../engine/result.ts'
import type { HitRate } from '../../../engine/schema/hit-rate.ts'
import {
  type ProbeOptions,
  SKIP_REASONS,
  Strength,
  type ProbeResult,
} from '../../../engine/schema/probe.ts'
import type { Asked as AskedCollections } from '../ask.ts'
import type { ProbeWork, ProbeService } from '../service.ts'
import { type FoundCauses, searchChanges } from '../../compare/cause-search.ts'
import {
  type SessionProbe,
  type MessageRow,
  type ProbedMessage,
  type SessionProbeWork,
  createSessionProbe,
  type ProbeMessage,
} from './session-probe.ts'
import { hash } from 'node:crypto'
import { type Outcome, partChanges } from '../../../engine/lab/flips/causes.ts'
import type { ProbePorts } from '../../../engine/probe/ports.ts'
import { initialProbeState, probeMessage } from '../../../engine/probe/run.ts'

/** A session of an opened file, its probe options, and its user messages from the first on. */
export type SessionQuestion = Immutable<Asked<ProbeThreadContract, 'probe.session'>>

function workOf(
  { asked }: Pick<Opened, 'asked'>,
  { signal, probed }: SessionWork,
): SessionProbeWork {
  return { signal, ports: asked.ports(signal), report: probed }
}

interface Opened {
  readonly probe: SessionProbe
  readonly asked: AskedCollections
  readonly options: ProbeOptions
}

export type SessionWork = ProbeWork & {
  readonly probed: (done: number, total: number) => void
}

/** Probe data of opened sessions (L27), freed when they are closed. */
export interface ProbeSessions {
  /** All messages; those that failed before are asked again. */
  columns(question: SessionQuestion, work: SessionWork): Promise<Result<ProbedSession>>
  /** [D71] Only the counts, and nothing is stored: for sessions that are not open. */
  rate(question: RateQuestion, work: SessionWork): Promise<Result<HitRate>>
  /** [T83] Changes caused by the options in `there`, one at a time. Nothing is stored. */
  causes(question: CausesQuestion, work: SessionWork): Promise<Result<FoundCauses>>
  scores(question: SessionQuestion, work: SessionWork): Promise<Result<ProbeScores>>
  /** The message with this number, which has to be among the messages. */
  turn(
    question: SessionQuestion,
    seq: number,
    work: SessionWork,
  ): Promise<Result<ProbedMessage | null>>
  /** Lets go of everything that is kept for a file. */
  forget(key: string): void
}

/** Summary of a probed session. */
interface ProbedSession {
  readonly columns: ProbeColumns
  readonly rate: HitRate
}

type CausesQuestion = Immutable<Asked<ProbeThreadContract, 'probe.causes'>>

type RateQuestion = Immutable<Asked<ProbeThreadContract, 'probe.rate'>>

export interface ProbeScores {
  readonly collections: readonly string[]
  readonly thresholds: readonly number[]
  readonly rows: readonly MessageRow[]
}

/** Probes that are kept for one session, because the user may compare presets and thresholds. */
const MOST_PROBES = 4

type OpenQuestion = Pick<SessionQuestion, 'preset' | 'settings' | 'samples' | 'options'>

/** Options, and the probe inputs for them. */
async function prepare(service: ProbeService, question: OpenQuestion, work: ProbeWork) {
  const { preset, settings, samples } = question
  const options = await service.options(preset, question.options)
  if (!options.ok) return options
  const { enabled: isProbed } = options.value
  const asked = await service.asked(settings, null, { ...work, isProbed, samples })
  if (!asked.ok) return asked
  return ok({ asked: asked.value, options: options.value })
}

export function createProbeSessions(service: ProbeService): ProbeSessions {
  const files = new Map<string, Lru<string, SessionProbe>>()

  async function open(question: SessionQuestion, work: ProbeWork): Promise<Result<Opened>> {
    const ready = await prepare(service, question, work)
    if (!ready.ok) return ready
    const { key, session } = question
    const { asked, options } = ready.value
    const probes = files.get(key) ?? createLru<string, SessionProbe>(MOST_PROBES)
    files.set(key, probes)
    const stamp = JSON.stringify([session, options, asked.stamp])
    const probe = probes.get(stamp) ?? createSessionProbe(options)
    probes.set(stamp, probe)
    return ok({ probe, asked, options })
  }

  return {
    columns: async (question, work) => {
      const found = await open(question, work)
      if (!found.ok) return found
      const { probe } = found.value
      const { messages } = question
      const done = { ...workOf(found.value, work), retry: true }
      await probe.advance(messages, messages.length - 1, done)
      const rate = probe.rows.reduce((sum, row) => addHitRates(sum, row.rate), noHitRate)
      return ok({ columns: columnsOf(probe.rows, found.value.asked), rate })
    },
    rate: (question, work) => rateOf(service, question, work),
    causes: (question, work) => causesOf(service, question, work),
    scores: async (question, work) => {
      const found = await open(question, work)
      if (!found.ok) return found
      const { probe, asked, options } = found.value
      const { messages } = question
      await probe.advance(messages, messages.length - 1, workOf(found.value, work))
      const { collections } = asked
      return ok({
        collections: collections.map((each) => each.name),
        thresholds: collections.map((each) => options.threshold ?? each.threshold ?? 0),
        rows: probe.rows,
      })
    },
    turn: async (question, seq, work) => {
      const index = question.messages.findIndex((message) => message.seq === seq)
      if (index < 0) return ok(null)
      const found = await open(question, work)
      if (!found.ok) return found
      const done = workOf(found.value, work)
      await found.value.probe.advance(question.messages, index, done)
      return ok(await found.value.probe.turn(question.messages, index, done))
    },
    forget: (key) => void files.delete(key),
  }
}

/** [D71] Counted message by message. */
async function rateOf(
  service: ProbeService,
  question: RateQuestion,
  work: SessionWork,
): Promise<Result<HitRate>> {
  const ready = await prepare(service, { ...question, options: {} }, work)
  if (!ready.ok) return ready
  const { messages } = question
  const probe = createSessionProbe(ready.value.options)
  await probe.advance(messages, messages.length - 1, workOf(ready.value, work))
  return ok(probe.rows.reduce((sum, row) => addHitRates(sum, row.rate), noHitRate))
}

async function causesOf(
  service: ProbeService,
  { messages, there, ...question }: CausesQuestion,
  work: SessionWork,
): Promise<Result<FoundCauses>> {
  const ready = await prepare(service, question, work)
  if (!ready.ok) return ready
  const { asked, options } = ready.value
  const { signal, probed } = work
  const ports = asked.ports(signal)
  return ok(await probeCauses(messages, { here: options, there }, ports, { signal, probed }))
}

function columnsOf(rows: readonly MessageRow[], { collections }: AskedCollections): ProbeColumns {
  const names = collections.map((each) => each.name)
  const personas = [...new Set(collections.flatMap(({ persona }) => persona ?? []))]
  const column = (of: (row: MessageRow) => number): number[] => rows.map(of)
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

interface Watch {
  readonly signal: AbortSignal
  readonly probed: (done: number, total: number) => void
}

/** [T83] Result of a message: whether it was skipped, hits, primary, persona, and the text for its prompt. */
function saidOf(result: ProbeResult): string {
  const { skipped, primary_collection, supplemental_collections, strength, prompt } = result
  const hits = result.hits.map(({ phrase, collection, filename, chunk_idx }) => [
    phrase,
    collection,
    filename,
    chunk_idx,
  ])
  const { persona } = result.persona
  const said = [skipped, primary_collection, supplemental_collections, strength, persona, prompt]
  return hash('sha256', JSON.stringify([said, hits]))
}

/**
 * [L52] [T83] Switches the differences between two probe configurations, one option at a time. Each embedding is
 * computed once; repeated ones come from the embedder's cache.
 */
async function probeCauses(
  messages: readonly ProbeMessage[],
  { here, there }: { readonly here: ProbeOptions; readonly there: ProbeOptions },
  ports: ProbePorts,
  { signal, probed }: Watch,
): Promise<FoundCauses> {
  const changes = partChanges('probe', here, there)
  let runs = 0
  let most = 1
  const run = async (options: ProbeOptions): Promise<Outcome> => {
    const said = new Map<string, string>()
    let state = initialProbeState
    for (const [at, { seq, text }] of messages.entries()) {
      signal.throwIfAborted()
      probed(runs * messages.length + at, most * messages.length)
      const turn = await probeMessage(text, state, options, { ...ports, signal })
      state = turn.state
      said.set(`message ${seq}`, saidOf(turn.result))
    }
    runs += 1
    return said
  }
  const known = Object.entries(there)
  const before = await run(here)
  return searchChanges(
    changes,
    async (chosen) => {
      const names = changes.filter((_, at) => chosen.has(at)).map(({ option }) => option)
      const taken = Object.fromEntries(known.filter(([name]) => names.includes(name)))
      const after = await run({ ...here, ...taken })
      return new Map([...after].filter(([key, value]) => before.get(key) !== value))
    },
    (done, total) => {
      // The run before the search is one, too.
      most = Math.max(runs + 1, runs + total - done)
    },
  )
}
