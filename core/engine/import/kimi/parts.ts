import { asText, compact, isList, own, textAt } from '../shared/guards.ts'
import { readAnyPart } from '../shared/said-parts.ts'
import {
  byName,
  event,
  stub,
  thought,
  words,
  type PartReader,
  type SaidEvent,
} from '../shared/said.ts'
import type { Fallback } from '../shared/user-text.ts'

const url = (part: unknown, key: string): string | null => textAt(own(part, key), 'url')

/** Message parts with non-standard names. */
const OWN_PARTS = byName({
  think: (part) => [thought(textAt(part, 'think'))],
  audio_url: (part) => [words(linkStub('audio', url(part, 'audio_url')))],
  video_url: (part) => [words(linkStub('video', url(part, 'video_url')))],
})

function linkStub(what: string, link: string | null): string {
  return stub(what, link?.startsWith('data:') === true ? null : link)
}

export const readPart: PartReader = (part) => {
  const known = OWN_PARTS(part)
  return typeof known === 'string' ? readAnyPart(part) : known
}

/** Content as parts: a text is one. */
export function partsIn(content: unknown): readonly unknown[] {
  if (isList(content)) return content
  return asText(content) === null ? [] : [content]
}

/** Text of an output, which is a text or a list of parts. */
export function outputText(output: unknown): string {
  if (!isList(output)) return compact(output)
  return output.map(itemText).join('\n')
}

function itemText(item: unknown): string {
  const found = readPart(item)
  const said = typeof found === 'string' ? undefined : found[0]
  return said === undefined ? compact(item) : said.text
}

/** [I133] The kind of a text under the user role, by the origin that its record names. */
export function fallbackOf(origin: unknown, inAgent: boolean): Fallback {
  const kind = textAt(origin, 'kind') ?? 'user'
  const name = textAt(origin, 'variant', 'name')
  const told = { kind: 'subagent_prompt', rule: name, always: false } as const
  if (kind === 'user') return inAgent ? told : { kind: 'user', rule: null, always: false }
  if (kind === 'system_trigger' && name === 'subagent') return told
  return { kind: 'injected', rule: name ?? kind, always: true }
}

const SYSTEM_NOTE = /^\s*<system>[\s\S]*<\/system>\s*$/u

/** Kimi puts its own notes under the user role, in a `<system>` tag. */
export function noteIn(content: unknown): SaidEvent | null {
  const parts = partsIn(content)
  const text = parts.length === 1 ? (asText(parts[0]) ?? textAt(parts[0], 'text')) : null
  return text !== null && SYSTEM_NOTE.test(text) ? event('injected', text, 'system-note') : null
}
