import type { EventKind } from '../../schema/event-kind.ts'
import type { Head } from '../head.ts'
import { draft, sessionDraft, type EventDraft, type SessionDraft } from '../shared/drafts.ts'
import {
  beginsAsJson,
  createBlocks,
  firstTextLines,
  joined,
  textOf,
  type Block,
  type Blocks,
} from '../shared/line-blocks.ts'
import { userTextEvents } from '../shared/user-text.ts'
import type { Importer, RawRecord, Reader } from '../source.ts'

/** The kind of a line by its beginning. Terminals may replace blanks by no-break spaces. */
const MARKS: ReadonlyArray<{ readonly sort: Sort; readonly line: RegExp }> = [
  { sort: 'user', line: /^[>❯]\s/ },
  { sort: 'bullet', line: /^[⏺●]\s/ },
  { sort: 'result', line: /^\s{1,4}⎿/ },
  { sort: 'reasoning', line: /^[✻∴✢✶✽*·]\s?Thinking…\s*$/ },
  { sort: 'box', line: /^[╭│╰▐▝▘]/ },
  { sort: 'notice', line: /^[✻✢✶✽·※]\s|^={5,}.*={5,}|^[ \u00a0][✔※✻]\s/ },
]
type Sort = 'user' | 'bullet' | 'result' | 'reasoning' | 'box' | 'notice'

