import { memo, useMemo } from 'react'
import { Marks } from '../../ui/marked-text.tsx'
import { segments } from '../../ui/segments.ts'

const FOUND = { className: 'found' } as const

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
  return <Marks segments={cut} of={({ marks }) => (marks.length > 0 ? FOUND : null)} />
})
