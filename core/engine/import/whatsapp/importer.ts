import type { EventKind } from '../../schema/event-kind.ts'
import type { Head } from '../head.ts'
import { draft, sessionDraft, type EventDraft } from '../shared/drafts.ts'
import {
  beginsAsJson,
  createBlocks,
  firstTextLines,
  asTyped,
  textOf,
  type Block,
} from '../shared/line-blocks.ts'
import { isModelName } from '../shared/speakers.ts'
import type { Importer, RawRecord, Reader } from '../source.ts'

/**
 * `[23/06/2018, 01:55:10] Name: text` and `23/06/2018, 01:55 p.m. - Name: text`, with day and month in either order.
 */
const LINE =
  /^[\u200e\u200f\u202a\ufeff]*\[?(\d{1,4})[./-](\d{1,2})[./-](\d{2,4}),? (\d{1,2})[:.](\d\d)(?:[:.](\d\d))?(?:[ \u00a0\u202f]?([ap])\.?[ \u00a0\u202f]?m\.?)?(?:\]| -|:)[ \u00a0]/i
const NAME = /^[\u200e\u200f\u202a]*([^:\n]{1,80}): ?/
const MARK = /^[\u200e\u200f\u202a]+/
const BOT = /^(meta ai|chatgpt|assistant|ai assistant|claude|gemini|copilot|.{0,40}\bbot)$/i
/** At most this many lines are kept until a number above 12 shows which number is the day. */
const MAX_WAITING = 5_000

type DateOrder = 'day-first' | 'month-first' | 'year-first'

interface Tag {
  readonly at: number | null
}

/** [I44] Messages with a date before each, as WhatsApp exports them. */
function detect(head: Head): boolean {
  if (beginsAsJson(head.text)) return false
  const lines = firstTextLines(head.text, 40)
  if (!LINE.test(lines[0] ?? '')) return false
  const named = lines.filter((line) => {
    const match = LINE.exec(line)
    return match !== null && NAME.test(line.slice(match[0].length))
  })
  return named.length >= 2
}

/** The order of the date of one line; null when both orders are possible. */
function orderOf(match: RegExpExecArray): DateOrder | null {
  const [, first = '', second = ''] = match
  if (first.length === 4) return 'year-first'
  if (Number(first) > 12) return 'day-first'
  return Number(second) > 12 ? 'month-first' : null
}

function timeOf(match: RegExpExecArray, order: DateOrder): number | null {
  const [, a, b, c, hours, minutes, seconds, half] = match
  const first = Number(a)
  const second = Number(b)
  const third = Number(c)
  const long = third < 100 ? 2000 + third : third
  const [year, month, day] =
    order === 'year-first'
      ? [first, second, third]
      : [long, order === 'day-first' ? second : first, order === 'day-first' ? first : second]
  const base = Number(hours) % (half === undefined ? 24 : 12)
  const hour = half?.toLowerCase() === 'p' ? base + 12 : base
  const at = Date.UTC(year, month - 1, day, hour, Number(minutes), Number(seconds ?? 0))
  return month >= 1 && month <= 12 && day >= 1 && day <= 31 ? at : null
}

function read(): Reader {
  const session = sessionDraft('chat')
  const blocks = createBlocks<Tag>(eventsOf)
  let order: DateOrder | null = null
  let waiting: RawRecord[] = []
  let shown = false

  function put(record: RawRecord, known: DateOrder): void {
    const match = LINE.exec(textOf(record).slice(0, 200))
    if (match !== null) blocks.open(session, { at: timeOf(match, known) }, record)
    else if (!blocks.add(record)) blocks.open(session, { at: null }, record)
  }

  function release(known: DateOrder): void {
    for (const record of waiting) put(record, known)
  }

  /** Removes the events that were made of waiting lines for a snapshot. */
  function takeBack(): void {
    if (!shown) return
    blocks.discard()
    session.events.length = 0
    shown = false
  }

  return {
    take(record) {
      takeBack()
      if (order !== null) {
        put(record, order)
        return
      }
      waiting.push(record)
      const match = LINE.exec(textOf(record).slice(0, 200))
      order = match === null ? null : orderOf(match)
      if (order === null && waiting.length > MAX_WAITING) order = 'day-first'
      if (order === null) return
      release(order)
      waiting = []
    },
    drafts: () => [session],
    tidy() {
      if (order === null && !shown) {
        // The order is not known yet; day first is the most common order.
        release('day-first')
        shown = true
      }
      blocks.show()
    },
  }
}

function eventsOf(block: Block<Tag>): readonly EventDraft[] {
  const origin = { at: block.tag.at, model: null, source: block.source }
  const all = asTyped(block.lines)
  const stamp = LINE.exec(all)
  const text = (stamp === null ? all : all.slice(stamp[0].length)).replace(MARK, '')
  const name = stamp === null ? null : NAME.exec(text)
  if (name === null) {
    // Lines without a name are the program's: who joined, that messages are encrypted.
    return [draft('notification', text, origin, { name: 'chat notice' })]
  }
  const speaker = name[1] ?? ''
  const kind: EventKind = BOT.test(speaker) || isModelName(speaker) ? 'agent' : 'user'
  return partsOf(text.slice(name[0].length)).map((part) =>
    part.isNotice
      ? draft('notification', `${speaker}: ${part.text}`, origin, { name: 'chat notice' })
      : draft(kind, part.text, origin, { name: speaker }),
  )
}

/** iOS writes this mark before what WhatsApp itself says. */
const NOTICE_MARK = '\u200e'
/** Android's replacement for a message, in any language: `<Media omitted>`. Markup contains other characters. */
const PLACEHOLDER = /^<[\p{L} ,.'’]{3,60}>$/u
const ANDROID = new Set([
  'This message was deleted',
  'You deleted this message',
  'Missed voice call',
  'Missed video call',
  'Waiting for this message',
  'null',
])
/** Behind a typed text: `<This message was edited>`, `<attached: a.jpg>`. */
const BEHIND = /\s*(?:\u200e<[^<>\n]{1,200}>|<This message was edited>)\s*$/

interface Part {
  readonly text: string
  readonly isNotice: boolean
}

/** [I179] Splits a text into typed parts and notices of WhatsApp, in order. */
function partsOf(text: string): readonly Part[] {
  const whole = text.trim()
  if (PLACEHOLDER.test(whole) || ANDROID.has(whole)) return [{ text: whole, isNotice: true }]
  const parts: Part[] = []
  const typed: string[] = []
  const flush = (): void => {
    const said = asTyped(typed.splice(0))
    if (said.trim() !== '') parts.push({ text: said, isNotice: false })
  }
  for (const line of text.split('\n')) {
    if (line.startsWith(NOTICE_MARK)) {
      flush()
      parts.push({ text: line.slice(NOTICE_MARK.length).trim(), isNotice: true })
      continue
    }
    const behind = line.includes('<') ? BEHIND.exec(line.slice(-400)) : null
    if (behind === null) typed.push(line)
    else {
      typed.push(line.slice(0, line.length - behind[0].length))
      flush()
      parts.push({ text: behind[0].trim().replace(MARK, ''), isNotice: true })
    }
  }
  flush()
  return parts
}

export const whatsapp: Importer = {
  name: 'whatsapp',
  label: 'WhatsApp chat export',
  detect,
  split: () => ({ by: 'lines' }),
  read,
}
