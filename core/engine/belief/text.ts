import type { OptionsOf } from './options.ts'

/** The text to score and the numbers of characters removed from it, in UTF-16 units. */
export interface ScoredText {
  readonly text: string
  readonly cutChars: number
  readonly thinkingChars: number
}

const THINK_OPEN = '<think>'
const THINK_CLOSE = '</think>'
/** Separates head and tail of a cut text, so that no match spans the cut. */
const SEAM = '\n\n'

/** [L7] Removes `<think>…</think>`; a block that is never closed (cut off, streaming) goes to the end. */
export function stripThinking(text: string): string {
  const lower = text.toLowerCase()
  // A text whose lower case has another length would shift the offsets: look for the tags as written.
  const searched = lower.length === text.length ? lower : text
  let kept = ''
  let from = 0
  for (;;) {
    const open = searched.indexOf(THINK_OPEN, from)
    if (open < 0) return kept + text.slice(from)
    kept += text.slice(from, open)
    const close = searched.indexOf(THINK_CLOSE, open)
    if (close < 0) return kept
    from = close + THINK_CLOSE.length
  }
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff
}

/** [B16] [L7] Head and tail of a text longer than `maxChars` UTF-16 units, never splitting a character. */
export function cutMiddle(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text
  const room = Math.max(0, maxChars - SEAM.length)
  let head = Math.ceil(room / 2)
  let tail = text.length - (room - head)
  if (isLowSurrogate(text.charCodeAt(head))) head -= 1
  if (isLowSurrogate(text.charCodeAt(tail))) tail += 1
  return text.slice(0, Math.max(0, head)) + SEAM + text.slice(tail)
}

/** The part of a message that is scored under these options (L7, B16). */
export function scoredText(text: string, options: OptionsOf<'text'>): ScoredText {
  const spoken = options.stripThinking ? stripThinking(text) : text
  const thinkingChars = text.length - spoken.length
  if (options.maxChars === null || spoken.length <= options.maxChars)
    return { text: spoken, cutChars: 0, thinkingChars }
  const cut = cutMiddle(spoken, options.maxChars)
  return { text: cut, cutChars: spoken.length - (cut.length - SEAM.length), thinkingChars }
}
