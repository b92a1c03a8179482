import { hash } from 'node:crypto'
import type { ScoreRow } from '../../../wire/probe.ts'
import {
  type SessionProbeCache,
  cachedAnswer,
  cacheState,
} from '../../../engine/probe/phrase-cache.ts'
import type { ProbePorts } from '../../../engine/probe/ports.ts'
import { hitRateOf } from '../../../engine/probe/hit-rate.ts'
import { highestThreshold } from '../../../engine/probe/hits.ts'
import { type ProbeState, initialProbeState, probeMessage } from '../../../engine/probe/run.ts'
import type {
  ProbeCacheState,
  ProbeHit,
  ProbeOptions,
  ProbeResult,
} from '../../../engine/schema/probe.ts'
import { createLru } from '../../../engine/lru.ts'
import { createQueue } from '../../platform/threads/shared-work.ts'

/** A user message. */
export interface ProbeMessage {
  readonly seq: number
  readonly text: string
}

/** Fields of a message for the timeline. */
export type MessageRow = ReturnType<typeof rowOf>

export interface ProbedMessage {
  readonly result: ProbeResult
  /** [D17] State of the cache before the message. */
  readonly cache: ProbeCacheState
}

/**
 * [D45] The probe of one session, message by message. Some of the states are kept, so that any message can
 * be probed again from the one before it. Of what failed nothing is remembered (L27, L28).
 */
export interface SessionProbe {
  /**
   * Probes messages up to index `to`; equal ones at the front are not asked again, except, with
   * `retry`, from the first one that failed on.
   */
  advance(messages: readonly ProbeMessage[], to: number, work: SessionProbeWork): Promise<void>
  readonly rows: readonly MessageRow[]
  /** A message that was advanced to; `messages` are those of the session up to it. */
  turn(
    messages: readonly ProbeMessage[],
    index: number,
    work: SessionProbeWork,
  ): Promise<ProbedMessage>
}

export interface SessionProbeWork {
  readonly ports: ProbePorts
  readonly signal: AbortSignal
  readonly report?: (done: number, total: number) => void
  readonly retry?: boolean
}

/** States that are kept for a session. With more messages they are further apart. */
const MOST_STATES = 128
/** Whole results that are kept for a session: the last ones that were used. */
const MOST_RESULTS = 64

function fingerprintOf(text: string): string {
  return hash('sha1', text, 'base64')
}

/** States before some of the messages, by index: at most `MOST_STATES`, evenly spread. */
function createStates() {
  const states = new Map<number, ProbeState>([[0, initialProbeState]])
  let interval = 4
  return {
    keep: (index: number, state: ProbeState): void => {
      if (index % interval === 0) states.set(index, state)
      if (states.size <= MOST_STATES) return
      interval *= 2
      for (const at of states.keys()) if (at % interval !== 0) states.delete(at)
    },
    /** The last kept one at or before a message. */
    before: (index: number): readonly [number, ProbeState] => {
      const at = Math.max(...[...states.keys()].filter((each) => each <= index))
      return [at, states.get(at) ?? initialProbeState]
    },
    forgetFrom: (index: number): void => {
      for (const at of [...states.keys()]) if (at > index) states.delete(at)
    },
  }
}

/** Index of the first message that must be probed again. */
function firstChanged(
  rows: readonly MessageRow[],
  messages: readonly ProbeMessage[],
  retry: boolean,
): number {
  const changed = rows.findIndex(({ seq, fingerprint, errors }, index) => {
    const message = messages[index]
    if (message === undefined) return false
    return (
      (retry && errors > 0) || seq !== message.seq || fingerprint !== fingerprintOf(message.text)
    )
  })
  return changed < 0 ? rows.length : changed
}

async function probeUncancelled(
  { text }: ProbeMessage,
  { state, options }: { readonly state: ProbeState; readonly options: ProbeOptions },
  { ports, signal }: SessionProbeWork,
) {
  signal.throwIfAborted()
  const turn = await probeMessage(text, state, options, { ...ports, signal })
  // The answer of a cancelled embedder is not a result.
  signal.throwIfAborted()
  return turn
}

