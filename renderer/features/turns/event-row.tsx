import { memo } from 'react'
import type { TurnLabel } from '../../../core/engine/schema/label.ts'
import { KIND_LOOKS, type KindLook } from '../../app/event-kinds.ts'
import { selectSeq } from '../../app/select.ts'
import { Slot, isFilled } from '../../app/slot.tsx'
import type { Row } from '../../app/store.ts'
import type { OtherSide, Verdict } from '../../app/verdicts.ts'
import { Pressable } from '../../ui/button.tsx'
import { Domain, Swatch } from '../../ui/domain.tsx'
import { count, counted, timeOf } from '../../ui/format.ts'
import { MarkedText } from '../../ui/marked-text.tsx'
import { Chip } from '../../ui/parts.tsx'
import { type Words, told } from '../../ui/words.ts'
import type { Verdict as LabelVerdict } from '../../stores/label/labels.ts'
import { VerdictMark } from '../../views/label/verdict-mark.tsx'
import { toggleWhole } from '../../app/rows.ts'
import { Name } from '../../ui/name.tsx'

interface Props {
  readonly row: Row
  readonly verdict: Verdict | null
  /** The compared preset's result for an event that is no turn here. */
  readonly elsewhere: OtherSide | null
  readonly selected: boolean
  readonly whole: boolean
  readonly needles: readonly string[]
  readonly focus: { readonly domain: string; readonly signal: number } | null
  /** The label of the turn, and whether the decision agrees with it. */
  readonly label: { readonly label: TurnLabel; readonly of: LabelVerdict } | null
  /** [U75] True while wrong turns are listed: each shows the correct domain and the reason for the error. */
  readonly isWrong: boolean
}

/** One event: number, role, text with matched spans, and decision. */
export const EventRowView = memo(function EventRowView(props: Props) {
  const { row, verdict, elsewhere, selected, whole, needles, focus } = props
  const look = KIND_LOOKS[row.kind]
  const Icon = look.icon
  const state = `${verdict ? 'row-turn' : 'row-quiet'}${selected ? ' row-selected' : ''}`
  return (
    <div className={`row-grid stack line-below ${state}`} onClick={() => selectSeq(row.seq)}>
      <span role="gridcell" className="row-number text-s quiet text-end num">
        {verdict ? verdict.turn + 1 : ''}
        {props.label && <VerdictMark verdict={props.label.of} label={props.label.label} />}
      </span>
      <span role="gridcell" className="row-role column text-s dim" title={look.about}>
        <span className="row-who inline-row gap-6">
          <Icon size={13} aria-hidden />
          <span>{look.word}</span>
        </span>
        {row.at !== null && <span className="row-time quiet num">{timeOf(row.at)}</span>}
      </span>
      <span role="gridcell" className="row-body shrink">
        {row.kind === 'step' && !whole && isFilled('StepText') ? (
          <Slot name="StepText" row={row} needles={needles} />
        ) : (
          <RowText row={row} look={look} whole={whole} needles={needles} focus={focus} />
        )}
        {props.isWrong && <WrongPart row={row} verdict={verdict} label={props.label} />}
      </span>
      <span role="gridcell" className="row-verdict shrink column gap-2 align-start">
        {verdict && <VerdictCell verdict={verdict} />}
        {elsewhere && <ElsewhereChip other={elsewhere} />}
        <Slot name="RowVerdict" row={row} />
      </span>
    </div>
  )
})

function WrongPart({ row, verdict, label }: Pick<Props, 'row' | 'verdict' | 'label'>) {
  if (verdict === null || label === null) return null
  return <Slot name="WrongNote" row={row} verdict={verdict} label={label.label} />
}

interface TextProps extends Pick<Props, 'row' | 'whole' | 'needles' | 'focus'> {
  readonly look: KindLook
}

function RowText({ row, look, whole, needles, focus }: TextProps) {
  const long = isLong(row, look.lines)
  const label = row.kind === 'injected' ? 'injected' : null
  return (
    <>
      <span
        dir="auto"
        className={`break-words pre-wrap row-text${look.mono ? ' row-mono' : ''}${clampOf(look, whole)}`}
        style={{ '--lines': look.lines }}
      >
        {label !== null && <Name text={row.name ?? label} className="row-label text-xs" />}
        {label === null && row.name !== null && (
          <Name text={row.name} className="row-label text-xs mono" />
        )}
        {row.isError && <span className="row-label text-xs row-error">error</span>}
        {row.text === '' ? (
          <span className="quiet">(no text)</span>
        ) : (
          <MarkedText
            text={row.text}
            marks={row.marks}
            quoted={row.quoted}
            needles={needles}
            focus={focus}
          />
        )}
      </span>
      {long && (
        <Pressable
          className="row-more text-xs accent underlined"
          aria-expanded={whole}
          onClick={(event) => {
            event.stopPropagation()
            void toggleWhole(row.seq)
          }}
        >
          {whole ? 'show less' : `show all ${count(row.chars)} characters`}
        </Pressable>
      )}
    </>
  )
}

