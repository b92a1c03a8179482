import { hash } from 'node:crypto'
import type { z } from 'zod'
import { parseJson } from '../../engine/result.ts'
import { NO_TEXTS, textOf, type SessionEvent, type TextReader } from '../../engine/schema/event.ts'
import { fieldWords } from '../../engine/schema/issue-words.ts'
import { LabelLine, SessionOutcome, TextLabel, TurnLabel } from '../../engine/schema/label.ts'

/** One line of a labels file: its value, or why it has none. `raw` is kept when the file is rewritten. */
export interface ReadLine {
  /** From 1. */
  readonly line: number
  readonly raw: string
  readonly value: LabelLine | null
  /** Null for good, empty and comment lines. */
  readonly problem: string | null
}

/** [T1] Reads a labels file: one bad line costs one line. Lines that begin with `#` are comments. */
export function parseLabels(text: string): readonly ReadLine[] {
  const lines = text.replace(/^\uFEFF/u, '').split(/\r?\n/u)
  if (lines.at(-1) === '') lines.pop()
  return lines.map((raw, index) => ({ line: index + 1, raw, ...parseLine(raw) }))
}

function parseLine(raw: string): Pick<ReadLine, 'value' | 'problem'> {
  const text = raw.trim()
  if (text === '' || text.startsWith('#')) return { value: null, problem: null }
  const json = parseJson(text)
  if (!json.ok) return { value: null, problem: 'not a line of JSON' }
  const parsed = schemaFor(json.value).safeParse(json.value)
  if (parsed.success) return { value: parsed.data, problem: null }
  const [issue] = parsed.error.issues
  return { value: null, problem: fieldWords(issue, 'the label') }
}

/** The kind that a line means to be, so that a problem speaks of that kind. */
function schemaFor(value: unknown): z.ZodType<LabelLine> {
  if (typeof value !== 'object' || value === null) return LabelLine
  if ('type' in value && value.type === 'outcome') return SessionOutcome
  return 'text' in value ? TextLabel : TurnLabel
}

export function isOutcome(line: LabelLine): line is SessionOutcome {
  return line.type === 'outcome'
}

export function isTextLabel(line: LabelLine): line is TextLabel {
  return 'text' in line
}

export function isTurnLabel(line: LabelLine): line is TurnLabel {
  return 'event' in line
}

/** SHA-256 of a text (UTF-8), in hex. */
export function hashOf(text: string): string {
  return hash('sha256', text)
}

/** Digits of the hash that are written. */
export const HASH_DIGITS = 16

/** An event that may bear a label. */
export type Labelled = Pick<SessionEvent, 'seq' | 'text'>

/** Finds the events that labels of one session refer to. Texts are hashed on first use. */
export interface LabelFinder {
  /** [T1] By number and hash; else the only event with that hash; else null. */
  find(label: Pick<TurnLabel, 'event' | 'sha256'>): number | null
}

export function createLabelFinder(
  events: readonly Labelled[],
  texts: TextReader = NO_TEXTS,
): LabelFinder {
  const bySeq = new Map(events.map((event) => [event.seq, event]))
  let byHash: ReadonlyMap<string, readonly number[]> | null = null

  const hasHash = (event: Labelled | undefined, sha256: string): boolean =>
    event !== undefined && hashOf(textOf(event, texts)).startsWith(sha256)

  const hashes = (): ReadonlyMap<string, readonly number[]> => {
    const found = new Map<string, number[]>()
    for (const event of events) {
      const key = hashOf(textOf(event, texts)).slice(0, HASH_DIGITS)
      found.set(key, [...(found.get(key) ?? []), event.seq])
    }
    return found
  }

  return {
    find: ({ event, sha256 }) => {
      if (hasHash(bySeq.get(event), sha256)) return event
      byHash ??= hashes()
      const same = byHash.get(sha256.slice(0, HASH_DIGITS)) ?? []
      const exact = same.filter((seq) => hasHash(bySeq.get(seq), sha256))
      return exact.length === 1 ? (exact[0] ?? null) : null
    },
  }
}
