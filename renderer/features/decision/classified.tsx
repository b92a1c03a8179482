import { useEffect, useMemo, useRef } from 'react'
import type { TurnTrace } from '../../../core/engine/schema/trace.ts'
import { useApp } from '../../app/use-store.ts'
import { CopyButton, Section } from '../../ui/bits.tsx'
import { count, counted } from '../../ui/format.ts'
import { MarkedText } from '../../ui/marked-text.tsx'

/** The text that was scored, with the spans of every fired signal. */
export function Classified({ trace }: { readonly trace: TurnTrace }) {
  const domain = useApp((state) => state.view.domain)
  const signal = useApp((state) => state.view.signal)
  const box = useRef<HTMLPreElement>(null)
  const marks = useMemo(
    () =>
      trace.domains.flatMap((entry) =>
        entry.signals.flatMap((fired) =>
          fired.spans.map((span) => ({ span, domain: entry.domain, signal: fired.index })),
        ),
      ),
    [trace],
  )
  const focus = useMemo(
    () => (domain !== null && signal !== null ? { domain, signal } : null),
    [domain, signal],
  )
  useEffect(() => {
    if (focus) box.current?.querySelector('.matched-focus')?.scrollIntoView({ block: 'nearest' })
  }, [focus])
  const { chars, cutChars, thinkingChars } = trace.input
  return (
    <Section
      title="Classified text"
      aside={
        <>
          {counted(trace.text.length, 'character')}
          <CopyButton text={trace.text} what="text" />
        </>
      }
    >
      <pre
        ref={box}
        className="classified text-s edge scroll break-words rounded pre-wrap on-bg"
        tabIndex={0}
        aria-label="Classified text"
      >
        {trace.text === '' ? (
          <span className="quiet">(no text)</span>
        ) : (
          <MarkedText text={trace.text} marks={marks} focus={focus} />
        )}
      </pre>
      {cutChars > 0 && (
        <p className="warning">
          {count(cutChars)} of {count(chars)} characters in the middle were not classified: the
          preset takes head and tail only.
        </p>
      )}
      {thinkingChars > 0 && (
        <p className="quiet">
          {count(thinkingChars)} characters of thinking were removed before scoring.
        </p>
      )}
    </Section>
  )
}
