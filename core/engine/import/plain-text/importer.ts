import type { EventKind } from '../../schema/event.ts'
import type { Head } from '../head.ts'
import { draft, sessionDraft, type EventDraft, type SessionDraft } from '../shared/drafts.ts'
import { beginsAsJson, createBlocks, joined, textOf, type Block } from '../shared/line-blocks.ts'
import { userTextEvents } from '../shared/user-text.ts'
import type { Importer, RawRecord, Reader } from '../source.ts'
import { isRole, labelOf, styleOf } from './labels.ts'

interface Tag {
  readonly kind: EventKind
  readonly speaker: string
  readonly style: string
}

/** [I43] A conversation as text with the speakers' roles before what they say. */
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
  // eslint-disable-next-line no-control-regex -- that is what this is about
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
    if (label !== null && label.style === style) {
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
  const text = joined([rest, ...block.lines.slice(1)]).replace(/\s*<\|im_end\|>\s*$/, '')
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
