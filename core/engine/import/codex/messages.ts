import { piecesOf, type Piece } from '../shared/content-blocks.ts'
import type { Side } from '../shared/copies.ts'
import { asText, isList, listAt, own, textAt } from '../shared/guards.ts'
import {
  partsOfUserText,
  ruleFor,
  typedAs,
  type Fallback,
  type TextPart,
} from '../shared/user-text.ts'
import { momentOf, pushText, spokenKind, type CodexReading } from './reading.ts'

/** The IDE extension puts its notes and the request into one text. */
const IDE_NOTES = '# Context from my IDE setup:'
const IDE_REQUEST = /^## My request for Codex:[ \t]*\r?\n?/m

/** [I174] Kinds of content that the user typed. */
const TYPED_KINDS: ReadonlySet<string> = new Set([
  'user',
  'user_message',
  'user_input',
  'user_prompt',
  'user_text',
  'prompt',
])

/**
 * [I174] Returns the kind that the record states for one part of its content. Without a stated kind, the rules for the
 * text apply.
 */
function fallbackFor(kind: string | null, reading: CodexReading): Fallback {
  const fallback = typedAs(spokenKind(reading))
  if (kind === null) return fallback
  if (TYPED_KINDS.has(kind)) return { ...fallback, isTyped: true }
  return { kind: 'injected', rule: kind, always: true }
}

/** The parts of a text of the user's role; IDE notes before the request are split off. */
function partsOf(
  text: string,
  reading: CodexReading,
  fallback: Fallback = typedAs(spokenKind(reading)),
): readonly TextPart[] {
  const request = text.startsWith(IDE_NOTES) ? IDE_REQUEST.exec(text) : null
  if (request === null) return partsOfUserText(text, fallback)
  const notes = text.slice(0, request.index).trimEnd()
  const rest = text.slice(request.index + request[0].length)
  return [
    { kind: 'injected', text: notes, rule: 'ide-context' },
    ...partsOfUserText(rest, fallback),
  ]
}

/** [I11] A message of the model's context. */
export function takeMessage(item: unknown, reading: CodexReading): void {
  const role = textAt(item, 'role') ?? 'unknown'
  const pieces = piecesOf(own(item, 'content') ?? own(item, 'message'))
  countUnknown(pieces, reading)
  if (pieces.length === 0) reading.log.skip(`message of ${role} without content`)
  else if (role === 'user')
    takeUserItem(pieces, listAt(item, 'content_item_kinds').map(asText), reading)
  else if (role === 'assistant') takeAnswer(pieces, reading)
  else takePrompts(role, pieces, reading)
}

/** An image without a place. */
const NOTHING = new Set(['', '[image ]'])

function textsOf(pieces: readonly Piece[], stubs = true): readonly string[] {
  return pieces.flatMap((piece) =>
    (piece.kind === 'text' || (stubs && piece.kind === 'stub')) && !NOTHING.has(piece.text)
      ? [piece.text]
      : [],
  )
}

/** Texts and stubs of an item's content as one text; parts of other types are counted. */
export function textOfContent(content: unknown, reading: CodexReading): string {
  const pieces = piecesOf(content)
  countUnknown(pieces, reading)
  return textsOf(pieces).join('\n')
}

function countUnknown(pieces: readonly Piece[], reading: CodexReading): void {
  for (const piece of pieces) {
    if (piece.kind === 'unknown') reading.log.skip(`part/${piece.type}`)
  }
}

function takeAnswer(pieces: readonly Piece[], reading: CodexReading): void {
  const text = textsOf(pieces, false).join('\n')
  takeSpoken('item', text, reading, textsOf(pieces).join('\n'))
}

/** System and developer prompts. Each part is classified separately. */
function takePrompts(role: string, pieces: readonly Piece[], reading: CodexReading): void {
  const known = role === 'system' || role === 'developer'
  for (const text of textsOf(pieces)) {
    const rule = ruleFor(text)
    if (rule !== null) pushText(reading, rule.kind, text, rule.rule)
    else pushText(reading, known ? 'system' : 'meta', text, known ? null : role)
  }
}

function takeUserItem(
  pieces: readonly Piece[],
  kinds: ReadonlyArray<string | null>,
  reading: CodexReading,
): void {
  const kind = spokenKind(reading)
  const typed: string[] = []
  const stubs: string[] = []
  const notes: TextPart[] = []
  const held: TextPart[] = []
  for (const [at, piece] of pieces.entries()) {
    if (piece.kind === 'stub' && !NOTHING.has(piece.text)) stubs.push(piece.text)
    if (piece.kind !== 'text') continue
    const parts = partsOf(piece.text, reading, fallbackFor(kinds[at] ?? null, reading))
    const spoken = parts.filter((part) => part.kind === kind)
    typed.push(...spoken.map((part) => part.text))
    // Notes beside a typed text come with its other copy too.
    const list = spoken.length > 0 ? held : notes
    list.push(...parts.filter((part) => part.kind !== kind))
  }
  const before = momentOf(reading)
  for (const note of notes) pushText(reading, note.kind, note.text, note.rule)
  const text = typed.join('\n')
  if (text === '' && (stubs.length === 0 || notes.length > 0)) return
  const other = reading.typed.take('item', text, before)
  if (other !== undefined) {
    reading.log.skip('response_item/message of user (copy)')
    return
  }
  for (const note of held) pushText(reading, note.kind, note.text, note.rule)
  const whole = [...typed, ...stubs].join('\n')
  const entry = { index: pushText(reading, kind, whole), typed: false }
  reading.unnamed.push(entry)
  reading.typed.wait('item', text, entry, momentOf(reading))
}

