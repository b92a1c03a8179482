import { type KeyboardEvent, Fragment, useEffect, useId, useRef } from 'react'
import type { BuiltStep } from '../../../core/engine/schema/bundle-wire.ts'
import { count, counted } from '../../ui/format.ts'
import { TierDot } from './tier-bar.tsx'
import { TIER_LOOKS, tierColor } from './tier-words.ts'
import { reveal } from './tree.tsx'

interface Props {
  readonly built: BuiltStep
  readonly selected: number
  readonly pointed: number
  readonly onSelect: (part: number) => void
  readonly onPoint: (part: number) => void
}

/** The rendered prompt, cut into its parts, each with its tier and source. */
export function PromptParts({ built, selected, pointed, onSelect, onPoint }: Props) {
  const { prompt, parts, promptChars } = built
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => reveal(box.current, '[aria-selected="true"]'), [selected, built])
  const told = parts[pointed >= 0 ? pointed : selected]
  const go = (by: 1 | -1) => {
    let at = selected + by
    while (parts[at]?.tier === null) at += by
    if (parts[at]) onSelect(at)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    event.stopPropagation()
    go(event.key === 'ArrowDown' ? 1 : -1)
  }
  return (
    <>
      <p className="part-told row text-s nowrap gap-6" role="status">
        {told?.tier ? (
          <>
            <TierDot of={told.tier} />
            <strong>{TIER_LOOKS[told.tier].name}</strong>
            <span className="mono text-code truncate grow" title={told.source}>
              {told.source}
            </span>
            <span className="quiet num no-shrink">
              {count(told.span[0])}–{count(told.span[1])} ·{' '}
              {counted(told.span[1] - told.span[0], 'character')}
            </span>
          </>
        ) : (
          <span className="quiet no-shrink">
            Point at a part: its tier and source are said here.
          </span>
        )}
      </p>
      <div
        ref={box}
        className="prompt-parts"
        role="listbox"
        aria-label="Rendered prompt by parts"
        tabIndex={0}
        aria-activedescendant={selected >= 0 ? `${id}-${selected}` : undefined}
        onKeyDown={onKeyDown}
        onPointerLeave={() => onPoint(-1)}
      >
        {parts.map((part, at) => {
          if (part.tier === null) return null
          const starts = parts[at - 1]?.tier !== part.tier
          const text = prompt.slice(...part.span).replace(/^\n/u, '')
          return (
            <Fragment key={at}>
              {starts && (
                <div
                  className="tier-start row text-xs quiet gap-6 bold"
                  role="presentation"
                  aria-hidden
                >
                  <TierDot of={part.tier} />
                  {TIER_LOOKS[part.tier].name}
                </div>
              )}
              <div
                id={`${id}-${at}`}
                role="option"
                aria-selected={at === selected}
                className={`part text-code break-words pre-wrap pointer${at === pointed ? ' part-pointed' : ''}${part.id === 'marker' ? ' part-marker bold' : ''}`}
                style={{ '--part': tierColor(part.tier) }}
                onPointerEnter={() => onPoint(at)}
                onClick={() => onSelect(at)}
              >
                {text}
              </div>
            </Fragment>
          )
        })}
      </div>
      {promptChars > prompt.length && (
        <p className="score-note">
          The prompt has {counted(promptChars, 'character')}; the first {count(prompt.length)} are
          shown.
        </p>
      )}
    </>
  )
}
