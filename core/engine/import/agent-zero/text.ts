import { readJson } from '../../json-read.ts'
import { scanPrefix } from '../json/prefix.ts'
import { compact, isList, isObject, own, textAt } from '../shared/guards.ts'

/** The parts of one message of the model, in order. */
export type Said =
  | { readonly kind: 'agent' | 'reasoning'; readonly text: string; readonly name: string | null }
  | { readonly kind: 'tool_call'; readonly text: string; readonly name: string }

/** The tool that addresses the user and ends the exchange. */
const RESPONSE = 'response'
const MAX_REPAIR = 1 << 20

/**
 * [I18] The model's raw text should be one JSON object with thoughts, a tool and its arguments. It may be fenced,
 * surrounded by prose, truncated, or contain raw line breaks. Text that cannot be read this way becomes the agent's
 * text unchanged.
 */
export function splitModelText(raw: string): readonly Said[] {
  const found = objectIn(raw)
  const tool = textAt(found?.value, 'tool_name')
  if (found === null || tool === null) return plain(raw)
  const prose = `${raw.slice(0, found.start)}\n${raw.slice(found.end)}`
  return [
    ...thoughtsOf(found.value),
    ...plain(prose.replace(/(`{3,}|~{3,})[ \t]*(json)?/g, '').trim()),
    ...callOf(tool, own(found.value, 'tool_args')),
  ]
}

function plain(words: string): readonly Said[] {
  return words.trim() === '' ? [] : [{ kind: 'agent', text: words, name: null }]
}

/** Thoughts of a message, or of the message's fields in the log. */
export function thoughtsOf(value: unknown): readonly Said[] {
  const lines = ['headline', 'thoughts', 'reflection'].flatMap((key) => {
    const field = own(value, key)
    return isList(field) ? field.map(compact) : [compact(field)]
  })
  const words = lines.filter((line) => line.trim() !== '').join('\n')
  return words === '' ? [] : [{ kind: 'reasoning', text: words, name: null }]
}

/** A call. The text of the response tool is the agent's text; it is also a call if it has other arguments. */
export function callOf(tool: string, args: unknown): readonly Said[] {
  const field = ['text', 'message'].find((key) => textAt(args, key) !== null)
  if (tool !== RESPONSE || field === undefined || !isObject(args))
    return [{ kind: 'tool_call', text: compact(args), name: tool }]
  const { [field]: words, ...others } = args
  const text: Said = { kind: 'agent', text: compact(words), name: RESPONSE }
  if (Object.keys(others).length === 0) return [text]
  return [{ kind: 'tool_call', text: compact(others), name: tool }, text]
}

interface Found {
  readonly value: unknown
  readonly start: number
  readonly end: number
}

function objectIn(raw: string): Found | null {
  const start = raw.indexOf('{')
  if (start < 0) return null
  const last = raw.lastIndexOf('}') + 1
  const whole = last > start ? parsed(raw.slice(start, last)) : null
  if (whole !== null) return { value: whole, start, end: last }
  const fixed = raw.length > MAX_REPAIR ? raw : raw.replace(STRING, escapeBreaks)
  const from = fixed.indexOf('{')
  const prefix = scanPrefix(fixed, from)
  if (prefix.state === 'invalid') return null
  const json = prefix.state === 'complete' ? fixed.slice(from, prefix.end) : prefix.closed
  const value = parsed(json)
  if (value === null) return null
  // The end of a repaired object is measured from the end of the text, because nothing was repaired there.
  const after = prefix.state === 'complete' ? fixed.length - prefix.end : 0
  return { value, start, end: raw.length - after }
}

const STRING = /"(?:[^"\\]|\\.)*"/gs

function escapeBreaks(string: string): string {
  return string.replace(/\r?\n/g, '\\n').replace(/\t/g, '\\t')
}

function parsed(json: string): unknown {
  try {
    const value = readJson(json)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}
