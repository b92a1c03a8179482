import type { EventKind } from '../../schema/event-kind.ts'
import type { Head } from '../head.ts'
import { draft, sessionDraft, type EventDraft, type SessionDraft } from '../shared/drafts.ts'
import { epoch } from '../shared/guards.ts'
import {
  beginsAsJson,
  createBlocks,
  firstTextLines,
  joined,
  textOf,
  type Block,
  type Blocks,
} from '../shared/line-blocks.ts'
import { createNames } from '../shared/names.ts'
import type { Importer, RawRecord, Reader } from '../source.ts'

const CONFIRMATION = '(Y)es/(N)o'
/** [I104] Title of the session for text before the first header. */
const BEFORE = 'before the first header'
/** Slash commands whose text is a message to the model. */
const SPEAKING = /^\/(ask|code|architect|context|help)\s+\S/
const THINK_OPEN = /^<thinking-content-[0-9a-f]+>$|^► \*\*THINKING\*\*$/
const THINK_CLOSE = /^<\/thinking-content-[0-9a-f]+>$|^► \*\*ANSWER\*\*$/
const MODEL = /^(?:Main model|Model): (\S+)/
const FOLDER = /^(?:Cur|Current) working dir: (.+)$/

/** Classifies aider's own output lines. The first matching rule wins; all other lines are `output`. */
const OUTPUT: ReadonlyArray<{
  readonly name: string
  readonly kind: EventKind
  readonly line: RegExp
}> = [
  { name: 'interruption', kind: 'interruption', line: /^\^C|^KeyboardInterrupt/ },
  { name: 'tokens', kind: 'meta', line: /^Tokens: [\d.,]+k? sent/ },
  { name: 'edit', kind: 'tool_result', line: /^Applied edit to |^Did not apply edit to / },
  { name: 'commit', kind: 'tool_result', line: /^Commit [0-9a-f]{6,} / },
  { name: 'confirmation', kind: 'notification', line: /\(Y\)es\/\(N\)o/ },
  {
    name: 'error',
    kind: 'system',
    line: /^(litellm\.|Error: |The API provider|The LLM did not conform|Warning|Retrying in )/,
  },
]

type Tag = Pick<EventDraft, 'kind' | 'name' | 'model'>

type LineClass = 'session' | 'user' | 'output' | 'other' | 'blank'

/** [I40] Aider's chat history: Markdown that is only ever appended to, many sessions in a file. */
function detect(head: Head): boolean {
  if (beginsAsJson(head.text)) return false
  return firstTextLines(head.text, 1).some((line) => SESSION.test(line))
}

interface State {
  readonly sessions: SessionDraft[]
  readonly nameFor: (wanted: string) => string
  readonly blocks: Blocks<Tag>
  session: SessionDraft | null
  /** The line before, and the last that was not blank. */
  before: LineClass
  lastNonBlank: LineClass
  model: string | null
  /** Aider ends its own output lines with two blanks; a formatter may have removed them. */
  keepsBlanks: boolean | null
}

function read(): Reader {
  const state: State = {
    sessions: [],
    nameFor: createNames(),
    blocks: createBlocks<Tag>(eventsOf),
    session: null,
    before: 'session',
    lastNonBlank: 'session',
    model: null,
    keepsBlanks: null,
  }
  return {
    take: (record) => take(state, record),
    drafts: () => state.sessions,
    tidy: state.blocks.show,
  }
}

