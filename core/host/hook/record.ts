import { join } from 'node:path'
import { z } from 'zod'
import type { TextPart } from '../../engine/import/shared/user-text.ts'
import { jsonText } from '../../engine/json-text.ts'
import { parseJson } from '../../engine/result.ts'
import { BeliefState } from '../../engine/schema/trace.ts'
import { EventLine, SCHEMA_VERSION } from '../../engine/session-file.ts'
import { appendLine } from '../platform/files/atomic-file.ts'
import {
  LONG_TEXT_BYTES,
  isMissing,
  openRegular,
  readText,
  readHeadSync,
} from '../platform/files/regular-file.ts'
import { recordFile, type RecordOwner } from '../platform/files/record-name.ts'
import type { HookAgent, HookPrompt } from './agents.ts'
import { jsonAs } from '../platform/json.ts'

/** [F172] Data recorded with a prompt, in the field `hook` of its line. */
export const HookMark = z.object({
  /** As `pipe` writes it (F110). */
  config: z.string(),
  engine: z.string(),
  /** State after the turn. Null if the preset does not classify user messages. */
  state: BeliefState.nullable(),
  /** Signals that took too long and count as not matched. */
  cut_off: z.array(z.string()),
})
export type HookMark = Readonly<z.infer<typeof HookMark>>

/** [F207] The path of the transcript of a session. */
export function recordPath(folder: string, agent: string, session: string): string {
  return recordFile(join(folder, agent), { kind: 'session', name: session }, sessionIn)
}

/** Bytes at the end of a record that are looked at first: a prompt is seldom longer. */
const TAIL = 64 * 1024

/** Last prompt of a record, and whether there is a record. */
export interface LastPrompt {
  readonly isNew: boolean
  readonly mark: HookMark | null
}

/**
 * [F173] The mark of the last completely recorded prompt. Also null if that line was modified. A torn line is skipped.
 */
export async function lastPrompt(path: string): Promise<LastPrompt> {
  const tail = await tailOf(path)
  if (tail === null) return { isNew: true, mark: null }
  const prompt = tail.split('\n').findLast((line) => promptIn(line) !== null) ?? ''
  const mark = HookMark.safeParse(promptIn(prompt)?.['hook'])
  return { isNew: false, mark: mark.success ? mark.data : null }
}

/** The prompt in a line of a record; null if it has none. */
function promptIn(line: string): EventLine | null {
  const value = line === '' ? null : parseJson(line)
  const parsed = value?.ok === true ? EventLine.safeParse(value.value) : null
  return parsed?.success === true && parsed.data.kind === 'user' ? parsed.data : null
}

/** Null if the file does not exist. */
async function tailOf(path: string): Promise<string | null> {
  try {
    const file = await openRegular(path)
    try {
      const { size } = await file.stat()
      const from = Math.max(0, size - TAIL)
      const { buffer, bytesRead } = await file.read(Buffer.alloc(size - from), 0, size - from, from)
      const text = buffer.toString('utf8', 0, bytesRead)
      // The first line of a part is seldom a whole one.
      return from === 0 ? text : text.slice(text.indexOf('\n') + 1)
    } finally {
      await file.close()
    }
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

/** All prompts that were recorded, in their order; lines that cannot be used are left out. */
export async function recordedPrompts(path: string): Promise<readonly string[]> {
  const lines = (await readText(path, LONG_TEXT_BYTES)).split('\n')
  return lines.flatMap((line) => promptIn(line)?.text ?? [])
}

/** A prompt that was answered. */
export interface AnsweredPrompt {
  readonly agent: HookAgent
  readonly prompt: HookPrompt
  /** The prompt by speaker; one part is the user's unless a program wrote the whole prompt. */
  readonly parts: readonly TextPart[]
  /** Epoch milliseconds. */
  readonly at: number
  /** Null when the prompt has no part of the user. */
  readonly mark: HookMark | null
  /** `_bst_domain` and `_bst_compound` (E5); empty if the prompt is not a turn. */
  readonly written: object
  readonly enrichment: string
}

/**
 * [F172] Appends a prompt, and the text injected for it, to the record of its session. The record is a transcript in
 * the native format, readable by its owner only, in an existing folder. It survives a killed process. Because the user
 * waits, the write does not wait for the disk.
 */
export async function addToRecord(
  path: string,
  isNew: boolean,
  answered: AnsweredPrompt,
): Promise<void> {
  const { agent, parts, at, mark, written, enrichment } = answered
  const lines = [
    ...(isNew ? [headerOf(answered)] : []),
    ...parts.map(({ kind, rule, text }) =>
      kind === 'user'
        ? { kind, at, text, ...written, hook: mark }
        : { kind, at, ...(rule === null ? {} : { name: rule }), text },
    ),
    ...(enrichment === '' || !agent.injects
      ? []
      : [{ kind: 'injected', at, name: 'turnscope', text: enrichment }]),
  ]
  await appendLine(path, lines.map(jsonText).join('\n'), false)
}

/** UTF-16 units of a prompt that make a title. */
const TITLE = 80

function headerOf({ agent, prompt, parts, at }: AnsweredPrompt): object {
  const typed = parts.find((part) => part.kind === 'user')?.text ?? ''
  const first = typed.trim().split('\n', 1)[0] ?? ''
  const title = first.length > TITLE ? `${first.slice(0, TITLE)}…` : first
  return {
    type: 'session',
    schemaVersion: SCHEMA_VERSION,
    id: prompt.session,
    title: title === '' ? agent.label : title,
    startedAt: at,
    cwd: prompt.cwd,
    recordedBy: { hook: agent.name, transcript: prompt.transcript },
  }
}

const Header = z.object({ type: z.literal('session'), id: z.string() })

/** Bytes of a header that are read: names may have thousands of characters. */
const HEADER_BYTES = 256 * 1024

/** [F207] The session that the header of a record names; null if it has no header. */
function sessionIn(path: string): RecordOwner | null {
  // A folder or a pipe in its place is reported when the record is written.
  const head = headOf(path)
  const [line = ''] = head.split('\n', 1)
  const header = jsonAs(Header, line)
  return header === null ? null : { kind: 'session', name: header.id }
}

function headOf(path: string): string {
  try {
    return readHeadSync(path, HEADER_BYTES).toString('utf8')
  } catch {
    return ''
  }
}
