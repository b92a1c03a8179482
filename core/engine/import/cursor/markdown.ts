import type { Head } from '../head.ts'
import { draft, sessionDraft, type EventDraft, type SessionDraft } from '../shared/drafts.ts'
import type { ImportLog } from '../shared/import-log.ts'
import {
  beginsAsJson,
  createBlocks,
  firstTextLines,
  asTyped,
  joined,
  textOf,
  type Block,
  type Blocks,
} from '../shared/line-blocks.ts'
import { createNames } from '../shared/names.ts'
import { userTextEvents } from '../shared/user-text.ts'
import type { Importer, RawRecord, Reader } from '../source.ts'

/** `_Exported on 1/7/2026 at 00:17:50 EST from Cursor (2.3.23)_`; the day's form depends on the machine. */
const EXPORTED = /^_Exported on .{4,60} from Cursor\b.{0,40}_$/
const TITLE = /^# (.{1,300})$/
const RULE = '---'
const SPEAKERS: Readonly<Record<string, 'user' | 'agent'>> = {
  '**User**': 'user',
  '**Cursor**': 'agent',
}

/** [I124] The Markdown that Cursor exports a chat as. */
function detect(head: Head): boolean {
  if (beginsAsJson(head.text)) return false
  return firstTextLines(head.text, 6).some((line) => EXPORTED.test(line))
}

function speakerIn(line: string): 'user' | 'agent' | null {
  const key = line.trim()
  return Object.hasOwn(SPEAKERS, key) ? (SPEAKERS[key] ?? null) : null
}

interface State {
  readonly sessions: SessionDraft[]
  readonly named: (wanted: string) => string
  readonly blocks: Blocks<'user' | 'agent'>
  readonly log: ImportLog
  title: string | null
  /** A rule and the blank lines after it, which belong to the text unless a speaker's line follows. */
  held: RawRecord[]
  session: SessionDraft | null
}

function read(log: ImportLog): Reader {
  const state: State = {
    sessions: [],
    named: createNames(),
    blocks: createBlocks(eventsOf),
    log,
    title: null,
    held: [],
    session: null,
  }
  return {
    take: (record) => take(record, state),
    drafts: () => state.sessions,
    tidy: () => state.blocks.show(),
  }
}

function take(record: RawRecord, state: State): void {
  const line = textOf(record).trimEnd()
  const speaker = speakerIn(line)
  if (speaker !== null && (state.held.length > 0 || state.session === null)) {
    state.held = []
    begin(speaker, record, state)
  } else if (line === RULE || (line === '' && state.held.length > 0)) {
    if (line === RULE) release(state)
    state.held.push(record)
  } else if (EXPORTED.test(line) && state.session === null) {
    openSession(state)
  } else {
    release(state)
    takeLine(record, line, state)
  }
}

function openSession(state: State): SessionDraft {
  state.blocks.close()
  state.session = sessionDraft(state.named(`cursor-${state.sessions.length + 1}`))
  state.session.title = state.title
  state.title = null
  state.sessions.push(state.session)
  return state.session
}

function begin(speaker: 'user' | 'agent', record: RawRecord, state: State): void {
  const session = state.session ?? openSession(state)
  // The speaker's line is no text; an empty one keeps its place.
  state.blocks.open(session, speaker, { ...record, value: '' })
}

/** Held lines are text. */
function release(state: State): void {
  for (const line of state.held.splice(0)) addLine(line, state)
}

function addLine(record: RawRecord, state: State): void {
  if (!state.blocks.add(record) && textOf(record).trim() !== '' && textOf(record).trim() !== RULE)
    state.log.skip('line before the first speaker')
}

function takeLine(record: RawRecord, line: string, state: State): void {
  const title = state.blocks.tag() === null ? TITLE.exec(line)?.[1] : undefined
  if (title !== undefined) state.title = title
  else addLine(record, state)
}

function eventsOf({ tag, lines, source }: Block<'user' | 'agent'>): readonly EventDraft[] {
  const text = tag === 'user' ? asTyped(lines) : joined(lines)
  if (text === '') return []
  const origin = { at: null, model: null, source }
  return tag === 'user' ? userTextEvents(text, origin) : [draft('agent', text, origin)]
}

/** Cursor: a chat exported as Markdown. */
export const cursorMarkdown: Importer = {
  name: 'cursor-markdown',
  label: 'Cursor chat export (Markdown)',
  detect,
  split: () => ({ by: 'lines' }),
  read,
}
