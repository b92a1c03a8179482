import { useEffect } from 'react'
import type { CorpusFlip } from '../../../core/engine/schema/lab.ts'
import type { FlipText } from '../../../core/wire/compare.ts'
import { valueOf } from '../../app/async-data.ts'
import type { WireCompared } from '../../app/compared.ts'
import { host } from '../../app/host.ts'
import { featureStore } from '../../app/query.ts'
import { selectSeq, selectTurn } from '../../app/select.ts'
import { createDelay } from '../../app/timing.ts'
import { sessionAddress } from '../../app/wire.ts'
import { jumpTo } from '../lab/corpus.ts'
import { type WireSide, lab } from '../lab/store.ts'

type Place = Pick<CorpusFlip, 'session' | 'turn'>

/** The source of a list of flips: it provides their texts and opens their turns. */
export interface FlipSource {
  /** Of several sessions, which their titles tell apart. */
  readonly isCorpus: boolean
  /** Equal keys have equal texts. */
  readonly key: string
  readonly load: (flips: readonly CorpusFlip[]) => Promise<ReadonlyArray<[string, FlipText]>>
  readonly show: (place: Place & { readonly seq?: number }) => void
}

/** Names a flip in a list. */
export function flipKey({ session, turn }: Place): string {
  return `${session}:${turn}`
}

/** Flips of the session in view. */
export function sessionSource(
  config: Exclude<WireCompared, { readonly kind: 'observed' }>,
  compare: WireCompared,
  of: string,
): FlipSource | null {
  const address = sessionAddress()
  if (!address) return null
  return {
    isCorpus: false,
    key: JSON.stringify([address, config, compare, of]),
    load: async (flips) => {
      const seqs = flips.map(({ seq }) => seq)
      const asked = { ...address, config, compare, seqs }
      const { texts } = await host().call('session.flipTexts', asked)
      const bySeq = new Map(texts.map((text) => [text.seq, text]))
      return flips.flatMap((flip) => {
        const text = bySeq.get(flip.seq)
        return text ? [[flipKey(flip), text]] : []
      })
    },
    show: ({ turn, seq }) => (seq === undefined ? selectTurn(turn) : selectSeq(seq)),
  }
}

/** Flips of a corpus. */
export function corpusSource(
  corpus: string,
  base: WireSide,
  side: WireSide,
  of: string,
): FlipSource {
  return {
    isCorpus: true,
    key: JSON.stringify([corpus, base, side, of]),
    load: async (flips) => {
      const places = flips.map(({ session, turn }) => ({ session, turn }))
      const { texts } = await host().call('lab.flipTexts', { corpus, base, side, places })
      return texts.map((text) => [flipKey(text), text])
    },
    show: (place) => {
      const head = valueOf(lab.getState().corpus)?.sessions[place.session]
      if (head) jumpTo(head, place)
    },
  }
}

interface Texts {
  /** Key of the source of these texts. */
  readonly of: string
  readonly texts: ReadonlyMap<string, FlipText>
}

const { store, use, patch } = featureStore<Texts>({ of: '', texts: new Map() })

/** Rows that come into view within this time, in ms, share one request. */
const TOGETHER_MS = 40
const MOST_AT_ONCE = 200
const due = createDelay()
const wanted = new Map<string, CorpusFlip>()

/** [T76] The text of a flip in view; null while it is fetched. */
export function useFlipText(source: FlipSource, flip: CorpusFlip): FlipText | null {
  const key = flipKey(flip)
  const text = use(({ of, texts }) => (of === source.key ? (texts.get(key) ?? null) : null))
  useEffect(() => {
    if (text === null) want(source, flip)
  }, [source, flip, text])
  return text
}

function want(source: FlipSource, flip: CorpusFlip): void {
  if (store.getState().of !== source.key) {
    wanted.clear()
    patch({ of: source.key, texts: new Map() })
  }
  wanted.set(flipKey(flip), flip)
  due.unlessDue(() => void fetchWanted(source), TOGETHER_MS)
}

async function fetchWanted(source: FlipSource): Promise<void> {
  const flips = [...wanted.values()].slice(0, MOST_AT_ONCE)
  wanted.clear()
  // A text that cannot be fetched leaves its row as it is: the turn itself is a click away.
  const found = await source.load(flips).catch(() => [])
  const { of, texts } = store.getState()
  if (of === source.key) patch({ texts: new Map([...texts, ...found]) })
}
