import { ownOf } from '../../schema/own.ts'
import type { EventKind } from '../../schema/event-kind.ts'
import type { Head } from '../head.ts'
import { draft, sessionDraft, type EventDraft, type SessionDraft } from '../shared/drafts.ts'
import {
  asTyped,
  beginsAsJson,
  createBlocks,
  joined,
  textOf,
  type Block,
} from '../shared/line-blocks.ts'
import { isModelName } from '../shared/speakers.ts'
import { userTextEvents } from '../shared/user-text.ts'
import type { Importer, RawRecord, Reader } from '../source.ts'

/** A line that names the next speaker, in one of the styles in use. */
interface Label {
  readonly style: string
  readonly kind: EventKind
  /** The speaker as written. */
  readonly speaker: string
  /** The rest of the line after the label. */
  readonly rest: string
}

const ROLES: Readonly<Record<string, EventKind>> = {
  ...kindFor('user', 'user|human|me|you|you said|prompt|customer'),
  ...kindFor(
    'agent',
    'assistant|ai|bot|agent|model|response|claude|chatgpt|chatgpt said|gpt|gpt-3.5|gpt-4|gpt-4o|gpt-5|gemini|gemini said|copilot|cursor|llm|ai assistant|assistant response|ai model|claude said|deepseek|grok|llama|mistral|qwen',
  ),
  ...kindFor('system', 'system|developer|system prompt|system message'),
  ...kindFor('tool_result', 'tool|function|observation|tool result|tool output|tool response'),
  ...kindFor('tool_call', 'tool call|function call|action'),
  ...kindFor('reasoning', 'thinking|thought|reasoning'),
}

/** Roles that are too short to be a heading. */
const LETTERS: Readonly<Record<string, EventKind>> = { q: 'user', a: 'agent' }
const WITH_LETTERS = ['colon', 'bold']

function kindFor(kind: EventKind, names: string): Record<string, EventKind> {
  return Object.fromEntries(names.split('|').map((name) => [name, kind]))
}

const TIME = String.raw`(?:\s*[[(]\s*[\d.,:/TZ+ -]{4,30}(?:[AP]M)?\s*[\])])?`
const NAME = String.raw`([A-Za-z][A-Za-z0-9.-]*(?: [A-Za-z0-9.-]+){0,2})`
const WHEN = String.raw`(?:[[(]?[\d.,:/T-]{4,24}(?: [\d:.,]{4,15})?Z?(?: [AP]M)?[\])]?[ \t]+(?:- )?)?`

/** Whether text may follow the label on its line; headings, bracketed labels and tags end their line. */
const STYLES: ReadonlyArray<readonly [style: string, line: RegExp]> = [
  ['tag', new RegExp(String.raw`^<\|(?:im_start\|>)?${NAME}(?:\|>)?\s*$`)],
  [
    'heading',
    new RegExp(String.raw`^#{1,6} (?:\*\*)?(?:[^\w\s#*]{1,3} )?${NAME}${TIME}:?(?:\*\*)?:?\s*$`),
  ],
  [
    'bold',
    new RegExp(
      String.raw`^(?:\*\*|__)(?:[^\w\s*]{1,3} )?${NAME}${TIME}(?::(?:\*\*|__)|(?:\*\*|__)${TIME}:)[ \t]*(.*)$`,
    ),
  ],
  [
    'bold line',
    new RegExp(String.raw`^(?:\*\*|__)(?:[^\w\s*]{1,3} )?${NAME}${TIME}(?:\*\*|__)\s*$`),
  ],
  ['italic', new RegExp(String.raw`^[*_]${NAME}:[*_][ \t]*(.*)$`)],
  ['bracket', new RegExp(String.raw`^\[${NAME}\]:?[ \t]*(.*)$`)],
  ['colon', new RegExp(String.raw`^${WHEN}${NAME}${TIME}:(?:[ \t]+(.*)|\s*)$`)],
]

/** [I43] The label that a line is or begins with, or null. Only known roles are labels. */
export function labelOf(line: string): Label | null {
  // A label is within the first characters, so a long line is not searched.
  const head = line.slice(0, MAX_LABEL)
  for (const [style, pattern] of STYLES) {
    const match = pattern.exec(head)
    if (match === null) continue
    const speaker = match[1] ?? ''
    const kind = kindOf(speaker.toLowerCase(), style)
    if (kind === null) continue
    if (match[2] !== undefined)
      return { style, kind, speaker, rest: match[2] + line.slice(MAX_LABEL) }
    if (line.length <= MAX_LABEL) return { style, kind, speaker, rest: '' }
  }
  return null
}

const MAX_LABEL = 120

function kindOf(role: string, style: string): EventKind | null {
  if (Object.hasOwn(ROLES, role)) return ROLES[role] ?? null
  if (isModelName(role)) return 'agent'
  if (!WITH_LETTERS.includes(style) || !Object.hasOwn(LETTERS, role)) return null
  return ownOf(LETTERS, role) ?? null
}

/** Whether a word is one of the roles. */
function isRole(word: string): boolean {
  return kindOf(word.toLowerCase(), 'colon') !== null
}

/** Text before the first label that a conversation may have: titles, rules, facts, comments, quotes. */
const PREAMBLE =
  /^\s*$|^#|^[-=_*]{3,}\s*$|^[>|]|^<!--|^[*_][^*_].*[*_]\s*$|^(?:[-*] )?(?:\*\*)?[A-Z][\w ]{0,30}:(?:\*\*)?(?:\s.{0,300})?$|^[a-z_]{1,30}: .{0,300}$/
