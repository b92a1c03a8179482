import { addTo } from '../../maps.ts'
import { libraryOf } from './library.ts'
import { rank, type Item, type Span } from './record.ts'

/** Spans beside each other that tell of one call: the one that knows most, and the others. */
export interface Besides {
  readonly best: Span
  readonly others: readonly Span[]
}

/** A call may be told by a framework, its provider's SDK and a proxy; more are compared with no others. */
const MAX_OPEN = 16

/**
 * [I113] Spans of models or tools under the same agent and tool whose times overlap, that two
 * instrumentations wrote, and that say the same as far as both say something. The provider's id of
 * the answer decides alone where both have one. Equal calls after one another stay two.
 */
export function besides(
  spans: readonly Span[],
  sideOf: (span: Span) => string,
): readonly Besides[] {
  const groups: Span[][] = []
  const groupOf = new Map<Span, Span[]>()
  const near = new Map<string, Span[]>()
  for (const span of spans) {
    const keys = keysOf(span, sideOf(span))
    const twin = keys
      .flatMap((key) => near.get(key)?.slice(-MAX_OPEN) ?? [])
      .find((other) => isSame(groupOf.get(other) ?? [other], span))
    const group = (twin === undefined ? undefined : groupOf.get(twin)) ?? []
    if (group.length === 0) groups.push(group)
    group.push(span)
    groupOf.set(span, group)
    for (const key of keys) addTo(near, key, span)
  }
  return groups.flatMap((group) => {
    const [best, ...others] = group.toSorted((a, b) => knows(b) - knows(a))
    return best === undefined || others.length === 0 ? [] : [{ best, others }]
  })
}

/** Spans of one call have one of these in common. */
function keysOf(span: Span, side: string): readonly string[] {
  if (span.role !== 'model' && span.role !== 'tool') return []
  const asked = said(span.input).at(-1)
  const answered = said(span.output).at(-1)
  return [asked, answered, span.answerId]
    .filter((key) => key !== undefined && key !== null)
    .map((key, n) => `${span.role}\0${side}\0${n}\0${key}`)
}

/** The words of a list: its system prompts and thoughts are not in every telling. */
function said(items: readonly Item[]): readonly string[] {
  return items
    .filter(({ draft }) => draft.kind !== 'system' && draft.kind !== 'reasoning')
    .map(({ textKey, draft }) =>
      draft.kind === 'tool_call' ? `${draft.name}\0${textKey}` : textKey,
    )
}

/** The same call as each of a group: no instrumentation tells it twice. */
function isSame(group: readonly Span[], span: Span): boolean {
  return group.every((other) => isTwin(other, span))
}

function isTwin(a: Span, b: Span): boolean {
  const [one, two] = [libraryOf(a), libraryOf(b)]
  if (one === null || two === null || one === two) return false
  if (a.answerId !== null && b.answerId !== null) return a.answerId === b.answerId
  if (!overlap(a, b)) return false
  const asked = endsAlike(said(a.input), said(b.input))
  const answered = endsAlike(said(a.output), said(b.output))
  return asked !== false && answered !== false && (asked ?? answered) === true
}

/** Both ends have to be known, and calls after one another only touch. */
function overlap(a: Span, b: Span): boolean {
  if (a.at === null || b.at === null || a.endAt === null || b.endAt === null) return false
  return Math.max(a.at, b.at) < Math.min(a.endAt, b.endAt)
}

/** Whether the shorter list is the end of the longer one; null where one says nothing. */
function endsAlike(a: readonly string[], b: readonly string[]): boolean | null {
  const length = Math.min(a.length, b.length)
  if (length === 0) return null
  return a.slice(-length).every((key, n) => key === b.at(n - length))
}

/** How much a span knows: messages before text, then its answer, ids of calls, and the list. */
function knows(span: Span): number {
  const ids = span.output.concat(span.input).filter(({ draft }) => draft.callId !== null).length
  const answers = span.output.length > 0 ? 1 : 0
  return rank(span) * 1e12 + answers * 1e11 + Math.min(ids, 1e4) * 1e6 + span.input.length
}
