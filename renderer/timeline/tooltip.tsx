import { type CSSProperties, Fragment, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import type { DomainStyles, ThemeName } from '../ui/domain-style.ts'
import type { Said } from './lane.tsx'
import { EVENT_WORDS, type TurnWords } from './words.ts'
import { shortName } from '../ui/visible.ts'

export interface TooltipProps {
  readonly words: TurnWords
  /** The lanes' texts for the turn. */
  readonly said: readonly Said[]
  readonly names: readonly string[]
  readonly styles: DomainStyles
  readonly theme: ThemeName
  readonly threshold: number
  /** Pointer, in pixels of the window. */
  readonly x: number
  readonly y: number
}

interface ChipProps {
  readonly name: string
  readonly styles: DomainStyles
  readonly theme: ThemeName
}

/** Colour and letter code of a domain. */
export function DomainChip({ name, styles, theme }: ChipProps): ReactNode {
  const style = styles.get(name)
  const colors = { backgroundColor: style.color[theme], color: style.on[theme] }
  return (
    <span className="tl-chip heavy no-shrink" style={colors} aria-hidden="true">
      {style.code}
    </span>
  )
}

const WIDTH = 264
const AWAY = 16

/** Beside the pointer, on the side that has room. */
export function beside(x: number, width: number) {
  const left = x + AWAY + width > window.innerWidth ? x - AWAY - width : x + AWAY
  return { width, left: Math.max(4, left) }
}

function place(x: number, y: number): CSSProperties {
  const below = y < window.innerHeight * 0.55
  const edge = below ? { top: y + AWAY } : { bottom: window.innerHeight - y + AWAY }
  return { ...beside(x, WIDTH), ...edge }
}

/** One turn in a few lines. Screen readers hear the same from the timeline itself. */
export function TurnTooltip(props: TooltipProps): ReactNode {
  const { words, said, names, styles, theme, threshold } = props
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
            <DomainChip name={name} styles={styles} theme={theme} /> {shortName(name)}
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
        {words.ambiguous !== null && (
          <>
            <dt>text alone</dt>
            <dd className="warn">{words.ambiguous}</dd>
          </>
        )}
        <dt>momentum</dt>
        <dd>
          {words.momentum} ({words.strong ? 'strong' : 'weak'}, threshold {threshold})
        </dd>
        <dt>signature</dt>
        <dd>{words.runText}</dd>
        {said.map(
          ({ term, text }) =>
            term !== null &&
            text !== '' && (
              <Fragment key={term}>
                <dt>{term}</dt>
                <dd>{text}</dd>
              </Fragment>
            ),
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
