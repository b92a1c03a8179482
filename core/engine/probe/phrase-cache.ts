import type { ProbeCacheState, ProbeHit } from '../schema/probe.ts'
import { phraseKey } from './words.ts'

/** Phrases kept a session; the oldest go first. */
const MOST_PHRASES = 1000

/** One collection's answer for a phrase, with the collection's version. */
interface Answer {
  readonly version: string
  /** Hits and near misses; thresholds are applied when they are used. */
  readonly hits: readonly ProbeHit[]
}

interface Entry {
  /** As it was written when it was asked. */
  readonly phrase: string
  readonly turn: number
  readonly answers: ReadonlyMap<string, Answer>
}

/**
 * [D5] [L27] Answers by phrase for one session. `turn` counts every turn, probed or skipped. Immutable, so that a turn
 * can be probed again from the cache before that turn.
 */
export interface SessionProbeCache {
  readonly turn: number
  readonly entries: ReadonlyMap<string, Entry>
}

export const emptyProbeCache: SessionProbeCache = { turn: 0, entries: new Map() }

/** The cache at the next turn, without entries older than `maxAge` turns. */
export function nextTurn(cache: SessionProbeCache, maxAge: number): SessionProbeCache {
  const turn = cache.turn + 1
  const young = [...cache.entries].filter(([, entry]) => turn - entry.turn <= maxAge)
  return { turn, entries: young.length === cache.entries.size ? cache.entries : new Map(young) }
}

/** The cached answer of this collection version for a phrase; undefined if it must be queried. */
export function cachedAnswer(
  cache: SessionProbeCache,
  phrase: string,
  collection: { readonly name: string; readonly version: string },
): readonly ProbeHit[] | undefined {
  const answer = cache.entries.get(phraseKey(phrase))?.answers.get(collection.name)
  return answer?.version === collection.version ? answer.hits : undefined
}

/** An answer to remember. A collection that failed gives none: it is asked again. */
export interface FreshAnswer {
  readonly phrase: string
  readonly collection: string
  readonly version: string
  readonly hits: readonly ProbeHit[]
}

/** The cache with the results of this turn. An old entry keeps its age, so that hits expire. */
export function remember(
  cache: SessionProbeCache,
  fresh: readonly FreshAnswer[],
): SessionProbeCache {
  if (fresh.length === 0) return cache
  const entries = new Map(cache.entries)
  for (const { phrase, collection, version, hits } of fresh) {
    const key = phraseKey(phrase)
    const known = entries.get(key)
    const answers = new Map(known?.answers).set(collection, { version, hits })
    const first = { phrase: known?.phrase ?? phrase, turn: known?.turn ?? cache.turn }
    entries.set(key, { ...first, answers })
  }
  const surplus = entries.size - MOST_PHRASES
  for (const key of [...entries.keys()].slice(0, Math.max(0, surplus))) entries.delete(key)
  return { turn: cache.turn, entries }
}

/** Phrases that are listed; the cache may hold more. */
const MOST_LISTED = 200

/**
 * [D17] The cache as the next message finds it: the phrases that still count then, oldest first. `age` 0 is impossible,
 * because at least that message is in between.
 */
export function cacheState(before: SessionProbeCache, maxAge: number): ProbeCacheState {
  const { turn, entries } = nextTurn(before, maxAge)
  const listed = [...entries.values()].toSorted((a, b) => a.turn - b.turn).slice(0, MOST_LISTED)
  return {
    turn: turn - 1,
    size: entries.size,
    entries: listed.map((entry) => {
      const age = turn - entry.turn
      return { phrase: entry.phrase, age, left: maxAge - age }
    }),
  }
}
