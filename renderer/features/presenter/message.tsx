import { useEffect, useRef } from 'react'
import type { OfTurn } from '../../app/feature.ts'
import { Domain } from '../../ui/domain.tsx'
import { Marks } from '../../ui/marked-text.tsx'
import { segments } from '../../ui/segments.ts'
import { useLook } from '../../ui/use-look.ts'
import { visible } from '../../ui/visible.ts'
import { type Evidence, evidenceOf, excerptOf } from './evidence.ts'
import { patchSpots, useSpots } from './store.ts'

const SIZES = [
  [160, 'xl'],
  [420, 'l'],
  [800, 'm'],
] as const

function sizeOf(text: string): string {
  // A listing of many short lines is as high as a long text.
  const weight = Math.max(text.length, text.split('\n').length * 70)
  return SIZES.find(([most]) => weight <= most)?.[1] ?? 's'
}

/** [U137] [U139] The message with its evidence. The match under discussion is highlighted. */
export function Message({ trace }: OfTurn) {
  const look = useLook()
  const all = evidenceOf(trace)
  const { spot, anchor } = useSpots((state) => state)
  const of = (one: typeof spot) => (one?.seq === trace.seq ? (all[one.at] ?? null) : null)
  const about = of(spot)
  const { text, evidence, isCutBefore, isCutAfter } = excerptOf(trace.text, all, of(anchor))
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    box.current?.querySelector('.stage-spot')?.scrollIntoView({ block: 'nearest' })
  }, [anchor])
  return (
    <>
      <div
        ref={box}
        className="stage-text pre-wrap break-words"
        data-size={sizeOf(text)}
        data-spot={about !== null || undefined}
        tabIndex={0}
        role="region"
        aria-label="Message"
        dir="auto"
        onPointerLeave={() => patchSpots({ spot: null })}
      >
        {isCutBefore && <span className="quiet">… </span>}
        {text === '' && <span className="quiet">(no text)</span>}
        <Marks
          segments={segments(text, evidence)}
          of={({ marks }) => {
            const mark = marks.find(({ at }) => at === about?.at) ?? marks[0]
            if (!mark) return null
            const { at, domain } = mark
            return {
              className: at === about?.at ? 'stage-mark stage-spot' : 'stage-mark',
              style: { '--mark-color': look(domain).color, '--mark-on': look(domain).on },
              onPointerEnter: () => patchSpots({ spot: { seq: trace.seq, at } }),
            }
          }}
        />
        {isCutAfter && <span className="quiet"> …</span>}
      </div>
      <p className="stage-caption row gap-12" role="status">
        {about === null ? (
          <span className="quiet">{all.length === 0 ? 'No signal matched.' : wordsOf(all)}</span>
        ) : (
          <>
            <Domain name={about.domain} strong />
            <span className="truncate">
              matched by <strong>{visible(about.signal)}</strong>
            </span>
          </>
        )}
      </p>
    </>
  )
}

function wordsOf(all: readonly Evidence[]): string {
  const signals = new Set(all.map(({ domain, signal }) => `${domain} ${signal}`)).size
  const domains = [...new Set(all.map(({ domain }) => domain))]
  return `${signals} ${signals === 1 ? 'signal' : 'signals'} matched: ${domains.slice(0, 4).map(visible).join(', ')}`
}
