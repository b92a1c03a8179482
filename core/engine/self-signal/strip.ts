import { pyRstrip, pyStrip } from '../python-text.ts'

/** [start, end) to take out of a text; a list of them is sorted and disjoint. */
export type Cut = readonly [start: number, end: number]

function pieces(text: string, cuts: readonly Cut[]): string[] {
  const kept: string[] = []
  let done = 0
  for (const [start, end] of cuts) {
    kept.push(text.slice(done, start))
    done = Math.max(done, end)
  }
  kept.push(text.slice(done))
  return kept
}

function collapse(text: string): string {
  return text.includes('\n\n\n') ? text.replace(/\n{3,}/g, '\n\n') : text
}

/** The document's way: blocks out, three or more newlines to two everywhere, blanks off both ends. */
export function stripEverywhere(text: string, cuts: readonly Cut[]): string {
  return pyStrip(collapse(pieces(text, cuts).join('')))
}

/** The blanks that a seam swallows: not those of other scripts, which may carry meaning. */
function isSeamBlank(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13)
}

function seamEnd(text: string): number {
  let at = text.length
  while (at > 0 && isSeamBlank(text.charCodeAt(at - 1))) at--
  return at
}

function seamStart(text: string): number {
  let at = 0
  while (at < text.length && isSeamBlank(text.charCodeAt(at))) at++
  return at
}

function joint(left: string, right: string): string {
  const first = left.indexOf('\n')
  const newlines = first >= 0 ? (left.includes('\n', first + 1) || right.includes('\n') ? 2 : 1) : 0
  if (newlines === 2) return '\n\n'
  if (newlines === 1) return '\n'
  const only = right.indexOf('\n')
  if (only < 0) return ' '
  return right.includes('\n', only + 1) ? '\n\n' : '\n'
}

/** [S10] Only the seams are tidied: a paragraph, line or word break stays one; the rest is untouched. */
export function stripSeams(text: string, cuts: readonly Cut[]): string {
  if (cuts.length === 0) return text
  const [head = '', ...rest] = pieces(text, cuts)
  const done: string[] = []
  let tail = head
  for (const next of rest) {
    const left = seamEnd(tail)
    const right = seamStart(next)
    const [before, after] = [tail.slice(0, left), next.slice(right)]
    if (before === '' || after === '') tail = before + after
    else {
      done.push(before, joint(tail.slice(left), next.slice(0, right)))
      tail = after
    }
  }
  return pyRstrip(done.join('') + tail)
}
