import { isNoticeAt } from '../notices.ts'
import type { StripQuoted } from '../schema/preset.ts'
import type { QuotedKind } from '../schema/trace.ts'

/** Whole lines of a text, without the last line break. Places are UTF-16 units, end exclusive. */
export interface QuotedLines {
  readonly from: number
  readonly to: number
  readonly why: QuotedKind
}

/** An opening fence; a fence of backticks has none behind it on its line. */
const FENCE = /^ {0,3}(?<fence>`{3,}(?=[^`]*$)|~{3,})/u

/**
 * Shapes of lines that programs print: of loggers (date, clock, level), test runners, compilers, package managers and
 * stack traces.
 */
const LOG_LINE = new RegExp(
  [
    // 2026-09-01T09:00:00, [09:00:00], Sep  1 09:00:00
    String.raw`[\[(]?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d`,
    String.raw`[\[(]?\d\d:\d\d:\d\d`,
    String.raw`[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d`,
    String.raw`[\[(]?(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL|CRITICAL|SEVERE|PANIC)(?:[\])]|:|\s)`,
    // Jest, Vitest, pytest, Go, TAP
    String.raw`(?:PASS|FAIL|PASSED|FAILED|SKIPPED|XFAIL)\s`,
    String.raw`(?:---|===) (?:RUN|PASS|FAIL|SKIP)\b`,
    String.raw`(?:not )?ok \d+`,
    '[✓✔✗✘×] ',
    String.raw`[=_-]{4,}(?:\s|$)`,
    String.raw`E {3,}\S`,
    // TypeError: …, java.lang.IllegalStateException: …, error[E0308]: …, error TS2322: …
    String.raw`(?:Uncaught )?(?:[A-Za-z_$][\w$]{0,60}\.){0,10}[A-Za-z_$]{0,60}(?:Error|Exception|Warning)(?: \[\w{1,40}\])?:\s`,
    String.raw`(?:error|warning|fatal)(?:\[\w{1,20}\]| TS\d{1,6})?: `,
    String.raw`(?:npm|yarn|pnpm) (?:ERR!|error|warn|WARN|notice)`,
    // Frames of stack traces
    String.raw`Traceback \(most recent call last\)`,
    String.raw`File "[^"\n]{1,300}", line \d`,
    String.raw`at (?:async )?[\w$.<>[\] ]{1,200} ?\(`,
    String.raw`at (?:\/|file:|node:|[A-Za-z]:\\|\w+\.\w)`,
    String.raw`(?:Caused by: |\.\.\. \d+ more)`,
    String.raw`(?:goroutine \d+ \[|thread '[^'\n]{0,80}' .{0,20}panicked at)`,
    // src/one.ts:3:5, --> src/one.rs:3:5, and the excerpt below
    String.raw`(?:--> )?[\w./@-]{1,200}:\d+(?::\d+)?(?::|\s|$)`,
    String.raw`[\w./@-]{1,200}\(\d+,\d+\):`,
    String.raw`\d{0,6} ?\| `,
    String.raw`[\^~]{2,}\s*$`,
  ]
    .map((shape) => `(?:${shape})`)
    .join('|'),
  'uy',
)
/** Lines of a log in a row that make it one: people write single lines themselves. */
const LEAST_LINES = 3
/** A line is read this far. */
const READ = 600

/** Spaces before the mark of a block; more make an indented line. */
const MOST_INDENT = 3

/** The character that may begin a block on the line at `from`; null if there is none. */
function markAt(text: string, from: number): '>' | '`' | '~' | null {
  let at = from
  while (at < from + MOST_INDENT && text.charCodeAt(at) === 0x20) at += 1
  const first = text.charAt(at)
  return first === '>' || first === '`' || first === '~' ? first : null
}

/** Could a text have a quotation or a fence? Most have none, and every scored text is asked. */
function hasBlockMarks(text: string): boolean {
  let at = 0
  do {
    if (markAt(text, at) !== null) return true
    at = text.indexOf('\n', at) + 1
  } while (at > 0)
  return false
}

function isLogLine(line: string): boolean {
  LOG_LINE.lastIndex = line.length - line.trimStart().length
  return LOG_LINE.test(line)
}

interface Line {
  readonly from: number
  readonly to: number
  readonly text: string
}

function* linesOf(text: string): Generator<Line, void, undefined> {
  for (let from = 0; from <= text.length;) {
    const at = text.indexOf('\n', from)
    const to = at < 0 ? text.length : at
    yield { from, to, text: text.slice(from, Math.min(to, from + READ)) }
    from = to + 1
  }
}

/** Quoted lines with all of their lines. */
interface Block extends QuotedLines {
  /** Of a log, the begin of its second line. */
  readonly second?: number
}

