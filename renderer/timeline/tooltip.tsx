import type { CSSProperties, ReactNode } from 'react'
import { createPortal } from 'react-dom'
import type { DomainStyles, ThemeName } from '../ui/domain-style.ts'
import { DomainChip } from './gutter.tsx'
import { EVENT_WORDS, type TurnWords } from './words.ts'

export interface TooltipProps {
  readonly words: TurnWords
  readonly names: readonly string[]
  readonly styles: DomainStyles
  readonly theme: ThemeName
  readonly threshold: number
  /** Pointer, in pixels of the window. */
  readonly x: number
  readonly y: number
}

const WIDTH = 264
const AWAY = 16

/** Beside the pointer, on the side that has room. */
function place(x: number, y: number): CSSProperties {
  const left = x + AWAY + WIDTH > window.innerWidth ? x - AWAY - WIDTH : x + AWAY
  const below = y < window.innerHeight * 0.55
  return {
    width: WIDTH,
    left: Math.max(4, left),
    ...(below ? { top: y + AWAY } : { bottom: window.innerHeight - y + AWAY }),
  }
}

/** One turn in a few lines. Screen readers hear the same from the timeline itself. */
export function TurnTooltip(props: TooltipProps): ReactNode {
  const { words, names, styles, theme, threshold } = props
  const domains = [words.primary, words.secondary].flatMap((domain) => names[domain] ?? [])
  const scores = words.scores.slice(0, 4)
  return createPortal(
    <div className="tl-tip on-panel2 dim" style={place(props.x, props.y)} aria-hidden="true">
      <div className="tl-tip-head quiet flex between">
        <b>Turn {words.number}</b>
        <span>{words.kind}</span>
      </div>
      <div className="tl-tip-pair wrap flex">
        {domains.length === 0 && <span>no domain</span>}
        {domains.map((name, at) => (
          <span key={name} className={at === 0 ? 'primary' : ''}>
            {at > 0 && '+ '}
            <DomainChip name={name} styles={styles} theme={theme} /> {name}
          </span>
        ))}
      </div>
      <div className="tl-tip-event">
        <i className={EVENT_WORDS[words.event].tone}>{EVENT_WORDS[words.event].sign}</i>
        <span>{words.eventText}</span>
        <code>{words.rule}</code>
      </div>
      <dl>
        <dt>scores</dt>
        <dd>
          {scores.length === 0
            ? 'no signal matched'
            : scores.map((one) => `${names[one.domain] ?? '?'} ${one.score}`).join(', ')}
        </dd>
        <dt>momentum</dt>
        <dd>
          {words.momentum} ({words.strong ? 'strong' : 'weak'}, threshold {threshold})
        </dd>
        <dt>signature</dt>
        <dd>{words.runText}</dd>
        {words.oracle?.query && (
          <>
            <dt>query</dt>
            <dd>{words.oracle.query}</dd>
          </>
        )}
        {words.oracle?.self && (
          <>
            <dt>answer</dt>
            <dd>{words.oracle.self}</dd>
          </>
        )}
        {words.coach && (
          <>
            <dt>verdict</dt>
            <dd>{words.coach.told}</dd>
          </>
        )}
        {words.probe && words.probe.told !== '' && (
          <>
            <dt>probe</dt>
            <dd>{words.probe.told}</dd>
          </>
        )}
        {words.probe && words.probe.personaTold !== '' && (
          <>
            <dt>persona</dt>
            <dd>{words.probe.personaTold}</dd>
          </>
        )}
      </dl>
      {words.flipText !== null && (
        <div className="tl-tip-flip mt-6">
          <i>◆</i>
          <span>{words.flipText}</span>
        </div>
      )}
    </div>,
    document.body,
  )
}