const MAX_PREAMBLE = 40
/** `Exported on 2 May`: a remark or two, and no sentence that announces a quotation. */
const REMARK = /^[^{}();=<>]{0,79}[^{}();=<>:,]$|^\s*$|^[#*>_-]/
const MAX_SAID = 2

/**
 * [I43] The label style of a text: the first style in which both a user and an agent have spoken. Null if the text is
 * not a conversation. Only a short heading may precede the first label, so that source code and prose that quote a
 * dialogue are not mistaken for one.
 */
export function styleOf(lines: readonly string[]): string | null {
  const heard = new Map<string, Set<EventKind>>()
  let before = 0
  let text = 0
  for (const line of lines) {
    const label = labelOf(line)
    if (label === null) {
      if (heard.size > 0 || line.trim() === '') continue
      before += 1
      if (!PREAMBLE.test(line.slice(0, 400))) text += 1
      if (before > MAX_PREAMBLE || text > MAX_SAID || (text > 0 && !REMARK.test(line))) return null
      continue
    }
    const kinds = heard.get(label.style) ?? new Set()
    heard.set(label.style, kinds.add(label.kind))
    if (kinds.has('user') && kinds.has('agent')) return label.style
  }
  return null
}

interface Tag {
  readonly kind: EventKind
  readonly speaker: string
  readonly style: string
}

/** [I43] A conversation as text, with the speaker's role before each message. */
function detect(head: Head): boolean {
  if (beginsAsJson(head.text) || isTableOrSource(head.text)) return false
  return styleOf(linesOf(head.text)) !== null
}

function linesOf(text: string): readonly string[] {
  return text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/)
}

/** Dialogue in sources, logs and tables is data of theirs: binary bytes, a shebang, markup, `user: x` in YAML. */
function isTableOrSource(text: string): boolean {
  const start = text.slice(0, 8000)
  // A crash leaves NULs in a text; other bytes of this sort are a binary file's.
  // oxlint-disable-next-line no-control-regex -- that is what this is about
  const odd = start.match(/[\u0001-\u0008\u000e-\u001a\ufffd]/g)?.length ?? 0
  if (odd * 50 > start.length) return true
  const lines = linesOf(start).filter((line) => line.trim() !== '')
  if (
    /^(#!|<\?xml|<!doctype|<html|%PDF|import |from \w+ import|package |#include)/i.test(
      lines[0] ?? '',
    )
  )
    return true
  const fields = lines.filter((line) => /^[a-z][\w-]*:( \S{0,40}| \[.*\]|)$/.test(line))
  const indented = lines.filter((line) => /^(\s+\S|- )/.test(line)).length
  // Lower-case keys with one-word values, or with nested ones below, are a configuration.
  const keys = fields.map((line) => line.slice(0, line.indexOf(':')))
  return fields.length + indented === lines.length && keys.some((key) => !isRole(key))
}

/** Lines are kept until the style is known; detection found it within the head, so they are few. */
const MAX_WAITING = 20_000

function read(): Reader {
  const session: SessionDraft = sessionDraft('text')
  const blocks = createBlocks<Tag>(eventsOf)
  let waiting: RawRecord[] | null = []
  let style: string | null = null
  const heard = new Set<string>()

  function takeLine(record: RawRecord): void {
    const line = textOf(record)
    const label = line === '' ? null : labelOf(line)
    if (label?.style === style) {
      const { kind, speaker } = label
      blocks.open(session, { kind, speaker, style }, record)
    } else if (!blocks.add(record) && line.trim() !== '') {
      blocks.open(session, { kind: 'meta', speaker: 'preamble', style: '' }, record)
    }
  }

  function release(): void {
    const lines = waiting ?? []
    waiting = null
    for (const record of lines) takeLine(record)
  }

  function wait(lines: RawRecord[], record: RawRecord): void {
    lines.push(record)
    const label = labelOf(textOf(record))
    if (label !== null) heard.add(`${label.style} ${label.kind}`)
    const found =
      label !== null && ['user', 'agent'].every((kind) => heard.has(`${label.style} ${kind}`))
    if (found) style = label.style
    if (found || lines.length > MAX_WAITING) release()
  }

  return {
    take(record) {
      if (waiting === null) takeLine(record)
      else wait(waiting, record)
    },
    drafts: () => [session],
    tidy: blocks.show,
  }
}

function eventsOf(block: Block<Tag>): readonly EventDraft[] {
  const { kind, speaker, style } = block.tag
  const origin = { at: null, model: null, source: block.source }
  if (style === '') return [draft('meta', joined(block.lines), origin, { name: speaker })]
  const rest = labelOf(block.lines[0] ?? '')?.rest ?? ''
  const words = [rest, ...block.lines.slice(1)]
  const text = (kind === 'user' ? asTyped(words) : joined(words)).replace(/\s*<\|im_end\|>\s*$/, '')
  if (text.trim() === '')
    return [draft('meta', joined(block.lines), origin, { name: 'empty turn' })]
  if (kind !== 'user')
    return [draft(kind, text, origin, { name: kind === 'agent' ? null : speaker })]
  return userTextEvents(text, origin)
}

export const plainText: Importer = {
  name: 'plain-text',
  label: 'text with the speakers’ roles (User: … Assistant: …)',
  detect,
  split: () => ({ by: 'lines' }),
  read,
}