/** A log that is being read: its lines so far, and how many have the shape of one. */
interface OpenLog {
  readonly from: number
  /** Begin of its second line. */
  readonly second: number
  to: number
  shaped: number
}

/**
 * [B26] Quoted lines, fenced blocks and pasted logs of a text, in order. A fence without an end goes to the end of the
 * text; a log is at least three lines that programs print, with blank and indented lines between them, and its first
 * line counts: it is often the only sign of a fault. None if nothing else of the text has a letter: then the message is
 * what it quotes. Linear in the text.
 */
export function quotedIn(text: string, wanted: StripQuoted = NONE): readonly QuotedLines[] {
  if (!QUOTED_KINDS.some((kind) => wanted[kind] === true)) return []
  const all = blocksOf(text, wanted).filter(({ why }) => wanted[why] === true)
  if (!hasOwnWords(text, all)) return []
  return all.map(({ from, to, why, second = from }) => ({ from: second, to, why }))
}

const QUOTED_KINDS = ['quotation', 'fence', 'log', 'notice'] as const
const NONE: StripQuoted = { quotation: false, fence: false, log: false }

/**
 * Blocks in order. Quotations and fences are found together, because a quotation in a fence belongs to the fence; lines
 * are compared with the shapes of logs and notices only if these are wanted.
 */
function blocksOf(text: string, { log: logs, notice: notices }: StripQuoted): readonly Block[] {
  const hasBlocks = hasBlockMarks(text)
  if (!hasBlocks && !logs) return notices === true ? noticesOf(text) : []
  if (!hasBlocks && !text.includes('\n')) return []
  const found: Block[] = []
  let fence: { readonly mark: string; readonly from: number } | null = null
  let quote: { readonly from: number; to: number } | null = null
  let log: OpenLog | null = null
  const endQuote = (): void => {
    if (quote !== null) found.push({ ...quote, why: 'quotation' })
    quote = null
  }
  const endLog = (): void => {
    if (log !== null && log.shaped >= LEAST_LINES)
      found.push({ from: log.from, to: log.to, why: 'log', second: log.second })
    log = null
  }
  for (const line of linesOf(text)) {
    if (fence !== null) {
      if (!closes(line.text, fence.mark)) continue
      found.push({ from: fence.from, to: line.to, why: 'fence' })
      fence = null
      continue
    }
    const first = hasBlocks ? markAt(text, line.from) : null
    const mark =
      first === '`' || first === '~' ? FENCE.exec(line.text)?.groups?.['fence'] : undefined
    const isQuote = first === '>'
    const isOwn =
      notices === true && mark === undefined && !isQuote && isNoticeAt(text, line.from, line.to)
    if (mark !== undefined || isQuote || isOwn) endLog()
    if (!isQuote) endQuote()
    if (mark !== undefined) fence = { mark, from: line.from }
    else if (isQuote) {
      quote ??= { from: line.from, to: line.to }
      quote.to = line.to
    } else if (isOwn) found.push({ from: line.from, to: line.to, why: 'notice' })
    else if (logs) log = withLine(log, line, endLog)
  }
  endQuote()
  endLog()
  if (fence !== null) found.push({ from: fence.from, to: text.length, why: 'fence' })
  return found
}

/** Notices of a text without other blocks. A text of one line has none: then it is all that there is. */
function noticesOf(text: string): readonly Block[] {
  const found: Block[] = []
  for (let from = 0; from < text.length;) {
    const at = text.indexOf('\n', from)
    if (at < 0 && from === 0) break
    const to = at < 0 ? text.length : at
    if (isNoticeAt(text, from, to)) found.push({ from, to, why: 'notice' })
    from = to + 1
  }
  return found
}

/** The log with one more line; null if the line is not part of it. */
function withLine(log: OpenLog | null, line: Line, end: () => void): OpenLog | null {
  if (isLogLine(line.text)) {
    const open = log ?? { from: line.from, second: line.to + 1, to: line.to, shaped: 0 }
    open.to = line.to
    open.shaped += 1
    return open
  }
  if (log === null) return null
  if (line.text.trim() === '') return log
  // Source lines in a stack trace, and details of an entry, are indented.
  if (/^(?: {2}|\t)/u.test(line.text)) {
    log.to = line.to
    return log
  }
  end()
  return null
}

/** A fence ends with at least as many of its characters, alone on their line. */
function closes(line: string, mark: string): boolean {
  const own = line.trim()
  return own.length >= mark.length && own === (mark[0] ?? '').repeat(own.length)
}

const LETTER = /\p{L}/u

function hasOwnWords(text: string, found: readonly Block[]): boolean {
  let from = 0
  for (const block of found) {
    if (LETTER.test(text.slice(from, block.from))) return true
    from = block.to
  }
  return LETTER.test(text.slice(from))
}
