/** A value with its place; `text` is without the backslashes of its escapes. */
export interface ReadValue {
  readonly start: number
  readonly end: number
  readonly text: string
  /** The quote around it; empty for a bare value. */
  readonly quote: string
}

/** Units of a value that are read. */
export const MOST_UNITS = 1000
/** Escaped or not, and behind the letters that Python and C# write before a string. */
const OPENER = /(?:[bfru@$]{0,2})(?<slashes>\\{0,15})(?<quote>["'`])/uy
const BLANK = /\s/u

/**
 * [R15] The value that begins with a quote at `at`, null if there is none or it is not closed. Inside JSON in JSON the quote
 * has backslashes: those of the opening quote tell how deep it is, and so which later quote closes it.
 */
export function quotedAt(text: string, at: number): ReadValue | null {
  OPENER.lastIndex = at
  const opener = OPENER.exec(text)
  if (opener === null) return null
  const { slashes = '', quote = '' } = opener.groups ?? {}
  const start = at + opener[0].length
  const end = closing(text, start, { quote, depth: slashes.length })
  if (end === null) return null
  const raw = text.slice(start, end)
  // The quote ended a text instead of beginning one: what follows is JSON's own.
  if (/^\s*[,:\]}]/u.test(raw)) return null
  // A double quote in other quotes may end the JSON text around them.
  if (quote !== '"' && /(?<!\\)"/u.test(raw) && /[\s,:{}[\]]/u.test(raw)) return null
  return { start, end, text: unescaped(raw), quote }
}

/** Returns the end of a quoted value, before the closing quote and its backslashes. */
function closing(
  text: string,
  start: number,
  { quote, depth }: { readonly quote: string; readonly depth: number },
): number | null {
  let run = 0
  const last = Math.min(text.length, start + MOST_UNITS)
  for (let at = start; at < last; at += 1) {
    const char = text[at]
    if (char === '\\') {
      run += 1
      continue
    }
    if (char === '\n' || char === '\r') return null
    if (char === quote) {
      const rest = run % (2 * depth + 2)
      if (rest === depth) return at - depth
      if (rest < depth) return null
    }
    run = 0
  }
  return null
}

/** Additional characters that end a bare value, besides blanks, quotes and angle brackets. */
export interface BareEnd {
  /** In a query: `&` and `#` end it. */
  readonly isQuery?: boolean
  /** In a list of settings: `;` ends it. */
  readonly isList?: boolean
}

const STOPS = new Set('"\'`<>，。；、）」』｜')

/** Reads bare values of one text. */
export type BareReader = (at: number, how: BareEnd) => ReadValue | null

/**
 * [R15] Bare values end before quotes and before escapes that represent blanks, so that JSON remains valid. A reader
 * remembers the end of its last value, so that a run of names is read once [R3].
 */
export function bareReader(text: string): BareReader {
  const known = new Map<number, { readonly from: number; readonly to: number }>()
  return (at, how) => {
    const id = Number(how.isQuery ?? false) + 2 * Number(how.isList ?? false)
    const last = known.get(id)
    const isKnown = last !== undefined && last.from <= at && at < last.to
    const to = isKnown ? last.to : runEnd(text, at, how)
    if (!isKnown) known.set(id, { from: at, to })
    if (to - at > MOST_UNITS) return null
    const end = trimmedEnd(text, at, to)
    if (end <= at) return null
    return { start: at, end, text: unescaped(text.slice(at, end)), quote: '' }
  }
}

function runEnd(text: string, at: number, how: BareEnd): number {
  let end = at
  while (end < text.length && !isEnd(text.charAt(end), how)) {
    if (text[end] !== '\\') {
      end += 1
      continue
    }
    let behind = end
    while (text[behind] === '\\') behind += 1
    if (behind >= text.length || /[nrt"'`\s]/u.test(text.charAt(behind))) break
    if (how.isQuery === true && /^u0026/iu.test(text.slice(behind, behind + 5))) break
    end = behind + 1
  }
  return end
}

function isEnd(char: string, { isQuery, isList }: BareEnd): boolean {
  if (char <= ' ' || char === '\u007f' || STOPS.has(char)) return true
  if (char === '&' || char === '#') return isQuery === true
  if (char === ';') return isList === true
  return char > '~' && BLANK.test(char)
}

const PAIRS: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' }

/** Without the punctuation of the sentence or the list around it. */
function trimmedEnd(text: string, start: number, from: number): number {
  let end = from
  while (end > start) {
    const char = text.charAt(end - 1)
    const opener = PAIRS[char]
    const isOpen = opener !== undefined && text.slice(start, end - 1).includes(opener)
    if (isOpen || (opener === undefined && !/[.,;:*|]/u.test(char))) break
    // Trimming further would leave the preceding backslash without the character it escapes.
    if (text[end - 2] === '\\') break
    end -= 1
  }
  return end
}

/** Without the backslashes before quotes, slashes and backslashes; other escapes stay as they are. */
function unescaped(raw: string): string {
  return raw.replaceAll(/\\+(?=["'`/\\])/gu, '').replaceAll(/\\{2,}/gu, '\\')
}
