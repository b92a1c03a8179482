import type { Meter } from './meter.ts'

/** A line of an opening tag that goes on: attributes, or its end. */
const OF_TAG = /^\s*(?:[A-Za-z_][\w.-]*\s*=|\/?>)/
const CHILD_OPENS = /<([A-Za-z_][\w.-]*)(?:\s[^<>]*)?>/g
const CHILD_TAG = /^\s*<[A-Za-z_]/

/**
 * [S11] Where an unfinished block that begins at `start` ends. It goes on over its opening tag, its
 * child tags (a child that is not closed lasts to the end) and lines that begin with `<`. A line of
 * prose ends it, and so does the `/>` of a self-closed tag that no child tag follows: what a person
 * is to read is never hidden.
 */
export function unfinishedEnd(text: string, start: number, meter: Meter): number {
  const tag = openingTag(text, start, meter)
  const rest = text.slice(tag.end)
  if (tag.selfClosed && !CHILD_TAG.test(rest)) return tag.end
  let at = tag.end
  let child: string | null = null
  // Blank lines in front of prose are its, so that a paragraph stays one.
  let said = tag.end
  // What stands behind the opening tag in its own line belongs to it.
  for (let isFirst = true; at < text.length; isFirst = false) {
    const end = lineEnd(text, at)
    const line = text.slice(at, end)
    meter.steps += line.length
    if (child === null && !isFirst && isProse(line)) return said
    child = childAfter(line, child)
    at = end
    if (line.trim() !== '') said = end
  }
  return text.length
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end < 0 ? text.length : end + 1
}

function isProse(line: string): boolean {
  const said = line.trimStart()
  return said !== '' && !said.startsWith('<')
}

interface OpeningTag {
  readonly end: number
  readonly selfClosed: boolean
}

/** The tag from `<signal` to its `>`; where there is none, as far as lines can be attributes of it. */
function openingTag(text: string, start: number, meter: Meter): OpeningTag {
  const close = text.indexOf('>', start)
  const next = text.indexOf('<', start + 1)
  const isClosed = close >= 0 && (next < 0 || close < next)
  const most = isClosed ? close : next < 0 ? text.length : next
  let at = lineEnd(text, start)
  while (at <= most && at < text.length) {
    const end = lineEnd(text, at)
    const line = text.slice(at, end)
    meter.steps += line.length
    if (line.trim() !== '' && !OF_TAG.test(line)) return { end: at, selfClosed: true }
    at = end
  }
  if (!isClosed) return { end: most, selfClosed: false }
  return { end: close + 1, selfClosed: text[close - 1] === '/' }
}

/** The child tag that is open behind a line, or null. */
function childAfter(line: string, open: string | null): string | null {
  let child = open
  let at = 0
  for (;;) {
    if (child !== null) {
      const close = line.toLowerCase().indexOf(`</${child.toLowerCase()}>`, at)
      if (close < 0) return child
      at = close + child.length + 3
    }
    CHILD_OPENS.lastIndex = at
    const found = CHILD_OPENS.exec(line)
    if (found === null) return null
    child = found[0].endsWith('/>') ? null : (found[1] ?? null)
    at = found.index + found[0].length
  }
}
