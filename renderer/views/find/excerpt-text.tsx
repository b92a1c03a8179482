import { memo, useMemo } from 'react'
import type { EventKind } from '../../../core/engine/schema/event-kind.ts'
import { KIND_LOOKS } from '../../app/event-kinds.ts'
import { timeOf } from '../../ui/format.ts'
import { Marks } from '../../ui/marked-text.tsx'
import { segments } from '../../ui/segments.ts'
import type { Excerpt } from '../../app/find-state.ts'
import { Name } from '../../ui/name.tsx'

const FOUND = { className: 'found' } as const

interface Props {
  readonly text: string
  readonly spans: ReadonlyArray<readonly number[]>
}

interface ResultProps {
  readonly kind: EventKind
  /** `turn 12`, or which event it is. */
  readonly place: string
  readonly at: number | null
  /** Null while it is fetched. */
  readonly excerpt: Excerpt | null
}

/** A result: its kind, place and time, and the text around the match. */
export function ResultText({ kind, place, at, excerpt }: ResultProps) {
  const look = KIND_LOOKS[kind]
  return (
    <>
      <span className="result-head row no-shrink text-xs dim nowrap gap-6">
        <look.icon size={12} aria-hidden />
        {look.word}
        {excerpt?.name && <Name text={excerpt.name} className="mono truncate" />}
        <span className="grow" />
        <span className="num">{place}</span>
        {at !== null && at > 0 && <span className="num quiet">{timeOf(at)}</span>}
      </span>
      <span className="result-text clamp text-s break-words">
        {excerpt ? (
          <ExcerptText text={excerpt.text} spans={excerpt.spans} />
        ) : (
          <i className="bone bone-long" />
        )}
      </span>
    </>
  )
}

/** A few words around a match, on little room, the matches marked. */
export const ExcerptText = memo(function ExcerptText({ text, spans }: Props) {
  const cut = useMemo(
    () =>
      segments(
        text,
        spans.map((span) => ({ span })),
      ),
    [text, spans],
  )
  return <Marks segments={cut} of={({ marks }) => (marks.length > 0 ? FOUND : null)} />
})
