import type { EventKind } from '../../schema/event-kind.ts'
import { draft, type Origin } from './drafts.ts'
import { asText, compact, entryOf, epoch, isList, own, textAt } from './guards.ts'
import type { ImportLog } from './import-log.ts'
import type { SessionWriter } from './session-writer.ts'
import { callEvent, resultEvent } from './tool-calls.ts'
import { typedAs, userTextEvents, type Fallback } from './user-text.ts'

/** The meaning of a message part. `words` are spoken by the message's speaker. */
export type Said =
  | { readonly as: 'words'; readonly text: string }
  | {
      readonly as: 'call'
      readonly name: string | null
      readonly id: string | null
      readonly text: string
    }
  | {
      readonly as: 'result'
      readonly name: string | null
      readonly id: string | null
      readonly text: string
      readonly isError: boolean
    }
  /** An event of this kind, independent of the speaker. */
  | {
      readonly as: 'event'
      readonly kind: EventKind
      readonly text: string
      readonly name: string | null
    }
  /** Read and deliberately not shown; counted under this name. */
  | { readonly as: 'skip'; readonly text: string }

/** The content of a part, or the name of its kind if that is unknown. */
export type PartReader = (part: unknown) => readonly Said[] | string

/** Everything except words: events independent of the speaker. */
export type SaidEvent = Exclude<Said, { as: 'words' }>

export type PartTable = Readonly<Record<string, (part: unknown) => readonly Said[]>>

export const words = (text: string | null): Said => ({ as: 'words', text: text ?? '' })
export const skip = (text: string): SaidEvent => ({ as: 'skip', text })
export const call = (name: string | null, id: string | null, args: unknown): SaidEvent => {
  return { as: 'call', name, id, text: compact(args) }
}
export const result = (
  name: string | null,
  id: string | null,
  text: string,
  isError = false,
): SaidEvent => ({ as: 'result', name, id, text, isError })
export const event = (kind: EventKind, text: string, name: string | null = null): SaidEvent => {
  return { as: 'event', kind, text, name }
}
export const thought = (text: string | null): SaidEvent => event('reasoning', text ?? '')

/** Reads parts by the name under one of their keys; a plain string is words. */
export function byName(table: PartTable, key = 'type'): PartReader {
  return (part) => {
    const plain = asText(part)
    if (plain !== null) return [words(plain)]
    const name = textAt(part, key)
    const row = name === null ? undefined : entryOf(table, name)
    return row === undefined ? (name ?? 'untyped') : row(part)
  }
}

/** The speaker, and the kind of a text under the user role if no rule matches it (I6). */
export interface Voice {
  readonly kind: EventKind
  readonly name?: string | null
  readonly fallback?: Fallback
}

/** The target of one record's events. */
export interface Place {
  readonly origin: Origin
  readonly writer: SessionWriter
  readonly log: ImportLog
}

/**
 * Events of a message, part by part. Consecutive words form one event; every other part is a separate event. A part of
 * unknown kind is reported as a problem with its place (I5).
 */
export function takeParts(
  parts: readonly unknown[],
  read: PartReader,
  voice: Voice,
  place: Place,
): void {
  const spoken: string[] = []
  const flush = (): void => speak(spoken.splice(0).join('\n'), voice, place)
  for (const part of parts) {
    const found = read(part)
    if (typeof found === 'string') {
      const message = `a part of a message whose kind is not known: ${found.slice(0, 60)}`
      place.log.unusable({ value: part, ref: place.origin.source }, message)
      continue
    }
    for (const said of found) {
      if (said.as === 'words') {
        if (said.text !== '') spoken.push(said.text)
      } else {
        flush()
        takeSaid(said, place)
      }
    }
  }
  flush()
}

/** Content as most formats write it: a list of parts, or one text. */
export function takeSpoken(content: unknown, read: PartReader, voice: Voice, place: Place): void {
  if (isList(content)) takeParts(content, read, voice, place)
  else speak(asText(content) ?? '', voice, place)
}

/** The words of a speaker as events; none if the text is blank. */
export function speak(text: string, { kind, name, fallback }: Voice, place: Place): void {
  const { writer, origin } = place
  if (text.trim() === '') return
  if (kind !== 'user') writer.push(draft(kind, text, origin, { name }))
  else for (const one of userTextEvents(text, origin, fallback ?? typedAs('user'))) writer.push(one)
}

/** The event of anything but words. Results were written by no model. */
export function takeSaid(said: SaidEvent, { writer, origin }: Place): void {
  if (said.as === 'skip') writer.skip(said.text)
  else if (said.as === 'call') writer.push(callEvent(said, origin, writer.calls))
  else if (said.as === 'result')
    writer.push(resultEvent(said, { ...origin, model: null }, writer.calls))
  else if (said.text.trim() !== '')
    writer.push(draft(said.kind, said.text, origin, { name: said.name }))
}

/** The first time that is written under one of these keys, in epoch milliseconds. */
export function timeAt(value: unknown, ...keys: readonly string[]): number | null {
  for (const key of keys) {
    const at = epoch(own(value, key))
    if (at !== null) return at
  }
  return null
}

/** Placeholder for bytes or a link: `[image image/png name]`. */
export function stub(what: string, ...facts: ReadonlyArray<string | null>): string {
  const shown = facts
    .filter((fact) => fact !== null && fact !== '')
    .map((fact) => fact?.slice(0, 200))
  return `[${[what, ...shown].join(' ')}]`
}
