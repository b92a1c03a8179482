import { type Cut, terminalCodes } from '../terminal-codes.ts'
import type { QuotedPart } from '../schema/trace.ts'
import type { OptionsOf } from './options.ts'
import { quotedIn, type QuotedLines } from './quoted.ts'

/** A stretch of the original text that is scored. Places are UTF-16 units. */
export interface Piece {
  /** Begin in the original text. */
  readonly from: number
  /** Begin in the scored text. */
  readonly at: number
  readonly length: number
}

/** The text to score and the numbers of characters removed from it, in UTF-16 units. */
export interface ScoredText {
  readonly text: string
  readonly cutChars: number
  readonly thinkingChars: number
  /** Of codes that colour the text and move the cursor. */
  readonly ansiChars: number
  /** Of quotations, fences and pasted logs. */
  readonly quotedChars: number
  /** The same, as stretches of the original text. */
  readonly quoted: readonly QuotedLines[]
  /** The scored stretches, in order; null if the whole text is scored, or the text is not known. */
  readonly pieces: readonly Piece[] | null
}

const THINK_OPEN = '<think>'
const THINK_CLOSE = '</think>'
/** Separates head and tail of a cut text, so that no match spans the cut. */
const SEAM = '\n\n'

/** [L7] `<think>…</think>`; a block that is never closed (cut off, streaming) goes to the end. */
function thinkingIn(text: string): readonly Cut[] {
  const lower = text.toLowerCase()
  // A text whose lower case has another length would shift the offsets: look for the tags as written.
  const searched = lower.length === text.length ? lower : text
  const cuts: Cut[] = []
  let at = 0
  for (;;) {
    const from = searched.indexOf(THINK_OPEN, at)
    if (from < 0) return cuts
    const close = searched.indexOf(THINK_CLOSE, from)
    at = close < 0 ? text.length : close + THINK_CLOSE.length
    cuts.push({ from, to: at, gap: '' })
  }
}

/** [L7] The text without `<think>…</think>`. */
export function stripThinking(text: string): string {
  return without(wholeOf(text), thinkingIn(text)).text
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff
}

/** [B16] The middle of a text longer than `maxChars` UTF-16 units, never splitting a character. */
function middleOf(text: string, maxChars: number | null): readonly Cut[] {
  if (maxChars === null || text.length <= maxChars) return []
  const room = Math.max(0, maxChars - SEAM.length)
  let from = Math.ceil(room / 2)
  let to = text.length - (room - from)
  if (isLowSurrogate(text.charCodeAt(from))) from -= 1
  if (isLowSurrogate(text.charCodeAt(to))) to += 1
  return [{ from: Math.max(0, from), to, gap: SEAM }]
}

/** [B16] [L7] Head and tail of a text longer than `maxChars` UTF-16 units. */
export function cutMiddle(text: string, maxChars: number): string {
  return without(wholeOf(text), middleOf(text, maxChars)).text
}

/** A text from which stretches were left out. */
interface Remaining {
  readonly text: string
  readonly pieces: readonly Piece[] | null
}

const wholeOf = (text: string): Remaining => ({ text, pieces: null })

/** Leaves more stretches out. @param cuts places in the text that remained, in order */
function without(remaining: Remaining, cuts: readonly Cut[]): Remaining {
  if (cuts.length === 0) return remaining
  const { text } = remaining
  const pieces: Piece[] = []
  let kept = ''
  let from = 0
  let within = 0
  const known = remaining.pieces ?? [{ from: 0, at: 0, length: text.length }]
  const keep = (to: number): void => {
    // The same stretch, by its places in the original text.
    for (; within < known.length; within += 1) {
      const piece = known[within]
      if (piece === undefined || piece.at >= to) break
      const start = Math.max(from, piece.at)
      const end = Math.min(to, piece.at + piece.length)
      if (start < end)
        pieces.push({
          from: piece.from + start - piece.at,
          at: kept.length + start - from,
          length: end - start,
        })
      if (piece.at + piece.length > to) break
    }
    kept += text.slice(from, to)
  }
  for (const cut of cuts) {
    keep(cut.from)
    kept += cut.gap
    from = cut.to
  }
  keep(text.length)
  return { text: kept, pieces }
}

/** Characters that cuts take, without the gaps that replace them. */
const charsOf = (cuts: readonly Cut[]): number =>
  cuts.reduce((sum, { from, to }) => sum + to - from, 0)

/** The part of a message that is scored under these options (B25, L7, B26, B16). */
export function scoredText(text: string, options: OptionsOf<'text'>): ScoredText {
  const codes = options.stripCodes === true ? terminalCodes(text) : []
  const plain = without(wholeOf(text), codes)
  const thinking = options.stripThinking ? thinkingIn(plain.text) : []
  const spoken = without(plain, thinking)
  const quoted = quotedIn(spoken.text, options.stripQuoted)
  const blocks = quoted.map(({ from, to }) => ({ from, to, gap: '' }))
  const own = without(spoken, blocks)
  const middle = middleOf(own.text, options.maxChars)
  return {
    ...without(own, middle),
    cutChars: charsOf(middle),
    thinkingChars: charsOf(thinking),
    ansiChars: charsOf(codes),
    quotedChars: charsOf(blocks),
    quoted: quoted.map((lines) => ({ ...lines, ...stretchOf(spoken, lines) })),
  }
}

/** [B26] The first `most` stretches of a text that are not scored because they are quoted, as readers see them. */
export function quotedParts({ quoted }: Pick<ScoredText, 'quoted'>, most: number): QuotedPart[] {
  return quoted.slice(0, most).map(({ from, to, why }) => ({ span: [from, to], why }))
}

/** From the first to the last place in the original text of a stretch of what remained. */
function stretchOf(
  remaining: Remaining,
  { from, to }: { readonly from: number; readonly to: number },
): { readonly from: number; readonly to: number } {
  const spans = originalSpans(remaining, from, to)
  return { from: spans[0]?.[0] ?? from, to: spans.at(-1)?.[1] ?? to }
}

/**
 * The places in the original text of a stretch of the scored text: one for each piece that it covers, because a match may
 * span what was left out.
 */
export function originalSpans(
  { pieces }: Pick<ScoredText, 'pieces'>,
  start: number,
  end: number,
): ReadonlyArray<readonly [number, number]> {
  if (pieces === null) return [[start, end]]
  const spans: Array<readonly [number, number]> = []
  for (let index = pieceAt(pieces, start); index < pieces.length; index += 1) {
    const piece = pieces[index]
    if (piece === undefined || piece.at >= end) break
    const from = piece.from + Math.max(start, piece.at) - piece.at
    const to = piece.from + Math.min(end, piece.at + piece.length) - piece.at
    if (from < to) spans.push([from, to])
  }
  return spans
}

/** Index of the last piece that begins at or before a place of the scored text. */
function pieceAt(pieces: readonly Piece[], at: number): number {
  let low = 0
  let high = pieces.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((pieces[middle]?.at ?? 0) <= at) low = middle
    else high = middle - 1
  }
  return low
}
