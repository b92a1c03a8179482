import { draft, type EventDraft, type Origin } from '../shared/drafts.ts'
import { epoch, isList, listAt, own, textAt } from '../shared/guards.ts'
import type { ImportLog } from '../shared/import-log.ts'
import type { SessionWriter } from '../shared/session-writer.ts'
import type { RawRecord } from '../source.ts'
import { takeTau2Calls, takeTau2Result, wordsOf, type Taker } from './messages.ts'

/** A call in ticks: both sides speak simultaneously, in fractions of a second. */
export interface Speech {
  readonly take: (record: RawRecord) => void
  /** Events of utterances that are not finished yet. */
  readonly pending: () => readonly EventDraft[]
}

type Side = 'user' | 'assistant'

/** The speech of one side without a break. */
interface Utterance {
  /** More of it may follow. */
  open: boolean
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
 * [I24] Ticks of one side become one event while it speaks without a break. Speech without a text is `meta`, because
 * its content is unknown. Silent ticks are counted. [I119] Both sides may speak simultaneously. Events are ordered by
 * their beginning, so a later one waits for an earlier one that continues.
 */
export function createSpeech(writer: SessionWriter, log: ImportLog): Speech {
  const open = new Map<Side, Utterance>()
  const waiting: Array<Utterance | EventDraft> = []
  const taker: Taker = { calls: writer.calls, push: (event) => void waiting.push(event) }

  function close(side: Side): void {
    const utterance = open.get(side)
    open.delete(side)
    if (utterance !== undefined) utterance.open = false
  }

  /** Gives the session what nothing earlier holds up any more. */
  function release(): void {
    const held = waiting.findIndex((each) => 'open' in each && each.open)
    const free = waiting.splice(0, held < 0 ? waiting.length : held)
    for (const each of free) writer.push(shown(each))
  }

  /** Adds the chunk of one side: it is silent, begins an utterance, or continues one. */
  function hear(side: Side, chunk: unknown, origin: Origin): 'silent' | 'begins' | 'goes on' {
    const words = wordsOf(chunk)
    if (words === null && own(chunk, 'contains_speech') !== true) {
      close(side)
      return 'silent'
    }
    const known = open.get(side)
    const utterance = known ?? { open: true, side, origin, words: [], lastId: null, ticks: 0 }
    if (known === undefined) waiting.push(utterance)
    open.set(side, utterance)
    utterance.ticks += 1
    if (words !== null) addWords(utterance, words, own(chunk, 'utterance_ids'))
    return known === undefined ? 'begins' : 'goes on'
  }

  /** Calls, results and asides of one side of a tick; how many events they are. */
  function rest(tick: unknown, side: Side, prefix: string, origin: Origin): number {
    const before = waiting.length
    takeTau2Calls(listAt(tick, `${prefix}_tool_calls`), side, origin, taker)
    for (const one of listAt(tick, `${prefix}_tool_results`)) takeTau2Result(one, origin, taker)
    const effects = own(own(tick, `${prefix}_chunk`), 'source_effects')
    const insert = own(effects, 'speech_insert')
    const aside = textAt(insert, 'text')
    const name = textAt(insert, 'type') ?? 'speech_insert'
    if (aside !== null) waiting.push(draft('meta', aside, origin, { name }))
    return waiting.length - before
  }

  return {
    take({ value, ref }) {
      writer.reopen()
      const origin: Origin = { at: epoch(own(value, 'timestamp')), model: null, source: ref }
      let made = 0
      let heard = false
      for (const [side, prefix] of SIDES) {
        const text = hear(side, own(value, `${prefix}_chunk`), origin)
        heard ||= text !== 'silent'
        if (text === 'begins') made += 1
        if (listAt(value, `${prefix}_tool_calls`).length > 0) close(side)
      }
      for (const [side, prefix] of SIDES) made += rest(value, side, prefix, origin)
      release()
      if (made === 0) log.skip(heard ? 'tick of an utterance' : 'tick without speech')
    },
    pending: () => waiting.map(shown),
  }
}

/** Pieces of one utterance follow each other without a gap; another one begins after a blank. */
function addWords(utterance: Utterance, words: string, ids: unknown): void {
  const id = isList(ids) ? ids[0] : null
  const isNext = utterance.words.length > 0 && id !== utterance.lastId
  utterance.words.push(isNext ? ` ${words}` : words)
  utterance.lastId = id
}

function shown(waiting: Utterance | EventDraft): EventDraft {
  return 'open' in waiting ? eventOf(waiting) : waiting
}

function eventOf({ side, origin, words, ticks }: Utterance): EventDraft {
  if (words.length > 0) return draft(side === 'user' ? 'user' : 'agent', words.join(''), origin)
  const text = `[speech without text, ${ticks} ticks]`
  return draft('meta', text, origin, { name: `${side} speech` })
}
