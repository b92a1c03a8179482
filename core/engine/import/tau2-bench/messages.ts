import { isChatRole, speakerOf } from '../shared/chat-message.ts'
import { draft, type EventDraft, type Origin } from '../shared/drafts.ts'
import { compact, epoch, isList, listAt, own, textAt } from '../shared/guards.ts'
import type { ImportLog } from '../shared/import-log.ts'
import type { SessionWriter } from '../shared/session-writer.ts'
import { callEvent } from '../shared/tool-calls.ts'
import type { RawRecord } from '../source.ts'

/** Kilobytes that base64 stands for. */
function audioStub(base64: string): string {
  return `[audio ${Math.ceil((base64.length * 3) / 4 / 1000)} kB]`
}

/** What a message or chunk says: its text, the script of its audio, or a stub of the bytes. */
function wordsOf(message: unknown): string | null {
  const content = textAt(message, 'content')
  const script = textAt(message, 'audio_script_gold')
  if (own(message, 'is_audio') !== true) return content ?? script
  return script ?? (content === null ? null : audioStub(content))
}

/** Events of a message; one with several tool messages in it has a result each. */
export function takeTau2Message(
  message: unknown,
  from: Origin,
  writer: SessionWriter,
  log: ImportLog,
): void {
  const several = own(message, 'tool_messages')
  if (isList(several)) {
    for (const one of several) takeTau2Result(one, from, writer)
    return
  }
  const role = textAt(message, 'role') ?? 'untyped'
  const raw = own(message, 'raw_data')
  const at = epoch(own(message, 'timestamp'))
  const model = role === 'assistant' ? textAt(raw, 'model') : null
  const origin: Origin = { at: at ?? from.at, model, source: from.source }
  if (role === 'tool') {
    takeTau2Result(message, origin, writer)
    return
  }
  const words = wordsOf(message)
  const { kind, name } = isChatRole(role)
    ? speakerOf(message, role)
    : { kind: 'meta' as const, name: role }
  if (words !== null) writer.push(draft(kind, words, origin, { name }))
  takeTau2Calls(listAt(message, 'tool_calls'), role, origin, writer)
  if (
    own(message, 'context_truncation') !== undefined &&
    own(message, 'context_truncation') !== null
  )
    log.skip('context_truncation')
}

/** [I24] The person has tools too: their names begin with `user/`. */
function takeTau2Calls(
  calls: readonly unknown[],
  role: string,
  origin: Origin,
  writer: SessionWriter,
): void {
  for (const call of calls) {
    const requestor = textAt(call, 'requestor') ?? role
    const tool = textAt(call, 'name') ?? textAt(own(call, 'function'), 'name') ?? '?'
    const name = requestor === 'user' ? `user/${tool}` : tool
    const args = own(call, 'arguments') ?? own(own(call, 'function'), 'arguments')
    const made = { text: compact(args), name, id: textAt(call, 'id') }
    writer.push(callEvent(made, origin, writer.calls))
  }
}

function takeTau2Result(message: unknown, origin: Origin, writer: SessionWriter): void {
  const callId = textAt(message, 'id', 'tool_call_id')
  const name = writer.calls.get(callId ?? '') ?? textAt(message, 'name')
  const isError = own(message, 'error') === true
  const at = epoch(own(message, 'timestamp')) ?? origin.at
  const text = compact(own(message, 'content'))
  writer.push(draft('tool_result', text, { ...origin, at, model: null }, { name, callId, isError }))
}

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
export function createSpeech(writer: SessionWriter, log: ImportLog): Speech {
  const open = new Map<Side, Utterance>()

  function close(side: Side): void {
    const utterance = open.get(side)
    open.delete(side)
    if (utterance !== undefined) writer.push(eventOf(utterance))
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
    const before = writer.count()
    takeTau2Calls(listAt(tick, `${prefix}_tool_calls`), side, origin, writer)
    for (const one of listAt(tick, `${prefix}_tool_results`)) takeTau2Result(one, origin, writer)
    const effects = own(own(tick, `${prefix}_chunk`), 'source_effects')
    const insert = own(effects, 'speech_insert')
    const aside = textAt(insert, 'text')
    const name = textAt(insert, 'type') ?? 'speech_insert'
    if (aside !== null) writer.push(draft('meta', aside, origin, { name }))
    return writer.count() - before
  }

  return {
    take({ value, ref }) {
      writer.reopen()
      const origin: Origin = { at: epoch(own(value, 'timestamp')), model: null, source: ref }
      let [made, heard] = [0, false]
      for (const [side, prefix] of SIDES) {
        const text = hear(side, own(value, `${prefix}_chunk`), origin)
        heard ||= text !== 'silent'
        if (text === 'begins') made += 1
        if (listAt(value, `${prefix}_tool_calls`).length > 0) close(side)
      }
      for (const [side, prefix] of SIDES) made += rest(value, side, prefix, origin)
      if (made === 0) log.skip(heard ? 'tick of an utterance' : 'tick without speech')
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
  const text = `[speech without text, ${ticks} ticks]`
  return draft('meta', text, origin, { name: `${side} speech` })
}
