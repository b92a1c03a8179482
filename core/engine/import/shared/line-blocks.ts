import type { SourceRef } from '../../schema/event.ts'
import type { RawRecord } from '../source.ts'
import type { EventDraft, SessionDraft } from './drafts.ts'

/** Consecutive lines of a text that become one event or a few. */
export interface Block<Tag> {
  readonly session: SessionDraft
  readonly tag: Tag
  /** Without blank lines at either end. */
  readonly lines: readonly string[]
  /** Bytes from the first of the lines to the last. */
  readonly source: SourceRef
}

/** Collects lines into blocks and blocks into events. `show` makes events of the open block as well. */
export interface Blocks<Tag> {
  /** Closes the open block and begins one with this line. */
  readonly open: (session: SessionDraft, tag: Tag, line: RawRecord) => void
  /** Adds a line to the open block; false if no block is open. */
  readonly add: (line: RawRecord) => boolean
  /** Changes the tag of the open block. */
  readonly retag: (tag: Tag) => void
  readonly close: () => void
  /** Drops the open block, because its lines will be added again elsewhere. */
  readonly discard: () => void
  readonly tag: () => Tag | null
  /** The first line of the open block. */
  readonly first: () => string
  /** Lines of the open block, blank ones at its end not counted. */
  readonly size: () => number
  /** Makes events of the open block. They are removed again when more lines come. */
  readonly show: () => void
}

interface Open<Tag> {
  readonly session: SessionDraft
  tag: Tag
  readonly lines: string[]
  filled: number
  readonly from: SourceRef
  end: number
}

/** `make` turns a block into events. It may be called twice for a block, so it must have no side effects. */
export function createBlocks<Tag>(make: (block: Block<Tag>) => readonly EventDraft[]): Blocks<Tag> {
  let open: Open<Tag> | null = null
  let shown = 0

  function takeBack(): void {
    if (open === null || shown === 0) return
    open.session.events.length -= shown
    shown = 0
  }

  function push(): number {
    if (open === null || open.filled === 0) return 0
    const { session, tag, from, end } = open
    const lines = open.lines.slice(0, open.filled)
    const source = { ...from, length: end - from.offset }
    const events = make({ session, tag, lines, source })
    for (const event of events) session.events.push(event)
    return events.length
  }

  function add(line: RawRecord): boolean {
    if (open === null) return false
    takeBack()
    const value = textOf(line)
    open.lines.push(value)
    if (value.trim() === '') return true
    open.filled = open.lines.length
    open.end = line.ref.offset + line.ref.length
    return true
  }

  function close(): void {
    takeBack()
    push()
    open = null
  }

  return {
    open(session, tag, line) {
      close()
      const { ref } = line
      open = { session, tag, lines: [], filled: 0, from: ref, end: ref.offset }
      add(line)
    },
    add,
    retag(tag) {
      takeBack()
      if (open !== null) open.tag = tag
    },
    close,
    discard() {
      takeBack()
      open = null
    },
    tag: () => open?.tag ?? null,
    first: () => open?.lines[0] ?? '',
    size: () => open?.filled ?? 0,
    show() {
      takeBack()
      shown = push()
    },
  }
}

/** The text of a line record; empty for any other record. */
export function textOf(line: RawRecord): string {
  return typeof line.value === 'string' ? line.value : ''
}

/** Lines as one text, without blank lines at either end and without blanks at the end of each. */
export function joined(lines: readonly string[]): string {
  return withoutBlankEnds(lines)
    .map((line) => line.trimEnd())
    .join('\n')
}

/** [I179] Lines as one text, word for word: only blank lines at either end are left out. */
export function asTyped(lines: readonly string[]): string {
  return withoutBlankEnds(lines).join('\n')
}

function withoutBlankEnds(lines: readonly string[]): readonly string[] {
  let from = 0
  let to = lines.length
  while (from < to && (lines[from] ?? '').trim() === '') from += 1
  while (to > from && (lines[to - 1] ?? '').trim() === '') to -= 1
  return lines.slice(from, to)
}

/** Whether a file begins like JSON. Such a file is in none of the text formats. */
export function beginsAsJson(text: string): boolean {
  // `[12:30] User: …` begins with a bracket too.
  return /^[\s\ufeff\0]*(\{|\[\s*(["{[\]]|-?\d+\s*[,\]]|(true|false|null)\b|$))/.test(text)
}

/** The first lines of a head that are not blank, without a byte order mark; at most `count`. */
export function firstTextLines(text: string, count: number): readonly string[] {
  const lines: string[] = []
  let at = 0
  while (at < text.length && lines.length < count) {
    const newline = text.indexOf('\n', at)
    const line = text.slice(at, newline < 0 ? undefined : newline).replace('\ufeff', '')
    if (line.trim() !== '') lines.push(line.trimEnd())
    if (newline < 0) break
    at = newline + 1
  }
  return lines
}
