import type { SourceRef } from '../../schema/event.ts'
import { createLog, type ImportLog } from '../shared/import-log.ts'
import type { RawLine } from '../source.ts'
import { scanPrefix } from './prefix.ts'
import { parseJson } from './value.ts'

type Take = (value: unknown, ref: SourceRef) => void

/**
 * [I5] The values of one line. Normally one; two when a writer lost a newline (`}{`); none when the
 * line is blank, a `//` comment, or bad. Whole records in a bad line are still read.
 */
export function recordsOfLine(line: RawLine, log: ImportLog, take: Take): void {
  if (line.broken !== undefined) {
    log.problem('bad_json', line, line.broken)
    return
  }
  if (line.tooLong) {
    log.problem('too_long', line, 'longer than this program can hold as one text')
    return
  }
  if (line.nul) {
    recordsBetweenNuls(line, log, take)
    return
  }
  const value = parseJson(line.text)
  if (value !== undefined) take(value, refOf(line))
  else if (line.text.trim() !== '') badLine(line, log, take)
}

/** [I54] Whether a last line without newline already holds a record, or something that is counted. */
export function saysSomething(line: RawLine): boolean {
  const scratch = createLog()
  const found: unknown[] = []
  recordsOfLine(line, scratch, (value) => found.push(value))
  return found.length > 0 || Object.keys(scratch.report().skipped).length > 0
}

function refOf(line: RawLine): SourceRef {
  return { offset: line.offset, length: line.length, line: line.line }
}

/** A crash leaves blocks of NUL bytes; records before and after them are good. */
function recordsBetweenNuls(line: RawLine, log: ImportLog, take: Take): void {
  const pieces = line.text.split(/\0+/).filter((piece) => piece.trim() !== '')
  let lost = 0
  for (const piece of pieces) {
    const value = parseJson(piece)
    if (value === undefined) lost += 1
    else take(value, refOf(line))
  }
  const found = pieces.length - lost
  const rest = found > 0 ? `; ${found} whole record(s) beside them were read` : ''
  log.problem('nul_bytes', line, `NUL bytes, as a crash leaves them${rest}`)
}

function badLine(line: RawLine, log: ImportLog, take: Take): void {
  const text = line.text.trim()
  if (text.startsWith('//')) {
    log.skip('comment')
    return
  }
  const values = glued(text)
  for (const value of values.found) take(value, refOf(line))
  if (values.rest === '') return
  const kept =
    values.found.length > 0 ? `; ${values.found.length} whole record(s) in it were read` : ''
  if (line.unterminated) {
    log.problem(
      'torn_line',
      line,
      `the last line is not finished; its writer may still be at it${kept}`,
    )
  } else {
    log.problem('bad_json', line, `not valid JSON${kept}`)
  }
}

const MAX_TRIES = 32

/** Whole objects at the beginning of a text, and one at its end. `rest` is the remaining text. */
function glued(text: string): { readonly found: readonly unknown[]; readonly rest: string } {
  const found: unknown[] = []
  let at = 0
  while (at < text.length && text.charAt(at) === '{') {
    const prefix = scanPrefix(text, at)
    const value = prefix.state === 'complete' ? parseJson(text.slice(at, prefix.end)) : undefined
    if (prefix.state !== 'complete' || value === undefined) break
    found.push(value)
    at = prefix.end
  }
  const rest = text.slice(at)
  const tail = rest === '' ? undefined : lastWhole(rest)
  if (tail !== undefined) found.push(tail)
  return { found, rest }
}

/**
 * Finds a whole record that follows a cut-off one on the same line. It is a suffix that parses and is not in the
 * position of a member's or item's value. Without that condition, a line that lost its middle would yield a nested
 * object as a record.
 */
function lastWhole(text: string): unknown {
  if (!text.endsWith('}')) return undefined
  let at = text.indexOf('{"', 1)
  for (let tries = 0; at >= 0 && tries < MAX_TRIES; at = text.indexOf('{"', at + 1)) {
    if (/[:,[]\s{0,8}$/.test(text.slice(Math.max(0, at - 9), at))) continue
    tries += 1
    const value = parseJson(text.slice(at))
    if (value !== undefined) return value
  }
  return undefined
}
