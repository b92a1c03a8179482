import type { LineProblem } from '../../schema/session.ts'
import type { RawRecord } from '../source.ts'
import { draftsMade } from './drafts.ts'
import { compact, isList, isObject, own } from './guards.ts'
import { problemAt, type ImportLog, type RecordCounts } from './import-log.ts'
import { takeUnknown } from './user-text.ts'

export interface Accounts {
  /** The log that the importer writes to. */
  readonly log: ImportLog
  /** Passes a record to the importer, and records the outcome. */
  readonly take: (record: RawRecord, take: (record: RawRecord) => void) => void
  readonly counts: () => RecordCounts
  /** [I109] Share of what says something that was read, from 0 to 1; 1 where nothing does. */
  readonly share: () => number
  /** One problem a kind, in the order of their first records. */
  readonly problems: () => readonly LineProblem[]
}

/** Parts that are known and have no text: only the provider can read them. */
const KNOWN_PARTS = new Set(['part/encrypted_content'])

function isUnknownPart(label: string): boolean {
  return (label.startsWith('part/') || label.startsWith('block/')) && !KNOWN_PARTS.has(label)
}

const EMPTY = / without (?:content|text)$/

/** Outcome of the current record so far. */
interface Outcome {
  readonly unknown: Array<{ readonly kind: string; readonly of: 'record' | 'part' }>
  readonly labels: string[]
  unusable: number
  used: boolean
}

