import type { CoachMark } from '../schema/coach.ts'
import { type Coach, findAll } from './cues.ts'

/** [V7] A long output as the model gets it. */
export interface CutText {
  readonly text: string
  /** UTF-16 units that were left out; 0 when nothing was. */
  readonly removed: number
  /** Lines with evidence that were kept out of the middle. */
  readonly kept: number
}

const HEAD = 0.4
const TAIL = 0.4

/**
 * [V7] Head and tail of a long output, with as many evidence lines from the middle as fit between them (test output,
 * commits, links, paths). Each cut states how much is missing there.
 */
export function cutForModel(coach: Coach, text: string): CutText {
  const most = coach.rules.maxChars
  if (text.length <= most) return { text, removed: 0, kept: 0 }
  const head = endOfLine(text, Math.floor(most * HEAD))
  const tail = startOfLine(text, text.length - Math.floor(most * TAIL))
  const lines = evidenceLines(text, findAll(coach, text).evidence, head, tail)
  const room = most - head - (text.length - tail)
  const kept: string[] = []
  let used = 0
  for (const line of lines) {
    if (used + line.length + 1 > room) break
    kept.push(line)
    used += line.length + 1
  }
  const removed = tail - head - used
  const note = `[… ${removed} characters left out${kept.length > 0 ? '; lines with evidence among them:' : ''} …]`
  const middle = [note, ...kept].join('\n')
  return {
    text: `${text.slice(0, head)}\n${middle}\n${text.slice(tail)}`,
    removed,
    kept: kept.length,
  }
}

function evidenceLines(
  text: string,
  evidence: readonly CoachMark[],
  head: number,
  tail: number,
): readonly string[] {
  const starts = new Set<number>()
  for (const { span } of evidence) {
    if (span[0] >= head && span[1] <= tail) starts.add(text.lastIndexOf('\n', span[0]) + 1)
  }
  return [...starts]
    .filter((start) => start >= head)
    .sort((a, b) => a - b)
    .map((start) => {
      const end = text.indexOf('\n', start + 1)
      return text.slice(start, Math.min(end < 0 ? tail : end, tail, start + 400)).trim()
    })
}

function endOfLine(text: string, near: number): number {
  const end = text.lastIndexOf('\n', near)
  return end > near / 2 ? end : wholeUnit(text, near)
}

function startOfLine(text: string, near: number): number {
  const next = text.indexOf('\n', near)
  return next >= 0 && next - near < 400 ? next + 1 : wholeUnit(text, near)
}

/** Never in the middle of a surrogate pair. */
function wholeUnit(text: string, at: number): number {
  const code = text.charCodeAt(at)
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at
}