/** A banner is recognised by one of its first lines. */
const BANNER_WITHIN = 4
const BANNER = /Welcome to Claude Code|Claude Code v\d/
const FOLDER = /^[│▐▝▘\s█▛▜▌]*(?:cwd: )?((?:~|\/|[A-Z]:\\)[^\s│]*)[\s│]*$/
const MODEL = /\bModel: (\S+)/
/** `Bash(npm test)…`, `Update(src/a.ts)`; other bullets are tools only when a result follows. */
const CALL = /^([A-Z][\w-]*(?: [A-Z][\w-]*)?|[a-z][\w-]*:[\w-]+(?: - [\w-]+)? \(MCP\))\((.*)$/s
const INTERRUPTED = /^(\[Request interrupted|Interrupted( by user)?\b|No \(tell Claude)/

/** A user action reported by the program. The lines nested under it repeat it in more detail. */
const DID = /^User (approved|accepted|rejected|declined|answered)\b/
/** Text that the program writes at the end of a line in the terminal's last columns. */
const AT_THE_EDGE = '   Cost: $'

type Tag = Pick<EventDraft, 'kind' | 'name' | 'callId' | 'model'> & {
  /** [I180] Its first line is quoted, so its mark is text. */
  readonly isQuote?: boolean
}

/** [I42] A session copied from the terminal. Hard line breaks and cut outputs cannot be undone. */
function detect(head: Head): boolean {
  if (beginsAsJson(head.text)) return false
  const lines = firstTextLines(head.text, 2000)
  const has = (line: RegExp): boolean => lines.some((text) => line.test(text))
  const bullets = lines.filter((line) => /^[⏺●]\s/.test(line))
  if (bullets.length === 0)
    return lines.slice(0, 12).some((line) => BANNER.test(line)) && has(/^[>❯]\s/)
  return has(/^\s{1,4}⎿/) || has(BANNER) || (has(/^⏺\s/) && has(/^[>❯]\s/))
}

interface State {
  readonly sessions: SessionDraft[]
  readonly blocks: Blocks<Tag>
  session: SessionDraft | null
  model: string | null
  call: Tag | null
  /** A box has begun and may turn out to be the banner of a new session. */
  box: RawRecord[]
  begun: boolean
  /** The session has more than bookkeeping. */
  spoken: boolean
  /** The line before says something. */
  filled: boolean
  /** Block that was open before a line that looks typed. */
  before: Tag | null
}

function read(): Reader {
  const state: State = {
    sessions: [],
    blocks: createBlocks<Tag>(eventsOf),
    session: null,
    model: null,
    call: null,
    box: [],
    begun: false,
    spoken: false,
    filled: false,
    before: null,
  }
  return {
    take: (record) => take(state, record),
    drafts: () => state.sessions,
    tidy: state.blocks.show,
  }
}

function current(state: State): SessionDraft {
  if (state.session !== null) return state.session
  state.session = sessionDraft(`console-${state.sessions.length + 1}`)
  state.sessions.push(state.session)
  return state.session
}

function put(state: State, record: RawRecord, kind: EventKind, more: Partial<Tag> = {}): void {
  state.spoken ||= kind !== 'meta'
  state.blocks.open(
    current(state),
    { kind, name: null, callId: null, model: null, ...more },
    record,
  )
}

function plain(state: State, record: RawRecord, line: string): void {
  const indented = /^[ \u00a0]{2}|^\t/.test(line) || line.trim() === ''
  const tag = state.blocks.tag()
  if (tag?.name === 'banner') current(state).cwd ??= FOLDER.exec(line)?.[1] ?? null
  if (tag !== null && (indented || tag.kind === 'meta')) state.blocks.add(record)
  else if (line.trim() !== '') put(state, record, 'meta', { name: 'terminal' })
}

function bullet(state: State, record: RawRecord, line: string): void {
  const match = CALL.exec(line.slice(1).trim())
  const callId = `line-${record.ref.line}`
  if (match === null) put(state, record, 'agent', { model: state.model, callId })
  else put(state, record, 'tool_call', { name: match[1] ?? null, callId })
  state.call = null
}

/** A result makes a tool of a bullet that did not look like one: `⏺ Update Todos`. */
function makeTool({ blocks }: State): void {
  const tag = blocks.tag()
  if (tag?.kind !== 'agent' || blocks.size() !== 1) return
  const line = blocks.first().slice(1).trim()
  const edge = line.lastIndexOf(AT_THE_EDGE)
  const name = edge < 0 ? line : line.slice(0, edge).trimEnd()
  const did = DID.exec(name)?.[1]
  if (did === undefined) blocks.retag({ ...tag, kind: 'tool_call', name, model: null })
  else blocks.retag({ kind: 'notification', name: `user-${did}`, callId: null, model: null })
}

function result(state: State, record: RawRecord): void {
  makeTool(state)
  const owner = state.blocks.tag()
  if (owner?.kind === 'user' || owner?.kind === 'command') {
    put(state, record, 'command', { name: 'command-output' })
    return
  }
  if (owner?.kind === 'notification') {
    state.blocks.add(record)
    return
  }
  // Several results follow one call when a sub-agent worked.
  if (owner?.kind !== 'tool_result') state.call = owner?.kind === 'tool_call' ? owner : null
  const { name = null, callId = null } = state.call ?? {}
  put(state, record, 'tool_result', { name, callId })
}

/** A box is a banner, which begins a session, or an input line that was not sent. */
function boxed(state: State, record: RawRecord, line: string): void {
  if (!state.begun && state.box.length < BANNER_WITHIN && BANNER.test(line)) {
    state.blocks.discard()
    // Text before the first banner is the command line that started the program.
    if (state.spoken) state.session = null
    state.spoken = false
    state.begun = true
    state.model = null
    state.call = null
    for (const part of state.box) addToBox(state, part, 'banner')
  }
  if (state.box.length < BANNER_WITHIN) state.box.push(record)
  const to = current(state)
  to.cwd ??= FOLDER.exec(line)?.[1] ?? null
  state.model = MODEL.exec(line)?.[1] ?? state.model
  addToBox(state, record, state.begun ? 'banner' : 'box')
}

function addToBox(state: State, record: RawRecord, name: string): void {
  if (state.box[0] !== record && state.blocks.tag()?.name === name) state.blocks.add(record)
  else put(state, record, 'meta', { name })
}

function typedLine(state: State, record: RawRecord): void {
  state.before = state.blocks.tag()
  put(state, record, 'user')
}

/**
 * [I180] The program writes a blank line before each typed text. A line with its mark directly behind another is a
 * quotation: a part of that text, and where that is a first line of the same kind behind the agent's words, both are
 * the agent's.
 */
function quoted(state: State, record: RawRecord): boolean {
  const { blocks, before } = state
  const tag = blocks.tag()
  if (tag === null || tag.kind === 'meta') return false
  if (tag.kind === 'user' && blocks.size() === 1 && before?.kind === 'agent')
    blocks.retag({ ...before, isQuote: true })
  blocks.add(record)
  return true
}

function take(state: State, record: RawRecord): void {
  const line = textOf(record)
  const sort = MARKS.find((row) => row.line.test(line))?.sort
  if (sort !== 'box' || line.startsWith('╭')) {
    state.box = []
    state.begun = false
  }
  const isFilled = state.filled
  state.filled = line.trim() !== ''
  if (sort === undefined) plain(state, record, line)
  else if (sort === 'user') {
    if (!isFilled || !quoted(state, record)) typedLine(state, record)
  } else if (sort === 'bullet') bullet(state, record, line)
  else if (sort === 'result') result(state, record)
  else if (sort === 'reasoning') put(state, record, 'reasoning', { model: state.model })
  else if (sort === 'notice') put(state, record, 'meta', { name: 'notice' })
  else boxed(state, record, line)
}

const INDENT: Readonly<Partial<Record<EventKind, RegExp>>> = {
  user: /^[ \u00a0]{2}/,
  agent: /^[ \u00a0]{2}/,
  reasoning: /^[ \u00a0]{2}/,
  tool_call: /^[ \u00a0]{1,6}/,
  tool_result: /^[ \u00a0]{1,5}/,
  command: /^[ \u00a0]{1,5}/,
  notification: /^[ \u00a0]{1,5}(?:⎿\s{0,2})?/,
}

function eventsOf(block: Block<Tag>): readonly EventDraft[] {
  const { kind, name, callId, model } = block.tag
  const origin = { at: null, model, source: block.source }
  const indent = INDENT[kind]
  const lines = block.lines.map((line, at) => {
    const isMark = at === 0 && block.tag.isQuote !== true
    const bare = isMark ? line.replace(/^[>❯⏺●✻∴✢✶✽*·]\s?|^\s{1,4}⎿\s{0,2}/, '') : line
    return at > 0 && indent !== undefined ? bare.replace(indent, '') : bare
  })
  const text = joined(kind === 'reasoning' ? lines.slice(1) : lines)
  if (kind === 'user') return typed(text, origin)
  if (kind === 'tool_call') {
    const match = CALL.exec(text)
    const args = match === null ? '' : (match[2] ?? '').replace(/\)?…?\s*$/, '')
    return [draft(kind, args, origin, { name: match?.[1] ?? name, callId })]
  }
  if (kind !== 'tool_result') return [draft(kind, text, origin, { name })]
  if (INTERRUPTED.test(text)) return [draft('interruption', text, origin, { name: 'interruption' })]
  return [draft(kind, text, origin, { name, callId, isError: /^Error\b/.test(text) })]
}

/** A text after `>`: a message, a command, or a text of the harness. */
function typed(text: string, origin: Parameters<typeof draft>[2]): readonly EventDraft[] {
  if (/^\/[a-z][\w:-]*(\s|$)/i.test(text))
    return [draft('command', text, origin, { name: 'slash-command' })]
  if (/^!\s?\S/.test(text)) return [draft('command', text, origin, { name: 'shell-command' })]
  return userTextEvents(text, origin)
}

export const ccConsole: Importer = {
  name: 'cc-console',
  label: 'Claude Code console copy',
  detect,
  split: () => ({ by: 'lines' }),
  read,
}