/** The log that records the calls for the current record. */
function notingLog(base: ImportLog, now: () => Outcome): ImportLog {
  return {
    ...base,
    skip(label) {
      if (isUnknownPart(label)) {
        now().unknown.push({ kind: label.replace(/^\w+\//, ''), of: 'part' })
        return
      }
      now().labels.push(label)
      base.skip(label)
    },
    unknown(kind) {
      now().unknown.push({ kind, of: 'record' })
    },
    used() {
      now().used = true
    },
    problem(code, place, message) {
      now().unusable += 1
      base.problem(code, place, message)
    },
    unusable(one, message) {
      now().unusable += 1
      base.unusable(one, message)
    },
  }
}

/**
 * [I108] Accounts for every record of a file as read, known and skipped, or of an unknown kind.
 * `strict`: the format is known by little, so that a record without words counts against it too.
 */
export function createAccounts(base: ImportLog, strict = false): Accounts {
  const kinds = createUnknownKinds()
  const counts = { records: 0, read: 0, skipped: 0, unknown: 0 }
  const said = { read: 0, lost: 0 }
  let now = fresh()

  return {
    log: notingLog(base, () => now),
    take(record, take) {
      const before = draftsMade()
      now = fresh()
      // Discards unknown kinds noted by other files in between; they do not belong to this record.
      takeUnknown()
      take(record)
      for (const what of takeUnknown()) kinds.note(what, 'wrapper', record)
      const made = draftsMade() - before
      const hidden = hiddenWords(record, now, made)
      if (hidden !== null) now.unknown.push({ kind: hidden, of: 'record' })
      for (const { kind, of } of now.unknown) kinds.note(kind, of, record)
      const become = becomeOf(now, made)
      counts.records += 1
      counts[become] += 1
      const { read, lost } = weigh(record, now, { become, made, strict })
      said.read += read
      said.lost += lost
    },
    counts: () => counts,
    share: () => (said.lost === 0 ? 1 : said.read / (said.read + said.lost)),
    problems: kinds.problems,
  }
}

type Become = 'read' | 'skipped' | 'unknown'

function becomeOf({ unknown, unusable, used, labels }: Outcome, made: number): Become {
  if (made > 0 || used) return 'read'
  if (unknown.length + unusable > 0) return 'unknown'
  return labels.length === 0 ? 'read' : 'skipped'
}

/** The kind of a message that is reported as empty but has text where the format expects none. */
function hiddenWords({ value }: RawRecord, now: Outcome, made: number): string | null {
  if (made > 0 || now.used) return null
  const empty = now.labels.find((label) => EMPTY.test(label))
  return empty !== undefined && saysWords(contentOf(value), 0) ? empty.replace(EMPTY, '') : null
}

interface Taken {
  readonly become: Become
  readonly made: number
  readonly strict: boolean
}

/** [I109] Measures how much of a record's content was read, and how much was lost. */
function weigh(
  { value }: RawRecord,
  { unknown, unusable }: Outcome,
  { become, made, strict }: Taken,
): { readonly read: number; readonly lost: number } {
  if (unknown.length + unusable === 0) return { read: become === 'read' ? 1 : 0, lost: 0 }
  // A record that holds a list of messages counts as many as it holds.
  if (become === 'read') return { read: Math.max(made, 1), lost: unusable }
  // A kind that says nothing is bookkeeping of a newer version; where nearly any shape is taken, none is.
  if (saysWords(value, 0)) return { read: 0, lost: Math.max(unusable, 1) }
  return { read: 0, lost: strict && unusable > 0 ? 1 : 0 }
}

function fresh(): Outcome {
  return { unknown: [], labels: [], unusable: 0, used: false }
}

/** Content keys of messages in the known formats. */
const CONTENT = ['content', 'text', 'parts', 'message', 'body']

function contentOf(value: unknown): readonly unknown[] {
  const holders = [value, own(value, 'message'), own(value, 'payload')]
  return holders.flatMap((holder) =>
    CONTENT.map((key) => own(holder, key)).filter((held) => !isObject(held)),
  )
}

const WORDS = /\p{L}+\s+\p{L}+/u
const DEEPEST = 6
const WIDEST = 40

/** Whether a value holds words: two of them beside each other in one text. */
function saysWords(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return WORDS.test(value.slice(0, 2000))
  if (depth >= DEEPEST) return false
  const inner = isList(value) ? value : isObject(value) ? Object.values(value) : []
  return inner.slice(0, WIDEST).some((each) => saysWords(each, depth + 1))
}

/** Places of one unknown kind that are named. */
const PLACES = 10
/** A hostile file may use a different kind on each line. */
const KINDS = 200

interface Kind {
  readonly of: Of
  count: number
  readonly first: LineProblem
  readonly lines: number[]
}

type Of = 'record' | 'part' | 'wrapper'

/** [I108] Kinds of records, and of parts of messages, that a format does not know. [I172] Wrappers of messages too. */
interface UnknownKinds {
  readonly note: (kind: string, of: Of, record: RawRecord) => void
  /** One problem a kind, in the order of their first records. */
  readonly problems: () => readonly LineProblem[]
}

function createUnknownKinds(): UnknownKinds {
  const kinds = new Map<string, Kind>()
  return {
    note(kind, of, { value, ref }) {
      const short = kind.slice(0, 80)
      const name = kinds.has(short) || kinds.size < KINDS ? short : 'other kinds'
      const known = kinds.get(name)
      const { line } = ref
      if (known === undefined) {
        const place = { ...ref, text: compact(value).slice(0, 400) }
        const first = problemAt('unknown_kind', place, of)
        kinds.set(name, { of, count: 1, first, lines: [line] })
        return
      }
      known.count += 1
      if (known.lines.length < PLACES && !known.lines.includes(line)) known.lines.push(line)
    },
    problems: () =>
      [...kinds].map(([kind, found]) => ({ ...found.first, message: told(kind, found) })),
  }
}

function told(kind: string, { of, count, first, lines }: Kind): string {
  const more = count > lines.length && lines.length === PLACES ? ', …' : ''
  const where = `${lines.length === 1 ? 'line' : 'lines'} ${lines.join(', ')}${more}`
  if (of === 'wrapper') {
    const messages = count === 1 ? '1 message' : `${count} messages`
    return `${messages} under the user's role counted as injected, because ${kind} is unknown: ${where}`
  }
  const what = count === 1 ? `1 ${first.message}` : `${count} ${first.message}s`
  return `${what} of the unknown kind “${kind}” ${count === 1 ? 'was' : 'were'} not read: ${where}`
}
