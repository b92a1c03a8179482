import { useMemo } from 'react'
import { segments } from '../../ui/segments.ts'
import { wordsOf } from './probe-words.ts'

/** Text of a chunk, as text, with the words of a phrase marked. */
export function ChunkText({ text, phrase }: { readonly text: string; readonly phrase: string }) {
  const shown = useMemo(() => segments(text, [], wordsOf(phrase)), [text, phrase])
  return shown.map((segment) =>
    segment.found ? (
      <mark key={segment.from} className="chunk-word">
        {segment.text}
      </mark>
    ) : (
      segment.text
    ),
  )
}
