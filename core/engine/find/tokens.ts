import { type Problem, type Result, err, mapOk, ok } from '../result.ts'

/** A value as it was written. Columns are 1-based and count UTF-16 units of the query. */
export interface RawValue {
  readonly form: 'bare' | 'quoted' | 'regex'
  /** Without quotes, escapes and slashes. */
  readonly text: string
  /** Of a regular expression. */
  readonly flags: string
  readonly column: number
}

/** One term as it was written; `filter` is null for a text. */
export interface RawTerm {
  readonly negated: boolean
  readonly filter: string | null
  readonly values: readonly RawValue[]
}

/** The error message about a column of the query. */
export function queryProblem(what: string, column: number, advice: string): Problem {
  return { what, where: `column ${column} of the query`, do: advice }
}

/** [X17] A filter with a comparison in place of the colon, which starts its value: `tokens>150k`. */
const COMPARISON = /(tokens)(?=[<>])/uy
const BLANKS = /\s+/uy
/** `-` excludes only before something that can be a term: `->` and `--flag` are words. */
const EXCLUDES = /-(?=[\p{L}\p{N}"/_])/uy
/**
 * [F5] [F71] A filter is written in small letters and has its value right behind the colon. Addresses
 * (`http://…`) and names with two colons (`std::vector`) are texts.
 */
const FILTER = /([a-z]+):(?!\/\/|:)(?=\S)/uy
const BARE = /\S+/uy
const BARE_VALUE = /[^\s,]+/uy
const QUOTED = /"((?:[^"\\]|\\.)*)"/suy
const REGEX = /\/((?:[^\\/[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/([gimsuvdy]*)(?=[\s,]|$)/uy

type IsFilter = (name: string, column: number) => Result<boolean>

/** A place in a query that moves on as it is read. */
interface Cursor {
  readonly query: string
  at: number
}

/**
 * Cuts a query into terms [F1 to F5]. `isFilter` says which words before a colon are filters; any
 * other word with a colon (`http://…`, `std::vector`) is a text.
 */
export function readTerms(query: string, isFilter: IsFilter): Result<readonly RawTerm[]> {
  const cursor: Cursor = { query, at: 0 }
  const terms: RawTerm[] = []
  for (take(cursor, BLANKS); cursor.at < query.length; take(cursor, BLANKS)) {
    const next = readTerm(cursor, isFilter)
    if (!next.ok) return next
    terms.push(next.value)
  }
  return ok(terms)
}

/** Matches the pattern at the cursor, and moves the cursor past the match. */
function take(cursor: Cursor, pattern: RegExp): RegExpExecArray | null {
  pattern.lastIndex = cursor.at
  const found = pattern.exec(cursor.query)
  if (found !== null) cursor.at += found[0].length
  return found
}

function readTerm(cursor: Cursor, isFilter: IsFilter): Result<RawTerm> {
  const negated = take(cursor, EXCLUDES) !== null
  const filter = readFilter(cursor, isFilter)
  if (!filter.ok) return filter
  const values = filter.value === null ? oneValue(cursor) : filterValues(cursor)
  return mapOk(values, (read) => ({ negated, filter: filter.value, values: read }))
}

function readFilter(cursor: Cursor, isFilter: IsFilter): Result<string | null> {
  const compared = take(cursor, COMPARISON)?.[1]
  if (compared !== undefined) return ok(compared)
  const start = cursor.at
  const name = take(cursor, FILTER)?.[1]
  if (name === undefined) return ok(null)
  const known = isFilter(name, start + 1)
  if (!known.ok) return known
  if (known.value) return ok(name)
  cursor.at = start
  return ok(null)
}

function oneValue(cursor: Cursor): Result<readonly RawValue[]> {
  return mapOk(readValue(cursor, BARE), (value) => [value])
}

function filterValues(cursor: Cursor): Result<readonly RawValue[]> {
  const values: RawValue[] = []
  for (;;) {
    const next = readValue(cursor, BARE_VALUE)
    if (!next.ok) return next
    values.push(next.value)
    if (cursor.query[cursor.at] !== ',') return ok(values)
    cursor.at += 1
  }
}

function readValue(cursor: Cursor, bare: RegExp): Result<RawValue> {
  const column = cursor.at + 1
  const quoted = take(cursor, QUOTED)
  if (quoted !== null) {
    const text = (quoted[1] ?? '').replaceAll(/\\(["\\])/gu, '$1')
    return ok({ form: 'quoted', text, flags: '', column })
  }
  if (cursor.query[cursor.at] === '"') {
    return err(queryProblem('this quote is not closed', column, 'Put a " where the text ends'))
  }
  const regex = take(cursor, REGEX)
  if (regex !== null) {
    return ok({ form: 'regex', text: regex[1] ?? '', flags: regex[2] ?? '', column })
  }
  const text = take(cursor, bare)?.[0] ?? ''
  if (text !== '') return ok({ form: 'bare', text, flags: '', column })
  return err(queryProblem('a value is missing', column, 'Write one, or leave the comma out'))
}