function classOf(state: State, line: string): LineClass {
  if (SESSION.test(line)) return 'session'
  const marked = /^(####(?: |$)|> |>$)/.test(line)
  if (line.trim() === '') return 'blank'
  // Answers follow a blank line. Without the blanks at line ends there is no other sign.
  if (!marked) return state.keepsBlanks === false && state.before === 'output' ? 'output' : 'other'
  const ends = line.endsWith('  ')
  // A quotation of a torn answer has none either way.
  if (ends || !isTorn(state)) state.keepsBlanks ??= ends
  const own = state.keepsBlanks === true ? ends : state.lastNonBlank !== 'other'
  if (!own) return 'other'
  return line.startsWith('>') ? 'output' : 'user'
}

/** Before the first header: the first lines may be the rest of an answer, which says nothing about line ends. */
function isTorn({ sessions, session }: State): boolean {
  return session === null || (sessions.length === 1 && session.title === BEFORE)
}

function begin(state: State, stamp: string | null): SessionDraft {
  state.session = sessionDraft(state.nameFor(`aider-${(stamp ?? 'start').replace(/[ :]/g, '-')}`))
  state.session.startedAt = epoch(stamp)
  if (stamp === null) state.session.title = BEFORE
  state.sessions.push(state.session)
  state.model = null
  return state.session
}

function start(state: State, line: string, record: RawRecord): void {
  if (isTorn(state)) state.keepsBlanks = null
  const to = begin(state, SESSION.exec(line)?.[1] ?? null)
  state.blocks.open(to, { kind: 'meta', name: 'session-start', model: null }, record)
  state.blocks.close()
}

/** Continues the open block if it has the same tag, else opens a new one. */
function put(state: State, tag: Tag, record: RawRecord, joins = true): void {
  const open = state.blocks.tag()
  if (joins && open !== null && open.kind === tag.kind && open.name === tag.name)
    state.blocks.add(record)
  else state.blocks.open(sessionOf(state), tag, record)
}

/** The session that is being filled; text before the first header has one too. */
function sessionOf(state: State): SessionDraft {
  return state.session ?? begin(state, null)
}

function output(state: State, line: string, record: RawRecord): void {
  const words = line.slice(1).trim()
  state.model = MODEL.exec(words)?.[1] ?? state.model
  const to = sessionOf(state)
  to.cwd ??= FOLDER.exec(words)?.[1] ?? null
  if (words === '') {
    if (isOutput(state.blocks.tag())) state.blocks.add(record)
    return
  }
  const rule = OUTPUT.find((row) => row.line.test(words))
  put(state, { kind: rule?.kind ?? 'meta', name: rule?.name ?? 'output', model: null }, record)
}

function answer(state: State, line: string, record: RawRecord): void {
  const open = state.blocks.tag()
  if (open?.kind === 'reasoning') {
    state.blocks.add(record)
    if (THINK_CLOSE.test(line.trim())) state.blocks.close()
  } else if (THINK_OPEN.test(line.trim())) {
    state.blocks.open(
      sessionOf(state),
      { kind: 'reasoning', name: null, model: state.model },
      record,
    )
  } else put(state, { kind: 'agent', name: null, model: state.model }, record)
}

function take(state: State, record: RawRecord): void {
  const line = textOf(record)
  const sort = classOf(state, line)
  if (sort === 'session') start(state, line, record)
  else if (sort === 'blank') state.blocks.add(record)
  else if (sort === 'output') output(state, line, record)
  else if (sort === 'other') answer(state, line, record)
  // Aider writes a blank line of a message as `####`, so a real one parts two messages.
  else put(state, { kind: 'user', name: null, model: null }, record, state.before === 'user')
  state.before = sort
  if (sort !== 'blank') state.lastNonBlank = sort
}

function isOutput(tag: Tag | null): boolean {
  return tag !== null && tag.name !== null && tag.name !== 'session-start'
}

function eventsOf(block: Block<Tag>): readonly EventDraft[] {
  const { kind, name, model } = block.tag
  const origin = { at: null, model, source: block.source }
  if (kind === 'user') return [userEvent(block, origin)]
  if (kind === 'reasoning') {
    const lines = block.lines.filter(
      (line) => !THINK_OPEN.test(line.trim()) && !THINK_CLOSE.test(line.trim()),
    )
    return [draft(kind, joined(lines), origin)]
  }
  const lines = isOutput(block.tag)
    ? block.lines.map((line) => line.replace(/^> ?/, ''))
    : block.lines
  const isError = name === 'edit' && lines.some((line) => line.startsWith('Did not'))
  return [draft(kind, joined(lines), origin, { name, isError })]
}

/** A text after `####`: a message, a command, or the echo of a question with its answer. */
function userEvent(block: Block<Tag>, origin: Parameters<typeof draft>[2]): EventDraft {
  const text = joined(block.lines.map((line) => line.replace(/^####(?: |$)/, '')))
  if (text.includes(CONFIRMATION)) return draft('command', text, origin, { name: 'confirmation' })
  const isCommand = /^[/!]\S/.test(text) && !SPEAKING.test(text)
  return isCommand
    ? draft('command', text, origin, {
        name: text.startsWith('!') ? 'shell-command' : 'slash-command',
      })
    : draft('user', text, origin)
}

/** The header that Aider writes when a session begins; its time is the first group. */
const SESSION = /^# aider chat started at (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)\s*$/

const FENCE = /^ {0,3}(```|~~~)(.*)$/
const TYPED = /^#### \S/
const OUTPUT_LINE = /^> \S/
/** Lines that nothing but Aider writes; it ends its own lines with two blanks. */
const OWN =
  /^#### .*\S {2}\r?$|^> (?:Tokens: [\d.,]+k? sent|Applied edit to |Commit [0-9a-f]{6,} |Aider v\d)/

interface Seen {
  fenced: boolean
  /** A line of Aider's own, outside of fences, before any header. */
  own: boolean
  typed: boolean
  /** The line before (blank ones aside) is a header. */
  header: boolean
  /** A header that Aider's own lines follow. */
  confirmed: boolean
}

/**
 * [I104] Detects an Aider history in lines given in order. Returns true from the line on that proves it. A header needs
 * an Aider line after it and a user message somewhere. A header in a code fence is a quotation, unless Aider's own
 * lines precede it.
 */
export function seekAider(): (line: string) => boolean {
  const seen: Seen = {
    fenced: false,
    own: false,
    typed: false,
    header: false,
    confirmed: false,
  }
  return (given) => look(given.replace('\ufeff', ''), seen)
}

function look(line: string, seen: Seen): boolean {
  if (line.trim() === '') return false
  if (SESSION.test(line)) {
    seen.header = !seen.fenced || seen.own
    return false
  }
  takeFence(line, seen)
  const typed = TYPED.test(line)
  seen.confirmed ||= seen.header && (typed || OUTPUT_LINE.test(line))
  seen.header = false
  seen.own ||= !seen.fenced && !seen.confirmed && OWN.test(line)
  seen.typed ||= typed && (!seen.fenced || seen.own)
  return seen.confirmed && seen.typed
}

/** A fence with a language always opens one, so a file that begins inside a fence is read right from there on. */
function takeFence(line: string, seen: Seen): void {
  const fence = FENCE.exec(line)
  if (fence !== null) seen.fenced = fence[2]?.trim() !== '' || !seen.fenced
}

export const aider: Importer = {
  name: 'aider',
  label: 'Aider chat history',
  detect,
  seek: seekAider,
  split: () => ({ by: 'lines' }),
  read,
}
