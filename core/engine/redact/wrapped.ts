/** Units of a value that are looked at. */
const MOST = 700
const LETTERS = /[A-Za-z0-9_.+/=~-]*/uy
/** A line end with the indentation behind it, as it is or as JSON writes it. */
const BREAK = /(?:\r?\n|\\{1,8}r?\\{0,8}n)[ \t]{0,8}/uy
const REST = /[A-Za-z0-9_.+/=~-]{6,700}/uy

/**
 * Returns the end of the run of letters at a position. Caches the last runs, so that a text with all anchors in one run
 * is still read once.
 */
export type RunEnd = (at: number) => number

export function createRunEnd(text: string, letters: RegExp = LETTERS): RunEnd {
  const known: Array<{ from: number; to: number }> = []
  return (at) => {
    const run = known.find(({ from, to }) => from <= at && at < to)
    if (run !== undefined) return run.to
    letters.lastIndex = at
    const to = at + (letters.exec(text)?.[0].length ?? 0)
    if (to > at) known.unshift({ from: at, to })
    if (known.length > 4) known.pop()
    return to
  }
}

/** A value without its line ends. `placeOf` maps its units back to the text. */
export interface Unwrapped {
  readonly text: string
  /** Position in the whole text of the unit at this place of `text`, or of its end. */
  readonly placeOf: (at: number) => number
  /** Units before the first line end. */
  readonly first: number
}

/**
 * [F32] Rejoins a value that a terminal broke at the end of its line: the letters at `at`, and those that begin the
 * next lines. Null if no line end follows the letters, or no continuation follows the line end.
 */
export function unwrapped(text: string, at: number, runEnd: RunEnd): Unwrapped | null {
  const first = runEnd(at) - at
  if (first > MOST) return null
  let whole = text.slice(at, at + first)
  const starts = [{ at: 0, place: at }]
  let end = at + first
  while (whole.length < MOST && starts.length < 8) {
    const gap = run(BREAK, text, end)
    const next = gap === '' ? '' : run(REST, text, end + gap.length)
    if (next === '') break
    starts.push({ at: whole.length, place: end + gap.length })
    whole += next
    end += gap.length + next.length
  }
  if (starts.length === 1) return null
  const placeOf = (unit: number) => {
    // The end of a value belongs to the line that it ends, not to the next one.
    const start = starts.findLast((each) => each.at < unit) ?? starts[0]
    return start === undefined ? at : start.place + unit - start.at
  }
  return { text: whole, placeOf, first }
}

function run(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0] ?? ''
}