/** A session of which nothing was probed yet, under these options. */
export function createSessionProbe(options: ProbeOptions): SessionProbe {
  const rows: MessageRow[] = []
  const states = createStates()
  const results = createLru<number, ProbedMessage>(MOST_RESULTS)
  let end: ProbeState = initialProbeState
  const alone = createQueue()

  const probeOne = (message: ProbeMessage, state: ProbeState, work: SessionProbeWork) =>
    probeUncancelled(message, { state, options }, work)

  /** The state before a message, from the nearest one that was kept. */
  async function stateAt(
    messages: readonly ProbeMessage[],
    index: number,
    work: SessionProbeWork,
  ): Promise<ProbeState> {
    const [from, kept] = states.before(index)
    let state = kept
    for (const message of messages.slice(from, index)) {
      state = (await probeOne(message, state, work)).state
    }
    return state
  }

  async function advance(messages: readonly ProbeMessage[], to: number, work: SessionProbeWork) {
    const same = firstChanged(rows, messages, work.retry === true)
    if (same < rows.length) {
      states.forgetFrom(same)
      for (const index of rows.splice(same).keys()) results.delete(same + index)
      end = await stateAt(messages, same, work)
    }
    const total = Math.min(to + 1, messages.length)
    for (let index = rows.length; index < total; index += 1) {
      const message = messages[index]
      if (message === undefined) return
      work.report?.(index, total)
      states.keep(index, end)
      const cache = cacheState(end.cache, options.cacheMaxAge)
      const { result, state } = await probeOne(message, end, work)
      end = state
      rows.push(rowOf(message, result, scoresOf(result, state.cache, work.ports, options)))
      results.set(index, { result, cache })
    }
    work.report?.(total, total)
  }

  async function turn(messages: readonly ProbeMessage[], index: number, work: SessionProbeWork) {
    const known = results.get(index)
    if (known !== undefined) return known
    const message = messages[index]
    if (message === undefined) throw new RangeError(`there is no message ${index}`)
    const state = await stateAt(messages, index, work)
    const cache = cacheState(state.cache, options.cacheMaxAge)
    const { result } = await probeOne(message, state, work)
    // Keeps the first times, because the phrases are now in the embedder's cache.
    const times = rows[index]?.times ?? result.times
    const probed = { result: { ...result, times, probe_time_ms: times.total }, cache }
    results.set(index, probed)
    return probed
  }

  return {
    rows,
    advance: (messages, to, work) => alone(() => advance(messages, to, work)),
    turn: (messages, index, work) => alone(() => turn(messages, index, work)),
  }
}

function rowOf({ seq, text }: ProbeMessage, result: ProbeResult, scores: readonly ScoreRow[]) {
  const { hits, primary_collection: primary, persona, strength, skipped } = result
  const mine = hits.filter((hit) => hit.collection === primary)
  return {
    seq,
    primary,
    strength,
    skipped,
    scores,
    /** Of the text: another text under the same number is another message. */
    fingerprint: fingerprintOf(text),
    similarity: mine.reduce((best, hit) => Math.max(best, hit.score), 0),
    hits: hits.length,
    /** Of the hits, how many came from the cache. */
    cached: hits.filter((hit) => hit.from_cache).length,
    persona: persona.persona,
    isRefused: persona.refused !== null,
    errors: result.errors.length,
    rate: hitRateOf(result),
    times: result.times,
  }
}

/** [D16] The best candidate of every phrase in every collection that answered, hit or not. */
export function scoresOf(
  result: Pick<ProbeResult, 'phrases_tested'>,
  cache: SessionProbeCache,
  { collections }: Pick<ProbePorts, 'collections'>,
  { rule }: Pick<ProbeOptions, 'rule'>,
): readonly ScoreRow[] {
  const rows: ScoreRow[] = []
  for (const phrase of result.phrases_tested) {
    for (const collection of collections) {
      const best = bestOf(cachedAnswer(cache, phrase, collection) ?? [], rule)
      if (best !== null) rows.push({ phrase, collection: collection.name, ...best })
    }
  }
  return rows
}

function bestOf(
  answers: readonly ProbeHit[],
  rule: ProbeOptions['rule'],
): Omit<ScoreRow, 'phrase' | 'collection'> | null {
  let best: Omit<ScoreRow, 'phrase' | 'collection'> | null = null
  for (const { similarity, lexical } of answers) {
    const reach = highestThreshold({ similarity, lexical }, rule)
    if (best === null || reach > best.reach) best = { similarity, lexical, reach }
  }
  return best
}
