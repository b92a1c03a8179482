import { err, ok, type Problem, type Result } from '../result.ts'
import { NO_TEXTS } from '../schema/event.ts'
import { documentSteps, takeValue } from './json/document-records.ts'
import { recordsOfLine, saysSomething } from './json/line-records.ts'
import { parseJson } from './json/value.ts'
import { finishSessions, keepText, type TextStore } from './shared/drafts.ts'
import { createAccounts, type Accounts } from './shared/record-counts.ts'
import {
  MAX_PROBLEMS,
  createLog,
  type ImportLog,
  type LogReport,
  type RecordCounts,
} from './shared/import-log.ts'
import type {
  Companion,
  ImportedTranscript,
  Importer,
  RawLine,
  Reader,
  Source,
  Split,
} from './source.ts'

/** The import of one file and of the files that are read after it. */
export interface ImportRun {
  readonly importer: Importer
  /** Whether the records of a file are lines. Then reading can continue at the old end after the file grew. */
  byLines(source: Source): boolean
  /** Reads the file; gives back control after each batch, so that the host can look, report and stop. */
  steps(): AsyncGenerator<void, void>
  /**
   * Reads what another source has: the same file after it grew, or a companion. `file` is its place
   * in the transcript's `files`.
   */
  readMore(source: Source, file?: number): AsyncGenerator<void, void>
  /**
   * [I54] Whether a last line without newline is used already. A record is used if it is whole; a line of
   * text is used unless the file is still followed (`following`).
   */
  takesLast(line: RawLine, following: boolean): boolean
  /** [I101] Whether a companion belongs to the sessions read so far. */
  claims(companion: Companion): boolean
  /**
   * The sessions read so far. A refusal concerns the whole file. Incomplete last lines are listed as problems.
   * `companions` holds the names of the companion files.
   */
  snapshot(around?: Around): Result<ImportedTranscript>
  /** [I143] The reason why there is no session, if the format can provide it. */
  nothing(): Problem | null
  /** [I109] Share of the records that say something that was read so far, from 0 to 1. */
  readonly share: () => number
}

export interface Around {
  readonly held?: readonly HeldLine[]
  readonly companions?: readonly string[]
  /** [I56] Files that belong to the transcript, and are more than are read with it. */
  readonly left?: readonly string[]
}

/** A last line that is held back because it is not whole. */
export interface HeldLine {
  readonly line: RawLine
  readonly file?: number | undefined
}

/** Reads a file with one importer. With `texts`, the texts of events move there after each batch. */
export function startImport(
  source: Source,
  importer: Importer,
  texts: TextStore | null = null,
): ImportRun {
  const log = createLog()
  const accounts = createAccounts(log, importer.shares)
  const reader = counting(importer.read(accounts.log, texts ?? NO_TEXTS), accounts)
  const split = importer.split(source)
  const settler = createSettler(reader, texts)
  const members = split.by === 'members' ? split.names : []

  async function* readMore(from: Source, file?: number): AsyncGenerator<void, void> {
    const steps =
      file === undefined
        ? recordSteps(from, split, log, reader)
        : recordSteps(from, importer.split(from), inFile(log, file), {
            ...reader,
            take: ({ ref, ...record }) =>
              reader.take({ ...record, ref: { ...ref, file }, folder: folderOf(from.name) }),
          })
    try {
      while ((await steps.next()).done !== true) {
        settler.settle()
        yield
      }
    } finally {
      await steps.return()
    }
    settler.settle(true)
  }

  return {
    importer,
    byLines(of) {
      const by = importer.split(of)
      return by.by === 'lines' || (by.by === 'records' && !isDocument(of, by))
    },
    claims: (companion) => reader.claims?.(companion) ?? true,
    nothing: () => reader.nothing?.() ?? null,
    steps: () => readMore(source),
    share: accounts.share,
    readMore,
    takesLast(line, following) {
      if (split.by === 'lines') return !following
      // Most checks of a long line that is still being written can be skipped.
      return (!following || /[}\]]\s*$/.test(line.text.slice(-80))) && saysSomething(line)
    },
    snapshot({ held = [], companions = [], left = [] } = {}) {
      const refusal = reader.refusal?.() ?? null
      if (refusal !== null) {
        return err({ ...refusal, where: `${source.name}, ${refusal.where}` })
      }
      reader.tidy?.()
      settler.tidied()
      const sessions = finishSessions(reader.drafts(), texts ?? NO_TEXTS)
      const files = [...members, ...companions]
      const report = reportOf(log, accounts, { held, companions, left })
      return ok({ format: importer.name, sessions, files, ...report })
    },
  }
}

/** [I108] The reader whose records are accounted for. */
function counting(reader: Reader, accounts: Accounts): Reader {
  return { ...reader, take: (record) => accounts.take(record, reader.take) }
}

/** [I56] Says how many files belong to the transcript and were not read with it, and names the first. */
function sayLeft(log: ImportLog, { left, companions }: Required<Around>): void {
  const [first] = left
  if (first === undefined) return
  const [files, them] =
    left.length === 1
      ? ['1 more file belongs to this session and is', 'it by itself']
      : [`${left.length} more files belong to this session and are`, 'them by themselves']
  const text = left.length === 1 ? first : `${first}, …`
  const message = `${files} not read with it: at most ${companions.length} are. Open ${them}`
  log.problem('unknown_shape', { offset: 0, length: 0, line: 1, text }, message)
}