/** Older events that repeat text injected by the harness. */
const NOT_TYPED = new Set(['environment_context', 'user_instructions'])

/** [I11] `event_msg/user_message`: text that the user typed. */
export function takeTyped(payload: unknown, reading: CodexReading): void {
  const message = own(payload, 'message')
  if (typeof message !== 'string' || NOT_TYPED.has(textAt(payload, 'kind') ?? '')) {
    reading.log.skip('event_msg/user_message')
    return
  }
  takeTypedText('event', message, imagesOf(payload), reading)
}

/** [I174] `item_completed` of a `UserMessage`: what newer versions write of a typed text, some beside `user_message`. */
export function takeUserMessage(item: unknown, reading: CodexReading): void {
  const pieces = piecesOf(listAt(item, 'content').map(imageAsItem))
  countUnknown(pieces, reading)
  const texts = pieces.flatMap((piece) => (piece.kind === 'text' ? [piece.text] : []))
  const stubs = pieces.flatMap((piece) => (piece.kind === 'stub' ? [piece.text] : []))
  const shown = stubs.filter((stub) => !NOTHING.has(stub))
  takeTypedText('item', texts.join('\n'), shown, reading)
}

/**
 * Takes text that the user typed, from an event.
 * @param side which of the two kinds of events holds it
 */
function takeTypedText(
  side: Side,
  message: string,
  images: readonly string[],
  reading: CodexReading,
): void {
  const what = side === 'event' ? 'event_msg/user_message' : 'event_msg/item_completed/UserMessage'
  reading.names = true
  if (reading.told.take(side, message) === true) {
    reading.log.skip(`${what} (copy)`)
    return
  }
  reading.told.wait(side, message, true)
  const parts = partsOf(message, reading)
  const kind = spokenKind(reading)
  const spoken = parts.filter((part) => part.kind === kind)
  const text = spoken.map((part) => part.text).join('\n')
  const other = reading.typed.take('event', text, momentOf(reading))
  if (other !== undefined) {
    if (other !== null) other.typed = true
    reading.log.skip(`${what} (copy)`)
    return
  }
  for (const part of parts) {
    if (part.kind !== kind) pushText(reading, part.kind, part.text, part.rule)
  }
  const whole = [...(text === '' ? [] : [text]), ...images].join('\n')
  if (whole !== '') pushText(reading, kind, whole)
  reading.typed.wait('event', text, null, momentOf(reading))
}

/** The same image as a part of an item: both copies then have one placeholder. */
function imageAsItem(part: unknown): unknown {
  const type = own(part, 'type')
  if (type !== 'image' && type !== 'local_image' && type !== 'localImage') return part
  return {
    type: 'input_image',
    image_url: own(part, 'image_url') ?? own(part, 'url') ?? own(part, 'path'),
  }
}

function imagesOf(payload: unknown): readonly string[] {
  const stubs = (key: string): readonly string[] => {
    const list = own(payload, key)
    if (!isList(list)) return []
    const images = list.map((url) => ({ type: 'input_image', image_url: url }))
    return textsOf(piecesOf(images))
  }
  return [...stubs('images'), ...stubs('local_images')]
}

/** [I11] A text of the agent, from either place; `whole` includes the placeholders of its images. */
export function takeSpoken(side: Side, text: string, reading: CodexReading, whole = text): void {
  const what = side === 'event' ? 'event_msg/agent_message' : 'response_item/message of assistant'
  if (whole === '') reading.log.skip(`${what} without text`)
  else if (reading.spoken.take(side, text, momentOf(reading)) === true)
    reading.log.skip(`${what} (copy)`)
  else {
    pushText(reading, 'agent', whole)
    reading.spoken.wait(side, text, true, momentOf(reading))
  }
}

/** [I11] A thought, from either place. */
export function takeThought(side: Side, text: string, reading: CodexReading): void {
  const what = side === 'event' ? 'event_msg/agent_reasoning' : 'response_item/reasoning'
  if (text === '') reading.log.skip(`${what} without text`)
  else if (reading.thought.take(side, text, momentOf(reading)) === true)
    reading.log.skip(`${what} (copy)`)
  else {
    pushText(reading, 'reasoning', text)
    reading.thought.wait(side, text, true, momentOf(reading))
  }
}
