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
 * The reason that a session has no hits yet. If collections are listed and none has vectors, `samples` are indexed by
 * the first probe, and the others (`unindexed`) wait for the operator.
 */
export type ProbeNeed =
  | 'nothing'
  | 'messages'
  | 'collections'
  | 'only_samples'
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
  /** [D70] The sample collections are asked about this session. */
  readonly samples: boolean
}

/** [D70] The samples are fiction, so the operator's own sessions are not probed in them by default. */
export function asksSamples(
  settings: { readonly samples?: boolean | undefined } | null,
  source: { readonly kind: string } | null,
): boolean {
  return settings?.samples === true || source?.kind === 'sample'
}

/**
 * [D51] Whether a session is probed automatically. Requires the setting `auto`, an available local embedder, an index,
 * and at most 500 messages. Otherwise the probe waits for the operator.
 */
export function probeNeed({ messages, embedder, auto, ...about }: About): ProbeNeed {
  if (messages === 0) return 'messages'
  if (!embedder || UNUSABLE.has(embedder.state)) return 'embedder'
  const collections = about.collections.filter(({ sample }) => about.samples || !sample)
  if (collections.length === 0)
    return about.collections.length === 0 ? 'collections' : 'only_samples'
  if (embedder.remote) return 'remote'
  if (!collections.some(isUsable))
    return collections.some(({ sample, state }) => sample && state !== 'other_embedder')
      ? 'samples'
      : 'unindexed'
  if (messages > AUTO_MOST) return 'many'
  return auto ? 'nothing' : 'asked'
}

/** The selected user message, else the last one before it; null before the first. */
export function messageAt(isMessage: (seq: number) => boolean, selected: number): number | null {
  for (let seq = selected; seq >= 0; seq--) if (isMessage(seq)) return seq
  return null
}
