import type { Collection, Embedder, Embedders } from './store.ts'

/** Sessions with more messages wait for a click. */
export const AUTO_MOST = 500

/** Usable for a probe now. */
export function isUsable({ state, chunks }: Pick<Collection, 'state' | 'chunks'>): boolean {
  return chunks > 0 && (state === 'ready' || state === 'stale')
}

export function currentEmbedder(embedders: Embedders | null): Embedder | null {
  return embedders?.embedders.find(({ name }) => name === embedders.current) ?? null
}

/**
 * What stands between a session and its hits. Collections are listed and none has vectors: `samples` of
 * them get theirs with the first probe, the others (`unindexed`) wait for a person.
 */
export type ProbeNeed =
  | 'nothing'
  | 'messages'
  | 'collections'
  | 'samples'
  | 'unindexed'
  | 'embedder'
  | 'remote'
  | 'many'
  | 'asked'

const UNUSABLE: ReadonlySet<Embedder['state']> = new Set(['missing', 'failed', 'restricted'])

interface About {
  readonly messages: number
  readonly collections: readonly Collection[]
  readonly embedder: Embedder | null
  readonly auto: boolean
}

/**
 * [D51] Whether a session is probed by itself. Only with a local embedder that is there, with something
 * indexed, and up to 500 messages; all else waits for a person.
 */
export function probeNeed({ messages, collections, embedder, auto }: About): ProbeNeed {
  if (messages === 0) return 'messages'
  if (!embedder || UNUSABLE.has(embedder.state)) return 'embedder'
  if (collections.length === 0) return 'collections'
  if (embedder.remote) return 'remote'
  if (!collections.some(isUsable))
    return collections.some(({ sample, state }) => sample && state !== 'other_embedder')
      ? 'samples'
      : 'unindexed'
  if (messages > AUTO_MOST) return 'many'
  return auto ? 'nothing' : 'asked'
}

/** The message of a person that is selected, else the last one before; null before the first. */
export function messageAt(isMessage: (seq: number) => boolean, selected: number): number | null {
  for (let seq = selected; seq >= 0; seq--) if (isMessage(seq)) return seq
  return null
}
