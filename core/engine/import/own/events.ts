import type { EventKind } from '../../schema/event.ts'
import { isChatRole, speakerOf, takeChatMessage } from '../shared/chat-message.ts'
import { flatText, piecesOf } from '../shared/content-blocks.ts'
import { draft, type Origin } from '../shared/drafts.ts'
import { compact, entryOf, epoch, idText, isList, isObject } from '../shared/guards.ts'
import type { SessionWriter } from '../shared/session-writer.ts'
import { callEvent, resultEvent } from '../shared/tool-calls.ts'
import type { SourceRef } from '../../schema/event.ts'
import { foundBy, type CompiledMap, type EventRule, type Field } from './compile.ts'
import type { Budget, Places, Spot } from './values.ts'

/** What is told while records are mapped; a preview listens. */
export interface Listener {
  /** A value was used. */
  readonly taken?: (spot: Spot) => void
  /** A role that the table does not have. */
  readonly unknownRole?: (role: string) => void
}

/** One record, or one part of it, that is being mapped. */
export interface Part {
  readonly compiled: CompiledMap
  readonly rule: EventRule
  readonly places: Places
  readonly budget: Budget
  readonly ref: SourceRef
  readonly listener: Listener
}

/** The spots of a field, said to be taken. */
export function spotsOf(field: Field | null, part: Omit<Part, 'rule' | 'ref' | 'compiled'>) {
  if (field === null) return []
  const { spots } = foundBy(field, part.places, part.budget)
  for (const spot of spots) part.listener.taken?.(spot)
  return spots
}

/** All values of a field as one text; null where there is none. */
function textOf(field: Field | null, part: Part): string | null {
  const spots = spotsOf(field, part)
  if (spots.length === 0) return null
  const text = spots
    .map(({ value }) => textOfValue(value))
    .filter((each) => each !== '')
    .join('\n')
  part.budget.left -= text.length >> 6
  return text
}

function textOfValue(value: unknown): string {
  return isList(value) ? flatText(value) : compact(value)
}

function wordOf(field: Field | null, part: Part): string | null {
  return wordOfSpot(spotsOf(field, part)[0])
}

/** A name, an id or a role; also where it is a number or true. */
export function wordOfSpot(spot: Spot | undefined): string | null {
  const value = spot?.value
  return typeof value === 'boolean' ? String(value) : idText(value)
}

/** [I140] A time as ISO text or as a number, also one written as text. */
function timeOf(field: Field | null, part: Part): number | null {
  const value = spotsOf(field, part)[0]?.value
  if (typeof value !== 'string') return epoch(value)
  const number = value.trim() === '' ? Number.NaN : Number(value)
  return Number.isNaN(number) ? epoch(value) : epoch(number)
}

interface Speaking {
  readonly kind: EventKind | 'skip'
  readonly name: string | null
}

/**
 * [I140] What a role means: by the mapping's table, else as chat messages use the word, else the kind that
 * the mapping gives, else `meta` under the role's name, so that nothing is lost.
 */
function speakingOf(part: Part): Speaking | null {
  const { rule, compiled, listener } = part
  const role = wordOf(rule.role, part)
  const name = wordOf(rule.name, part)
  if (role === null) return rule.kind === undefined ? null : { kind: rule.kind, name }
  const mapped = entryOf(compiled.map.roles, role)
  if (mapped !== undefined) return { kind: mapped, name }
  if (isChatRole(role)) return { kind: speakerOf(null, role).kind, name }
  listener.unknownRole?.(role)
  if (rule.kind !== undefined) return { kind: rule.kind, name: name ?? role }
  return { kind: 'meta', name: name ?? role }
}

/**
 * [I140] The events of one record or part: what is said, then the call, then the result. Answers whether
 * the part was used: as events, or skipped because the mapping says so.
 */
export function takePart(part: Part, writer: SessionWriter): boolean {
  const { rule, ref } = part
  const speaking = speakingOf(part)
  if (speaking?.kind === 'skip') {
    const role = wordOf(rule.role, part)
    writer.skip(role === null ? 'skipped by the mapping' : `role ${role}`)
    return true
  }
  const before = writer.count()
  const origin: Origin = {
    at: timeOf(rule.time, part),
    model: wordOf(rule.model, part),
    source: ref,
  }
  const kind = speaking?.kind ?? null
  const tool = wordOf(rule.tool, part) ?? (isToolKind(kind) ? (speaking?.name ?? null) : null)
  const id = wordOf(rule.call, part)
  let args = textOf(rule.arguments, part)
  let result = textOf(rule.result, part)
  if (kind === 'tool_call') args ??= textOf(rule.text, part)
  else if (kind === 'tool_result') result ??= textOf(rule.text, part)
  else if (kind !== null) takeWords(kind, speaking?.name ?? null, origin, part, writer)
  const isCall = args !== null || kind === 'tool_call' || (tool !== null && result === null)
  if (isCall && (args !== null || tool !== null))
    writer.push(callEvent({ text: args ?? '', name: tool, id }, origin, writer.calls))
  if (result !== null) {
    const isError = spotsOf(rule.error, part).some(({ value }) => isFault(value))
    writer.push(resultEvent({ text: result, id, name: tool, isError }, origin, writer.calls))
  }
  return writer.count() > before
}

function isToolKind(kind: string | null): boolean {
  return kind === 'tool_call' || kind === 'tool_result'
}

function isFault(value: unknown): boolean {
  return value !== false && value !== null && value !== 0 && value !== '' && value !== undefined
}

/** Content as the APIs write it may hold calls and thoughts too; every other value is shown as it stands. */
function takeWords(
  kind: EventKind,
  name: string | null,
  origin: Origin,
  part: Part,
  writer: SessionWriter,
): void {
  const spots = spotsOf(part.rule.text, part)
  const [only] = spots
  if (spots.length === 1 && isContent(only?.value)) {
    takeChatMessage({ content: only?.value }, { kind, name }, origin, writer)
    return
  }
  const text = textOf(part.rule.text, part)
  if (text !== null && text !== '') writer.push(draft(kind, text, origin, { name }))
}

function isContent(value: unknown): boolean {
  if (!isList(value) && !isObject(value)) return false
  const pieces = piecesOf(value)
  return pieces.length > 0 && pieces.every((piece) => piece.kind !== 'unknown')
}
