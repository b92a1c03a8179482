import { hash } from 'node:crypto'
import type { SessionProbeCache } from '../../engine/probe/cache.ts'
import { cachedAnswer, cacheState } from '../../engine/probe/cache.ts'
import type { ProbePorts } from '../../engine/probe/ports.ts'
import { reachOf } from '../../engine/probe/reach.ts'
import type { ProbeState } from '../../engine/probe/run.ts'
import { initialProbeState, probeMessage } from '../../engine/probe/run.ts'
import type {
  ProbeCacheState,
  ProbeHit,
  ProbeOptions,
  ProbeResult,
} from '../../engine/schema/probe.ts'

/** A message of a person. */
export interface TrackMessage {
  readonly seq: number
  readonly text: string
}

/** Best candidate of a phrase in a collection (D16). */
export interface ScoreRow {
  readonly phrase: string
  readonly collection: string
  readonly similarity: number
  readonly lexical: number | null
  readonly reach: number
}

/** What the timeline needs of a message. */
export interface TrackRow {
  readonly seq: number
  /** Of the text: another text under the same number is another message. */
  readonly fingerprint: string
  readonly similarity: number
  readonly primary: string | null
  readonly hits: number
  /** Of the hits, how many came from the cache. */
  readonly cached: number
  readonly strength: ProbeResult['strength']
  readonly persona: string | null
  readonly isRefused: boolean
  readonly skipped: ProbeResult['skipped']
  readonly errors: number
  readonly times: ProbeResult['times']
  readonly scores: readonly ScoreRow[]
}

export interface TrackTurn {
  readonly result: ProbeResult
  /** [D17] As it stood before the message. */
  readonly cache: ProbeCacheState
}

/**
 * [D45] A session on its way through the probe. Some of the states are kept, so that any message can
 * be probed again from the one before it. Of what failed nothing is remembered (L27, L28).
 */
export interface Track {
  /**
   * Probes messages up to index `to`; equal ones at the front are not asked again, except, with
   * `retry`, from the first one that failed on.
   */
  advance(messages: readonly TrackMessage[], to: number, work: TrackWork): Promise<void>
  readonly rows: readonly TrackRow[]
  /** A message that was advanced to; `messages` are those of the session up to it. */
  turn(messages: readonly TrackMessage[], index: number, work: TrackWork): Promise<TrackTurn>
}

export interface TrackWork {
  readonly ports: ProbePorts
  readonly signal: AbortSignal
  readonly report?: (done: number, total: number) => void
  readonly retry?: boolean
}

/** States kept a track: with more messages they stand further apart. */
const MOST_STATES = 128
/** Whole results kept a track, the last ones. */
const MOST_RESULTS = 64

function fingerprintOf(text: string): string {
  return hash('sha1', text, 'base64')
}

/** An empty track under these options. */
export function createTrack(options: ProbeOptions): Track {
  const rows: TrackRow[] = []
  /** State before the message of that index. */
  const states = new Map<number, ProbeState>([[0, initialProbeState]])
  const results = new Map<number, TrackTurn>()
  let interval = 4
  let end: ProbeState = initialProbeState
  let queue: Promise<unknown> = Promise.resolve()

  const alone = <T>(work: () => Promise<T>): Promise<T> => {
    const result = queue.then(work)
    queue = result.catch(() => undefined)
    return result
  }

  function keepState(index: number, state: ProbeState): void {
    if (index % interval === 0) states.set(index, state)
    if (states.size <= MOST_STATES) return
    interval *= 2
    for (const at of states.keys()) if (at % interval !== 0) states.delete(at)
  }

  function keepResult(index: number, turn: TrackTurn): TrackTurn {
    results.set(index, turn)
    const [oldest] = results.keys()
    if (results.size > MOST_RESULTS && oldest !== undefined) results.delete(oldest)
    return turn
  }

  /** The last kept state at or before a message. */
  function stateBefore(index: number): readonly [number, ProbeState] {
    const at = Math.max(...[...states.keys()].filter((each) => each <= index))
    return [at, states.get(at) ?? initialProbeState]
  }

  async function probeOne(message: TrackMessage, state: ProbeState, { ports, signal }: TrackWork) {
    signal.throwIfAborted()
    const turn = await probeMessage(message.text, state, options, { ...ports, signal })
    // What an embedder says that was cancelled is no finding.
    signal.throwIfAborted()
    return turn
  }

  /** Forgets what does not stand for these messages any more. */
  async function rewind(messages: readonly TrackMessage[], work: TrackWork): Promise<void> {
    let same = rows.findIndex(({ seq, fingerprint, errors }, index) => {
      const message = messages[index]
      if (message === undefined) return false
      return (
        (work.retry === true && errors > 0) ||
        seq !== message.seq ||
        fingerprint !== fingerprintOf(message.text)
      )
    })
    if (same < 0) same = rows.length
    if (same === rows.length) return
    for (const at of [...states.keys()]) if (at > same) states.delete(at)
    for (const at of [...results.keys()]) if (at >= same) results.delete(at)
    rows.length = same
    const [from, state] = stateBefore(same)
    end = state
    for (const message of messages.slice(from, same))
      end = (await probeOne(message, end, work)).state
  }

  return {
    rows,
    advance: (messages, to, work) =>
      alone(async () => {
        await rewind(messages, work)
        const total = Math.min(to + 1, messages.length)
        for (let index = rows.length; index < total; index += 1) {
          const message = messages[index]
          if (message === undefined) return
          work.report?.(index, total)
          keepState(index, end)
          const cache = cacheState(end.cache, options.cacheMaxAge)
          const { result, state } = await probeOne(message, end, work)
          end = state
          rows.push(rowOf(message, result, scoresOf(result, state.cache, work.ports, options)))
          keepResult(index, { result, cache })
        }
        work.report?.(total, total)
      }),
    turn: (messages, index, work) =>
      alone(async () => {
        const known = results.get(index)
        if (known !== undefined) return known
        let [at, state] = stateBefore(index)
        for (; at < index; at += 1) {
          const message = messages[at]
          if (message !== undefined) state = (await probeOne(message, state, work)).state
        }
        const message = messages[index]
        if (message === undefined) throw new RangeError(`there is no message ${index}`)
        const cache = cacheState(state.cache, options.cacheMaxAge)
        const { result } = await probeOne(message, state, work)
        // It cost what it cost the first time: now its phrases are in the embedder's cache.
        const times = rows[index]?.times ?? result.times
        return keepResult(index, {
          result: { ...result, times, probe_time_ms: times.total },
          cache,
        })
      }),
  }
}

function rowOf(
  { seq, text }: TrackMessage,
  result: ProbeResult,
  scores: readonly ScoreRow[],
): TrackRow {
  const { hits, primary_collection: primary, persona, strength, skipped } = result
  const mine = hits.filter((hit) => hit.collection === primary)
  return {
    ...{ seq, primary, strength, skipped, scores },
    fingerprint: fingerprintOf(text),
    similarity: mine.reduce((best, hit) => Math.max(best, hit.score), 0),
    hits: hits.length,
    cached: hits.filter((hit) => hit.from_cache).length,
    persona: persona.persona,
    isRefused: persona.refused !== null,
    errors: result.errors.length,
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
): Pick<ScoreRow, 'similarity' | 'lexical' | 'reach'> | null {
  let best: Pick<ScoreRow, 'similarity' | 'lexical' | 'reach'> | null = null
  for (const { similarity, lexical } of answers) {
    const reach = reachOf({ similarity, lexical }, rule)
    if (best === null || reach > best.reach) best = { similarity, lexical, reach }
  }
  return best
}
