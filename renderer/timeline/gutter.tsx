import { Minus, Plus } from 'lucide-react'
import { memo, type CSSProperties, type ReactNode } from 'react'
import type { DomainStyles, ThemeName } from '../ui/domain-style.ts'
import { TokensLabel } from '../features/bundle/lane-words.tsx'
import type { TokenLane } from '../features/bundle/lane.ts'
import type { TimelineData } from './data.ts'
import { CoachLaneLabel } from '../features/coach/lane-label.tsx'
import type { CoachLane } from '../features/coach/lane.ts'
import { ZOOM_STEP } from './keys.ts'
import type { Layout, Row } from './lanes.ts'
import { SelfLabel, QueryLabel } from '../features/self-signals/lane-labels.tsx'
import type { OracleLanes } from '../features/self-signals/lanes.ts'
import { PersonaLabel, ProbeLaneLabel } from '../features/probe/lane-label.tsx'
import type { ProbeLane } from '../features/probe/lane.ts'
import { EVENT_WORDS, type TurnWords } from './words.ts'

export interface GutterProps {
  readonly layout: Layout
  readonly data: TimelineData
  readonly styles: DomainStyles
  readonly theme: ThemeName
  readonly oracle: OracleLanes | null
  readonly tokens: TokenLane | null
  readonly coach: CoachLane | null
  readonly probe: ProbeLane | null
  readonly width: number
  /** The hovered turn, else the selected one. */
  readonly told: TurnWords | null
  readonly compareName: string
  readonly flips: number
  /** Turns where find found something. */
  readonly found: number
  /** `121–240 of 2,000`; empty while everything is visible. */
  readonly range: string
  readonly zoomed: boolean
  readonly closest: boolean
  readonly expanded: boolean
  readonly onExpand: () => void
  readonly onZoom: (factor: number) => void
  readonly onFit: () => void
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

function scoreText(score: number): string {
  return Number.isInteger(score) ? String(score) : score.toFixed(1)
}

/** Score of one domain in the told turn; bold when it is the primary in force, ringed as secondary. */
function DomainValue({ told, domain }: { told: TurnWords | null; domain: number }): ReactNode {
  if (told === null) return null
  const score = told.scores.find((one) => one.domain === domain)?.score ?? 0
  const role = told.primary === domain ? 'primary' : told.secondary === domain ? 'secondary' : ''
  if (score === 0 && role === '') return null
  return <span className={`tl-value ${role}`}>{scoreText(score)}</span>
}

function Zoom(props: GutterProps): ReactNode {
  const { zoomed, closest, onZoom, onFit } = props
  return (
    <div className="tl-zoom gap-3 flex" role="group" aria-label="Zoom">
      <button
        type="button"
        title="Zoom out (−)"
        aria-label="Zoom out"
        disabled={!zoomed}
        onClick={() => onZoom(1 / ZOOM_STEP)}
      >
        <Minus size={12} />
      </button>
      <button
        type="button"
        title="Zoom in (+)"
        aria-label="Zoom in"
        disabled={closest}
        onClick={() => onZoom(ZOOM_STEP)}
      >
        <Plus size={12} />
      </button>
      <button
        type="button"
        title="Show all turns (0)"
        aria-label="Fit: show all turns"
        disabled={!zoomed}
        onClick={onFit}
      >
        Fit
      </button>
    </div>
  )
}

function DomainLabel(props: GutterProps & { readonly row: Row }): ReactNode {
  const { row, data, styles, theme, told } = props
  const name = data.names[row.domain] ?? ''
  return (
    <>
      <DomainChip name={name} styles={styles} theme={theme} />
      <span className="tl-name" title={name}>
        {name}
      </span>
      <DomainValue told={told} domain={row.domain} />
    </>
  )
}

function OthersLabel({ layout, data }: GutterProps): ReactNode {
  const names = layout.others.flatMap((domain) => data.names[domain] ?? [])
  return (
    <span className="tl-name quiet" title={names.join(', ')}>
      {names.length} more domains
    </span>
  )
}

/** Gutter width from which the fold line is said in full. */
const FULL_FOLD = 180

function UnusedLabel({ data, width, expanded, onExpand }: GutterProps): ReactNode {
  const names = data.unused.map((domain) => data.names[domain] ?? '')
  const noun = width < FULL_FOLD ? '' : names.length === 1 ? 'domain ' : 'domains '
  const what = `${names.length} ${noun}without a match`
  return (
    <button
      type="button"
      className="tl-fold quiet clip pointer brighten"
      aria-expanded={expanded}
      title={names.join(', ')}
      onClick={onExpand}
    >
      <span aria-hidden="true">{expanded ? '▾' : '▸'}</span> {what}
    </button>
  )
}

/** Marks and the gutter width from which their word is shown. */
const MARKS = [
  ['hold', 130],
  ['resist', 130],
  ['break', 130],
  ['widen', 180],
] as const

/** Key of the marks row, in the colours of the marks. */
function MarksLabel({ told, width }: GutterProps): ReactNode {
  return (
    <span className="tl-key quiet gap-6 flex">
      {MARKS.map(([event, least]) => {
        const { sign, word, tone } = EVENT_WORDS[event]
        const on = told?.event === event
        return (
          <span key={event} className={on ? 'on' : undefined} title={word}>
            <i className={tone} aria-hidden="true">
              {sign}
            </i>
            {width >= least && event}
          </span>
        )
      })}
    </span>
  )
}

function RolesLabel(): ReactNode {
  return (
    <span className="tl-key quiet gap-6 flex">
      <span>
        <i className="ink" aria-hidden="true">
          ●
        </i>
        person
      </span>
      <span>
        <i className="good" aria-hidden="true">
          ▲
        </i>
        agent
      </span>
      <span>
        <i aria-hidden="true">□</i>
        tool
      </span>
    </span>
  )
}

function SignatureLabel({ told, data, styles }: GutterProps): ReactNode {
  const pair = [told?.primary ?? -1, told?.secondary ?? -1].flatMap((domain) => {
    const name = data.names[domain]
    return name === undefined ? [] : [styles.get(name).code]
  })
  return (
    <>
      <span className="tl-name">signature</span>
      <span className="tl-value">{pair.join('+')}</span>
    </>
  )
}

function CompareLabel({ compareName, flips }: GutterProps): ReactNode {
  return (
    <>
      <span className="tl-name" title={`Compared with ${compareName}`}>
        <i className="tl-diamond warn" aria-hidden="true">
          ◆
        </i>
        {compareName}
      </span>
      <span className="tl-value">
        {flips === 1 ? '1 flip' : `${flips.toLocaleString('en-US')} flips`}
      </span>
    </>
  )
}

function MomentumLabel({ told, data, row }: GutterProps & { readonly row: Row }): ReactNode {
  return (
    <>
      <span className="tl-name" title="Square-root scale">
        momentum
        {row.height >= 30 && (
          <span className="tl-threshold quiet">
            <i aria-hidden="true">╌╌</i> threshold {data.threshold}
          </span>
        )}
      </span>
      {told && <span className={`tl-value ${told.strong ? 'primary' : ''}`}>{told.momentum}</span>}
    </>
  )
}

function FoundLabel({ found }: GutterProps): ReactNode {
  const words = found === 1 ? '1 turn' : `${found.toLocaleString('en-US')} turns`
  return (
    <>
      <span className="tl-name">
        <i className="tl-found" aria-hidden="true">
          ▮
        </i>
        found
      </span>
      <span className="tl-value">{words}</span>
    </>
  )
}

const LABELS: Readonly<
  Record<Row['kind'], (props: GutterProps & { readonly row: Row }) => ReactNode>
> = {
  ruler: Zoom,
  roles: RolesLabel,
  domain: DomainLabel,
  others: OthersLabel,
  unused: UnusedLabel,
  signature: SignatureLabel,
  marks: MarksLabel,
  compare: CompareLabel,
  momentum: MomentumLabel,
  self: SelfLabel,
  query: QueryLabel,
  tokens: TokensLabel,
  find: FoundLabel,
  coach: CoachLaneLabel,
  probe: ProbeLaneLabel,
  persona: PersonaLabel,
  overview: ({ range }) => <span className="tl-name quiet tl-range">{range}</span>,
}

/** Names, keys and values of the rows, as HTML beside the canvas: crisp, selectable, readable aloud. */
export const Gutter = memo(function Gutter(props: GutterProps): ReactNode {
  const { layout, width } = props
  return (
    <div className="tl-gutter" style={{ width }}>
      {layout.rows.map((row) => {
        const Label = LABELS[row.kind]
        const style: CSSProperties = { top: row.y, height: row.height }
        return (
          <div
            key={`${row.kind}${row.domain}`}
            className={`tl-row row nowrap gap-6 tl-row-${row.kind}`}
            style={style}
          >
            <Label {...props} row={row} />
          </div>
        )
      })}
    </div>
  )
})
