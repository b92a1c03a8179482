import { memo, useMemo } from 'react'
import { segments } from '../../ui/segments.ts'

interface Props {
  readonly text: string
  readonly spans: ReadonlyArray<readonly number[]>
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
  return cut.map((segment) =>
    segment.marks.length > 0 ? (
      <mark key={segment.from} className="found">
        {segment.text}
      </mark>
    ) : (
      segment.text
    ),
  )
})
