/** A sentence that the agent says itself; `start` and `end` are UTF-16 units of the whole output. */
export interface Sentence {
  readonly text: string
  readonly start: number
  readonly end: number
}

const FENCE = /^[ \t]{0,8}(`{3,}|~{3,})/
const QUOTED_LINE = /^[ \t]{0,8}>/
/** Short quotations within a line. Single quotes are left alone, because they may be apostrophes. */
const QUOTATIONS = [/`[^`\n]{1,300}`/g, /"[^"\n]{1,300}"/g, /“[^”\n]{1,300}”/g, /«[^»\n]{1,300}»/g]
const SENTENCE_END = /[.!?…]+(?=["')\]*_]{0,4}(?:\s|$))|[。！？]+|\n+/g
const BLANK = /[^\n]/g

/**
 * [V3] The output with everything that the agent only shows blanked out, unit for unit: fenced
 * blocks (also one that is never closed), quoted lines, inline code and quotations.
 */
export function maskShown(text: string): string {
  let fence: string | null = null
  const lines = text.split('\n').map((line) => {
    const mark = FENCE.exec(line)?.[1]
    if (fence !== null) {
      if (mark?.startsWith(fence) === true && line.trim() === mark) fence = null
      return blank(line)
    }
    if (mark !== undefined) {
      fence = mark
      return blank(line)
    }
    return QUOTED_LINE.test(line) ? blank(line) : line
  })
  return QUOTATIONS.reduce(
    (masked, quotation) => masked.replace(quotation, blank),
    lines.join('\n'),
  )
}

function blank(text: string): string {
  return text.replace(BLANK, ' ')
}

/** [V3] The sentences that the agent says itself, in order. List items and headings are sentences. */
export function sentencesOf(text: string): readonly Sentence[] {
  const masked = maskShown(text)
  const sentences: Sentence[] = []
  let start = 0
  const take = (end: number): void => {
    const sentence = masked.slice(start, end)
    if (/[\p{L}\p{N}]/u.test(sentence)) sentences.push({ text: sentence, start, end })
    start = end
  }
  for (const match of masked.matchAll(SENTENCE_END)) take(match.index + match[0].length)
  take(masked.length)
  return sentences
}
