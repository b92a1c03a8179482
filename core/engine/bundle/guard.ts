import type { SessionEvent } from '../schema/event.ts'
import { isEmptyJson } from './json.ts'

/** [A4] A prompt that was not made by the one entry point. */
export interface DispatchFinding {
  readonly rule: 'prompt_differs' | 'results_inline' | 'step_unreadable'
  /** Event that is at fault, and the step that it belongs to. */
  readonly seq: number
  readonly stepSeq: number
  readonly message: string
  /** For `prompt_differs`: the first line that differs, 1-based. */
  readonly line: number | null
}

/** Compares the prompt that was sent with the one that the bundle renders to. Line ends do not count. */
export function promptDiffers(
  recorded: string,
  rendered: string,
): { readonly line: number; readonly message: string } | null {
  const sent = recorded.replace(/\r\n?/gu, '\n').trimEnd().split('\n')
  const ours = rendered.trimEnd().split('\n')
  const at = sent.findIndex((line, index) => line !== ours[index])
  if (at < 0 && sent.length === ours.length) return null
  const line = at < 0 ? sent.length : at
  const had = clip(sent[line])
  const wanted = clip(ours[line])
  return { line: line + 1, message: `sent ${had}, the bundle says ${wanted}` }
}

function clip(line: string | undefined): string {
  if (line === undefined) return 'nothing more'
  return `"${line.length > 80 ? `${line.slice(0, 80)}…` : line}"`
}

/** Event kinds whose text may be a model's input; the model's own output is not. */
const MODEL_CALL: ReadonlySet<SessionEvent['kind']> = new Set([
  'user',
  'injected',
  'system',
  'subagent_prompt',
  'tool_call',
])

/** Results shorter than this may occur in a text by chance. */
const MIN_INLINE = 20

export function isModelCall({ kind }: Pick<SessionEvent, 'kind'>): boolean {
  return MODEL_CALL.has(kind)
}

/**
 * [A4] Whether a text holds a step's results inline: as JSON or as Python prints a dictionary, in any
 * spacing.
 */
export function holdsResults(text: string, results: unknown): boolean {
  if (isEmptyJson(results)) return false
  const wanted = squeeze(JSON.stringify(results))
  return wanted.length >= MIN_INLINE && squeeze(unescaped(text)).includes(wanted)
}

/** A prompt inside the JSON arguments of a call has its quotes escaped. */
function unescaped(text: string): string {
  return text.replace(/\\n/gu, ' ').replaceAll('\\"', '"')
}

function squeeze(text: string): string {
  return text
    .replace(/\\["n]|[\s'"]/gu, '')
    .replace(/\bTrue\b/gu, 'true')
    .replace(/\bFalse\b/gu, 'false')
    .replace(/\bNone\b/gu, 'null')
}
