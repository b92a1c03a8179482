export interface Spanned {
  /** Start and end, end exclusive, in UTF-16 units of the text. */
  readonly span: readonly number[]
}

/** A match of a signal. */
export interface Marking extends Spanned {
  readonly domain: string
  readonly signal: number
}

/** A stretch of text with everything that marks it. */
export interface Segment<Mark extends Spanned = Marking> {
  readonly from: number
  readonly text: string
  /** Marks that cover the whole segment, in the order given. */
  readonly marks: readonly Mark[]
  /** Part of a find result. */
  readonly found: boolean
}

/**
 * Cuts `text` at the ends of every mark and find result. The joined segments equal the text; spans outside it are
 * clipped.
 * @param needles plain strings, found case-insensitively
 */
export function segments<Mark extends Spanned>(
  text: string,
  marks: readonly Mark[],
  needles: readonly string[] = [],
): ReadonlyArray<Segment<Mark>> {
  const hits = needles.flatMap((needle) => findAll(text, needle))
  const cuts = new Set([0, text.length])
  for (const [from = 0, to = 0] of [...marks.map((mark) => mark.span), ...hits]) {
    if (from < text.length && to > from) cuts.add(from).add(Math.min(to, text.length))
  }
  const edges = [...cuts].toSorted((a, b) => a - b)
  return edges.slice(0, -1).map((from, at) => {
    const to = edges[at + 1] ?? text.length
    return {
      from,
      text: text.slice(from, to),
      marks: marks.filter(({ span }) => covers(span, from, to)),
      found: hits.some((hit) => covers(hit, from, to)),
    }
  })
}

function covers([start = 0, end = 0]: readonly number[], from: number, to: number): boolean {
  return start <= from && end >= to
}

const MOST_HITS = 200

function findAll(text: string, needle: string): ReadonlyArray<readonly [number, number]> {
  if (needle === '') return []
  const hay = text.toLowerCase()
  const low = needle.toLowerCase()
  const hits: Array<readonly [number, number]> = []
  // Lower-casing may change lengths (İ): then positions would lie, so nothing is marked.
  if (hay.length !== text.length) return []
  for (
    let at = hay.indexOf(low);
    at >= 0 && hits.length < MOST_HITS;
    at = hay.indexOf(low, at + low.length)
  )
    hits.push([at, at + low.length])
  return hits
}