function clampOf(look: KindLook, whole: boolean): string {
  if (whole) return ''
  return look.lines === 1 ? ' row-single' : ' clamp'
}

const CHARS_PER_LINE = 72

/** True when the clamped lines cannot hold the text; an estimate, so that nothing has to be measured. */
function isLong(row: Row, lines: number): boolean {
  if (row.chars > Math.max(row.text.length, lines * CHARS_PER_LINE)) return true
  const rows = row.text
    .split('\n', 50)
    .reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / CHARS_PER_LINE)), 0)
  return rows > lines
}

function VerdictCell({ verdict }: { readonly verdict: Verdict }) {
  return (
    <>
      <Domain name={verdict.primary} strong />
      {verdict.secondary !== null && (
        <span className="verdict-secondary text-s quiet truncate">
          + <Name text={verdict.secondary} />
        </span>
      )}
      <MoreFire verdict={verdict} />
      <span className="verdict-chips">
        <MomentumChip verdict={verdict} />
        {verdict.ambiguous !== null && (
          <Chip tone="warn" title={`The text alone does not decide. ${verdict.ambiguous}`}>
            ambiguous
          </Chip>
        )}
        {verdict.flip && <FlipChip verdict={verdict} flip={verdict.flip} />}
        {verdict.missingIn !== null && (
          <Chip
            tone="accent"
            title={`${verdict.missingIn} does not classify this event: only this side has the turn`}
          >
            not in {verdict.missingIn}
          </Chip>
        )}
      </span>
    </>
  )
}

/** [K12] The skills that fire behind the first two. */
function MoreFire({ verdict: { fires } }: { readonly verdict: Verdict }) {
  const more = (fires ?? []).slice(2)
  if (more.length === 0) return null
  return (
    <span className="text-xs quiet" title={`These fire too: ${more.join(', ')}`}>
      + {counted(more.length, 'more skill')}
    </span>
  )
}

interface FlipProps {
  readonly verdict: Verdict
  readonly flip: NonNullable<Verdict['flip']>
}

/** The compared preset's decision; `alone` if it has no secondary and this one has. */
function FlipChip({ verdict, flip }: FlipProps) {
  const pair = flip.secondary === null ? flip.primary : `${flip.primary} + ${flip.secondary}`
  return (
    <Chip
      tone="accent"
      title={`Under ${flip.preset} this turn is ${pair} (${flip.cause === 'direct' ? 'judged differently' : 'carried over by momentum'})`}
    >
      {flip.preset} <Swatch domain={flip.primary} />
      {flip.secondary !== null && (
        <>
          + <Swatch domain={flip.secondary} />
        </>
      )}
      {flip.secondary === null && verdict.secondary !== null && 'alone'}
    </Chip>
  )
}

/** [L38] A turn that only the compared preset has. */
function ElsewhereChip({ other }: { readonly other: OtherSide }) {
  const { preset, turn, primary, secondary } = other
  const pair = secondary === null ? primary : `${primary} + ${secondary}`
  return (
    <Chip
      tone="accent"
      title={`No turn here. ${preset} classifies this event: its turn ${turn + 1} is ${pair}`}
    >
      only in {preset} <Swatch domain={primary} />
      {secondary !== null && (
        <>
          + <Swatch domain={secondary} />
        </>
      )}
    </Chip>
  )
}

/** Events of momentum that have a chip; the others say nothing new. */
const EVENTS: Partial<Words<Verdict['event']>> = {
  hold: told('held', 'The text alone decided nothing new; momentum kept the compound'),
  widen: told('widened', 'A strong single domain took in a second one', 'accent'),
  break: told('✕ break', 'Another domain broke strong momentum', 'bad'),
}

function MomentumChip({ verdict: { event, rule, resisted } }: { readonly verdict: Verdict }) {
  if (event === 'resist')
    return (
      <Chip tone="warn" title={`Strong momentum held against another domain (rule ${rule})`}>
        <span className="truncate">
          ◦ resisted <Name text={resisted ?? ''} />
        </span>{' '}
        · {rule}
      </Chip>
    )
  const look = EVENTS[event]
  return look ? (
    <Chip tone={look.tone} title={look.about}>
      {look.words}
    </Chip>
  ) : null
}
