import { draft, type EventDraft, type Origin } from './drafts.ts'
import { epoch, isList, own, text } from './guards.ts'
import type { Ledger } from './ledger.ts'
import type { RawRecord } from './source.ts'
import type { Talk } from './talks.ts'
import { takeTau2Calls, takeTau2Result, wordsOf } from './tau2-messages.ts'

/** A call in ticks: both sides speak at once, a fraction of a second each. */
export interface Speech {
  readonly take: (record: RawRecord) => void
  /** Events of what is being said when the ticks end here. */
  readonly pending: () => readonly EventDraft[]
}

type Side = 'user' | 'assistant'

/** What one side says without a break. */
interface Utterance {
  readonly side: Side
  readonly origin: Origin
  readonly words: string[]
  lastId: unknown
  ticks: number
}

const SIDES: ReadonlyArray<readonly [side: Side, prefix: string]> = [
  ['assistant', 'agent'],
  ['user', 'user'],
]

/**
 * [I24] Ticks of one side become one event while it speaks without a break. Speech without a text is
 * `meta`: nobody can read it, so nothing may be made of it. Silent ticks are counted.
 */
export function createSpeech(talk: Talk, ledger: Ledger): Speech {
  const open = new Map<Side, Utterance>()

  function close(side: Side): void {
    const utterance = open.get(side)
    open.delete(side)
    if (utterance !== undefined) talk.push(eventOf(utterance))
  }

  /** What became of a side's chunk: nothing was said, something began, or it goes on. */
  function hear(side: Side, chunk: unknown, origin: Origin): 'silent' | 'begins' | 'goes on' {
    const words = wordsOf(chunk)
    if (words === null && own(chunk, 'contains_speech') !== true) {
      close(side)
      return 'silent'
    }
    const known = open.get(side)
    const utterance = known ?? { side, origin, words: [], lastId: null, ticks: 0 }
    open.set(side, utterance)
    utterance.ticks += 1
    if (words !== null) addWords(utterance, words, own(chunk, 'utterance_ids'))
    return known === undefined ? 'begins' : 'goes on'
  }

  /** Calls, results and asides of one side of a tick; how many events they are. */
  function rest(tick: unknown, side: Side, prefix: string, origin: Origin): number {
    const before = talk.said()
    takeTau2Calls(own(tick, `${prefix}_tool_calls`), side, origin, talk)
    const results = own(tick, `${prefix}_tool_results`)
    if (isList(results)) for (const one of results) takeTau2Result(one, origin, talk)
    const effects = own(own(tick, `${prefix}_chunk`), 'source_effects')
    const insert = own(effects, 'speech_insert')
    const aside = text(own(insert, 'text'))
    const name = text(own(insert, 'type')) ?? 'speech_insert'
    if (aside !== null) talk.push(draft('meta', aside, origin, { name }))
    return talk.said() - before
  }

  return {
    take({ value, ref }) {
      talk.reopen()
      const origin: Origin = { at: epoch(own(value, 'timestamp')), model: null, source: ref }
      let [made, heard] = [0, false]
      for (const [side, prefix] of SIDES) {
        const said = hear(side, own(value, `${prefix}_chunk`), origin)
        heard ||= said !== 'silent'
        if (said === 'begins') made += 1
        const calls = own(value, `${prefix}_tool_calls`)
        if (isList(calls) && calls.length > 0) close(side)
      }
      for (const [side, prefix] of SIDES) made += rest(value, side, prefix, origin)
      if (made === 0) ledger.skip(heard ? 'tick of an utterance' : 'tick without speech')
    },
    pending: () => [...open.values()].map(eventOf),
  }
}

/** Pieces of one utterance follow each other without a gap; another one begins after a blank. */
function addWords(utterance: Utterance, words: string, ids: unknown): void {
  const id = isList(ids) ? ids[0] : null
  const isNext = utterance.words.length > 0 && id !== utterance.lastId
  utterance.words.push(isNext ? ` ${words}` : words)
  utterance.lastId = id
}

function eventOf({ side, origin, words, ticks }: Utterance): EventDraft {
  if (words.length > 0) return draft(side === 'user' ? 'user' : 'agent', words.join(''), origin)
  const said = `[speech without text, ${ticks} ticks]`
  return draft('meta', said, origin, { name: `${side} speech` })
}
