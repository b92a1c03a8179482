import type { TurnTrace } from '../../../core/engine/schema/trace.ts'
import { remember } from '../../ui/remember.ts'

/** A match of a signal in a message. */
export interface Evidence {
  readonly span: readonly [number, number]
  readonly domain: string
  /** Display name of the signal. */
  readonly signal: string
  /** Its place among all matches of the message. */
  readonly at: number
}

/** [U139] All matches in the order of the text; one that several signals share is one of each. */
export const evidenceOf = remember((trace: TurnTrace): readonly Evidence[] => {
  const all = trace.domains.flatMap(({ domain, signals }) =>
    signals.flatMap(({ id, index, spans }) =>
      spans.map((span) => ({ span, domain, signal: id ?? `signal ${index + 1}` })),
    ),
  )
  const sorted = all.toSorted((a, b) => a.span[0] - b.span[0] || a.span[1] - b.span[1])
  return sorted.map((each, at) => ({ ...each, at }))
})

/** Characters of a message that fit on a stage. */
const MOST = 1100

export interface Excerpt {
  readonly text: string
  readonly isCutBefore: boolean
  readonly isCutAfter: boolean
  readonly evidence: readonly Evidence[]
}

/**
 * [U137] The part of a text that fits, around the match that is spoken of, else around the first one. It
 * begins and ends between words. Spans are those of the part.
 */
export function excerptOf(text: string, all: readonly Evidence[], about: Evidence | null): Excerpt {
  const from = startOf(text, about ?? all[0] ?? null)
  const to = Math.min(text.length, from + MOST)
  const end = to === text.length ? to : lastGap(text, from, to)
  const inside = all.filter(({ span }) => span[0] >= from && span[1] <= end)
  return {
    text: text.slice(from, end),
    isCutBefore: from > 0,
    isCutAfter: end < text.length,
    evidence: inside.map((each) => ({
      ...each,
      span: [each.span[0] - from, each.span[1] - from] as const,
    })),
  }
}

function startOf(text: string, about: Evidence | null): number {
  if (text.length <= MOST || about === null || about.span[1] <= MOST - 100) return 0
  const wanted = Math.min(about.span[0] - Math.floor(MOST / 3), text.length - MOST)
  const gap = text.indexOf(' ', wanted)
  return gap >= 0 && gap < about.span[0] ? gap + 1 : Math.max(0, wanted)
}

function lastGap(text: string, from: number, to: number): number {
  const gap = text.lastIndexOf(' ', to)
  return gap > from + MOST / 2 ? gap : to
}
