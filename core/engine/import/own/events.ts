import type { SourceRef } from '../../schema/event.ts'
import type { EventKind } from '../../schema/event-kind.ts'
import { isChatRole, speakerOf, takeChatMessage } from '../shared/chat-message.ts'
import { flatText, piecesOf } from '../shared/content-blocks.ts'
import { draft, type Origin } from '../shared/drafts.ts'
import { compact, entryOf, epoch, idText, isList, isObject, numberIn } from '../shared/guards.ts'
import type { SessionWriter } from '../shared/session-writer.ts'
import { callEvent, resultEvent } from '../shared/tool-calls.ts'
import { foundBy, type CompiledMap, type EventRule, type Field } from './compile.ts'
import type { Budget, Places, Spot } from './values.ts'

/** Callbacks during the mapping of records, used by a preview. */
export interface Listener {
  /** A value was used. */
  readonly taken?: (spot: Spot) => void
  /** A role that the table does not have. */
  readonly unknownRole?: (role: string) => void
}

/** One record, or one part of it, during its mapping. */
export interface Part {
  readonly compiled: CompiledMap
  readonly rule: EventRule
  readonly places: Places
  readonly budget: Budget
  readonly ref: SourceRef
  readonly listener: Listener
}

/** The spots of a field, said to be taken. */
export function spotsOf(
  field: Field | null,
  part: Pick<Part, 'places' | 'budget' | 'listener'>,
): readonly Spot[] {
  if (field === null) return []
  const { spots } = foundBy(field, part.places, part.budget)
  for (const spot of spots) part.listener.taken?.(spot)
  return spots
}

/** All values of a field as one text; null if it has none. */
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

/** A name, an id or a role. Also accepts a number or a boolean. */
export function wordOfSpot(spot: Spot | undefined): string | null {
  const value = spot?.value
  return typeof value === 'boolean' ? String(value) : idText(value)
}

/** [I140] A time as ISO text or as a number, also one written as text. */
function timeOf(field: Field | null, part: Part): number | null {
  const value = spotsOf(field, part)[0]?.value
  if (typeof value !== 'string') return epoch(value)
  const number = numberIn(value)
  return Number.isNaN(number) ? epoch(value) : epoch(number)
}

interface Speaking {
  readonly kind: EventKind | 'skip'
  readonly name: string | null
}

/**
 * [I140] The meaning of a role: by the mapping's table, else as chat messages use the word, else the kind that the
 * mapping gives. Otherwise `meta` under the role's name, so that nothing is lost.
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
 * [I140] Adds the events of one record or part: the text, then the call, then the result. Returns whether the part was
 * used, either as events or because the mapping skips it.
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
  const model = wordOf(rule.model, part)
  const origin: Origin = { at: timeOf(rule.time, part), model, source: ref }
  const taking: Taking = { part, writer, origin }
  if (speaking?.kind === 'tool_call' || speaking?.kind === 'tool_result')
    takeTool(taking, { kind: speaking.kind, name: speaking.name })
  else {
    if (speaking !== null) takeWords(taking, { kind: speaking.kind, name: speaking.name })
    takeTool(taking, { kind: null, name: null })
  }
  return writer.count() > before
}

interface Taking {
  readonly part: Part
  readonly writer: SessionWriter
  readonly origin: Origin
}

interface ToolRole {
  /** The tool kind of the record by its role, if any. Its text is then the call's arguments, or the result. */
  readonly kind: 'tool_call' | 'tool_result' | null
  readonly name: string | null
}

/** Adds a call if there is a tool or arguments, and a result if there is one. */
function takeTool({ part, writer, origin }: Taking, { kind, name }: ToolRole): void {
  const { rule } = part
  const textFor = (wanted: ToolRole['kind']) => (kind === wanted ? textOf(rule.text, part) : null)
  const args = textOf(rule.arguments, part) ?? textFor('tool_call')
  const result = textOf(rule.result, part) ?? textFor('tool_result')
  const tool = wordOf(rule.tool, part) ?? name
  const id = wordOf(rule.call, part)
  const isNamed = tool !== null && kind !== 'tool_result'
  const isCall = args !== null || (isNamed && (kind === 'tool_call' || result === null))
  if (isCall) writer.push(callEvent({ text: args ?? '', name: tool, id }, origin, writer.calls))
  if (result === null) return
  const isError = spotsOf(rule.error, part).some(({ value }) => isFault(value))
  writer.push(resultEvent({ text: result, id, name: tool, isError }, origin, writer.calls))
}

/** Returns true if the value reports an error. */
function isFault(value: unknown): boolean {
  return ![false, null, undefined, 0, ''].some((fine) => fine === value)
}

interface Said {
  readonly kind: EventKind
  readonly name: string | null
}

/** Content in the form of the APIs may also hold calls and thoughts. Every other value is shown unchanged. */
function takeWords({ part, writer, origin }: Taking, said: Said): void {
  const spots = spotsOf(part.rule.text, part)
  const [only] = spots
  if (spots.length === 1 && isContent(only?.value)) {
    takeChatMessage({ content: only?.value }, said, origin, writer)
    return
  }
  const text = textOf(part.rule.text, part)
  if (text !== null && text !== '') writer.push(draft(said.kind, text, origin, { name: said.name }))
}

function isContent(value: unknown): boolean {
  if (!isList(value) && !isObject(value)) return false
  const pieces = piecesOf(value)
  return pieces.length > 0 && pieces.every((piece) => piece.kind !== 'unknown')
}