/** The report, with files that were left out and lines that are held back as problems (I54). */
function reportOf(
  log: ImportLog,
  accounts: Accounts,
  around: Required<Around>,
): LogReport & { readonly records: RecordCounts } {
  const scratch = createLog()
  sayLeft(scratch, around)
  for (const { line, file } of around.held) {
    scratch.countLine(line.line)
    recordsOfLine(line, file === undefined ? scratch : inFile(scratch, file), () => undefined)
  }
  const read = log.report()
  const more = scratch.report()
  const kinds = accounts.problems()
  return {
    ...read,
    records: { ...accounts.counts() },
    problems: [...kinds, ...read.problems, ...more.problems].slice(0, MAX_PROBLEMS),
    problemTotal: read.problemTotal + more.problemTotal + kinds.length,
    lines: Math.max(read.lines, more.lines),
  }
}

/** The name of a file's parent folder; undefined if its path has none. */
function folderOf(path: string): string | undefined {
  return /([^/\\]+)[/\\][^/\\]+$/.exec(path)?.[1]
}

/** Marks problems of a companion file with its index; its lines are not counted for the main file. */
function inFile(log: ImportLog, file: number): ImportLog {
  return {
    ...log,
    countLine: () => undefined,
    problem: (code, place, message) => log.problem(code, { ...place, file }, message),
    unusable: ({ value, ref }, message) => log.unusable({ value, ref: { ...ref, file } }, message),
  }
}

async function* recordSteps(
  source: Source,
  given: Split,
  log: ImportLog,
  reader: Reader,
): AsyncGenerator<void, void> {
  // [I146] Of a table each row is a document.
  const isRow = source.columns !== undefined && given.by === 'document'
  const split: Split = isRow ? { by: 'records', arrays: true } : given
  if (split.by === 'members') yield* memberSteps(source, split.names, log, reader)
  else if (split.by === 'lines') yield* lineSteps(source, log, reader)
  else if (split.by === 'document' || isDocument(source, split)) {
    yield* documentSteps(await source.document(), split, log, reader.take)
  } else {
    const take: Reader['take'] =
      source.columns === undefined ? reader.take : (record) => reader.take({ ...record, row: true })
    for await (const batch of source.lines()) {
      for (const line of batch) {
        log.countLine(line.line)
        recordsOfLine(line, log, (value, ref) => takeValue({ value, ref }, split, log, take))
      }
      yield
    }
  }
}

/** One line may hold a whole list; a file that is one such line is better read as a document, item by item. */
function isDocument(source: Source, split: Split & { readonly by: 'records' }): boolean {
  if (source.columns !== undefined || source.isDatabase === true) return false
  const { layout, values, text } = source.head
  if (layout === 'document') return true
  // A torn line beside a whole one must not make the file one document.
  const value = values.length === 1 && !text.trim().includes('\n') ? values[0] : null
  if (typeof value !== 'object' || value === null) return false
  return (split.lists ?? []).some(
    (key) => Object.hasOwn(value, key) && Array.isArray((value as Record<string, unknown>)[key]),
  )
}

/** Markdown and plain text: every line counts, blank ones too. */
async function* lineSteps(source: Source, log: ImportLog, reader: Reader): AsyncGenerator<void> {
  for await (const batch of source.lines()) {
    for (const line of batch) {
      log.countLine(line.line)
      if (line.tooLong)
        log.problem('too_long', line, 'longer than this program can hold as one text')
      const { offset, length, text } = line
      reader.take({ value: text, ref: { offset, length, line: line.line } })
    }
    yield
  }
}

async function* memberSteps(
  source: Source,
  names: readonly string[],
  log: ImportLog,
  reader: Reader,
): AsyncGenerator<void> {
  log.countLine(1)
  for (const { name, why } of source.members?.left ?? []) {
    const place = { offset: 0, length: 0, line: 1, text: name }
    log.problem('unknown_shape', place, `the member ${name} was left out: ${why}`)
  }
  for (const [file, member] of names.entries()) {
    const text = await memberText(source, member, log)
    if (text !== null) {
      const ref = { offset: 0, length: source.members?.bytes(member) ?? 0, line: 1, file }
      const value = parseJson(text)
      if (value !== undefined) reader.take({ value, ref, member })
      else log.problem('bad_json', { ...ref, text }, `the member ${member} is not valid JSON`)
    }
    yield
  }
}

/** The text of a member; null, and a problem, when it cannot be read. */
async function memberText(source: Source, member: string, log: ImportLog): Promise<string | null> {
  const text = await source.members?.text(member)
  if (text === undefined) return null
  if (text.ok) return text.value
  const place = { offset: 0, length: 0, line: 1, text: member }
  log.problem('bad_json', place, `the member ${member} cannot be read: ${text.error.what}`)
  return null
}

/** At most this many sessions are searched for new events per batch of records. */
const SESSIONS_A_BATCH = 400

interface Settler {
  /** Moves the texts of events that came since the last time. */
  readonly settle: (now?: boolean) => void
  /** Called after `tidy`, which may have removed events. */
  readonly tidied: () => void
}

function createSettler(reader: Reader, texts: TextStore | null): Settler {
  if (texts === null) return { settle: () => undefined, tidied: () => undefined }
  let wait = 0
  return {
    settle(now = false) {
      // Searching a hundred thousand short sessions after each batch would cost more than reading.
      wait -= 1
      if (wait > 0 && !now) return
      wait = 0
      for (const session of reader.drafts()) {
        const { events, settled = 0 } = session
        for (let at = settled; at < events.length; at += 1) {
          const event = events[at]
          if (event !== undefined) keepText(event, texts)
        }
        session.settled = events.length
        wait += 1 / SESSIONS_A_BATCH
      }
    },
    tidied() {
      for (const session of reader.drafts()) session.settled = session.events.length
    },
  }
}
