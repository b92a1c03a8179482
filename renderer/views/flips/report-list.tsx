import { ArrowRight, Check, Tag } from 'lucide-react'
import { useMemo } from 'react'
import type { CorpusFlip } from '../../../core/engine/schema/lab.ts'
import { valueOf } from '../../app/async-data.ts'
import { Button, IconButton, classes } from '../../ui/button.tsx'
import type { Column } from '../../ui/columns.ts'
import { Domain, Swatch } from '../../ui/domain.tsx'
import { count, counted } from '../../ui/format.ts'
import { Chip, type Tone } from '../../ui/parts.tsx'
import { MenuButton, MenuItem } from '../../ui/popover.tsx'
import { type RowLook, Table } from '../../ui/table.tsx'
import { ExcerptText } from '../find/excerpt-text.tsx'
import { useLab } from '../../stores/lab/store.ts'
import { canLabel, labelPrimary } from '../../stores/label/labels.ts'
import { type FlipSource, flipKey, useFlipText } from '../../stores/flips/flip-source.ts'
import {
  type FlipGroup,
  acceptKey,
  patchFlipsView,
  toggleAccepted,
} from '../../stores/flips/flips.ts'
import { shortName, titleOf } from '../../ui/visible.ts'

const HEAD_PX = 28
const ROW_PX = 52

type Line =
  | { readonly kind: 'head'; readonly group: FlipGroup }
  | { readonly kind: 'flip'; readonly flip: CorpusFlip }

interface Props {
  readonly groups: readonly FlipGroup[]
  readonly current: string | null
  readonly accepted: ReadonlySet<string>
  readonly source: FlipSource
  /** Only a draft's flips are accepted. */
  readonly acceptable: boolean
  /** Little room: turn, sides and text alone. */
  readonly narrow?: boolean
}

function flipOf(line: Line): CorpusFlip | null {
  return line.kind === 'flip' ? line.flip : null
}

function heightOf({ kind }: Line): number {
  return kind === 'head' ? HEAD_PX : ROW_PX
}

type Verdict = NonNullable<CorpusFlip['verdict']>
const VERDICTS: Readonly<Record<Verdict, { readonly words: string; readonly tone: Tone }>> = {
  fixed: { words: '✓ fixed', tone: 'good' },
  broken: { words: '✕ broken', tone: 'bad' },
  still_right: { words: '✓ still right', tone: 'plain' },
  still_wrong: { words: '✕ still wrong', tone: 'warn' },
}

/** One turn that two configurations decide differently: before and after, the cause, and its label. */
const columnsOf = (source: FlipSource): ReadonlyArray<Column<CorpusFlip>> => [
  {
    className: 'flip-place shrink nowrap flex',
    cell: (flip) => <Place flip={flip} source={source} />,
  },
  { className: 'shrink row nowrap gap-9 clip', cell: (flip) => <Sides flip={flip} /> },
  {
    className: 'flip-why shrink nowrap clip',
    cell: (flip) => <Cause flip={flip} source={source} />,
  },
  {
    className: 'flip-verdict',
    cell: ({ verdict }) =>
      verdict && <Chip tone={VERDICTS[verdict].tone}>{VERDICTS[verdict].words}</Chip>,
  },
]

/** Flips under the headings of their groups; arrows move, Enter shows the turn, a accepts. */
export function ReportList({ groups, current, accepted, acceptable, source, narrow }: Props) {
  const room = narrow === true ? 'flips-narrow' : source.isCorpus ? undefined : 'flips-plain'
  const lines = useMemo(
    () =>
      groups.flatMap((group): readonly Line[] => [
        { kind: 'head', group },
        ...group.flips.map((flip) => ({ kind: 'flip', flip }) as const),
      ]),
    [groups],
  )
  const look = useMemo<RowLook<CorpusFlip>>(
    () => ({
      name: 'flip',
      keyOf: flipKey,
      className: 'flip-row stack text-s option gap-12 center-items',
      stateOf: (flip) => (accepted.has(acceptKey(flip)) ? 'flip-accepted' : ''),
      onClick: (flip) => {
        patchFlipsView({ current: flipKey(flip) })
        source.show(flip)
      },
    }),
    [accepted, source],
  )
  const columns = useMemo(
    () => [
      ...columnsOf(source),
      {
        className: 'flip-actions flex',
        cell: (flip: CorpusFlip) =>
          acceptable && <Actions flip={flip} accepted={accepted.has(acceptKey(flip))} />,
      },
      {
        className: 'flip-text truncate quiet',
        cell: (flip: CorpusFlip) => <Words flip={flip} source={source} />,
      },
    ],
    [accepted, acceptable, source],
  )
  return (
    <Table
      label="Turns that flip"
      className={classes('flips-scroll fill scroll', room) ?? ''}
      lines={lines}
      look={look}
      columns={columns}
      current={current}
      rowOf={flipOf}
      height={heightOf}
      heading={(line, at) =>
        line.kind === 'head' && (
          <GroupHead key={`h${at}`} group={line.group} acceptable={acceptable} />
        )
      }
      onCurrent={(flip) => patchFlipsView({ current: flipKey(flip) })}
      onEnter={(flip) => {
        if (flip) source.show(flip)
      }}
      onKey={(key, flip) => {
        const isAccept = key === 'a' && acceptable
        if (isAccept) toggleAccepted([flip])
        return isAccept
      }}
      focus
    />
  )
}

interface HeadProps {
  readonly group: FlipGroup
  readonly acceptable: boolean
}

function GroupHead({ group, acceptable }: HeadProps) {
  const title = useLab((state) =>
    group.session === null
      ? group.title
      : (valueOf(state.corpus)?.sessions[group.session]?.title ?? ''),
  )
  return (
    <div role="row" className="flips-head row text-xs dim line-below gap-12 bold pad-x-12">
      <span role="gridcell" className="truncate">
        {title}
      </span>
      <span role="gridcell" className="quiet num regular">
        {counted(group.flips.length, 'flip')}
      </span>
      <span role="gridcell" className="grow" />
      {acceptable && (
        <span role="gridcell">
          <Button kind="link" onClick={() => toggleAccepted(group.flips)}>
            accept all
          </Button>
        </span>
      )}
    </div>
  )
}

interface FlipProps {
  readonly flip: CorpusFlip
}

interface SourcedProps extends FlipProps {
  readonly source: FlipSource
}

/** [T76] Excerpt of the turn around the first signal that fired on one side only. */
function Words({ flip, source }: SourcedProps) {
  const text = useFlipText(source, flip)
  if (text === null) return <i className="bone bone-long" />
  if (text.excerpt.trim() === '') return <>(no text)</>
  return <ExcerptText text={text.excerpt.replaceAll('\n', ' ')} spans={text.spans} />
}

function Place({ flip, source }: SourcedProps) {
  const title = useLab((state) => valueOf(state.corpus)?.sessions[flip.session]?.title ?? '')
  const isCorpus = useLab((state) => (valueOf(state.corpus)?.sessions.length ?? 0) > 1)
  const several = isCorpus && source.isCorpus
  return (
    <>
      <span className="num">turn {count(flip.turn + 1)}</span>
      {several && <span className="quiet truncate">{title}</span>}
    </>
  )
}

/** Before → after. If the primary is unchanged, the other differences are named. */
function Sides({ flip }: FlipProps) {
  const { before, after, fields } = flip
  return (
    <>
      <Side {...before} />
      <ArrowRight size={13} aria-label="becomes" className="quiet" />
      <Side {...after} />
      {!fields.includes('primary') && <span className="quiet">{fields.join(', ')}</span>}
    </>
  )
}

function Side({ primary, secondary }: CorpusFlip['before']) {
  return (
    <span className="flip-side shrink inline-row gap-6">
      <Domain name={primary} strong />
      {secondary !== null && (
        <span className="inline-row quiet gap-4" title={`secondary ${secondary}`}>
          + <Swatch domain={secondary} />
          <span className="visually-hidden">{secondary}</span>
        </span>
      )}
    </span>
  )
}

function Cause({ flip, source }: SourcedProps) {
  const text = useFlipText(source, flip)
  if (flip.cause === 'momentum')
    return (
      <Button
        kind="link"
        className="regular"
        title="The first turn from which on another momentum was carried: show it"
        onClick={(event) => {
          event.stopPropagation()
          source.show({ session: flip.session, turn: flip.since })
        }}
      >
        cascade began at turn {count(flip.since + 1)}
      </Button>
    )
  // The session's list learns it with the text.
  const gained = flip.gained.length > 0 ? flip.gained : (text?.gained ?? [])
  const lost = flip.lost.length > 0 ? flip.lost : (text?.lost ?? [])
  return (
    <span className="text-xs gap-9 flex clip">
      {gained.map((name) => (
        <code key={`+${name}`} className="good" title={`${titleOf(name)} fires now`}>
          +{shortName(name)}
        </code>
      ))}
      {lost.map((name) => (
        <code key={`-${name}`} className="bad" title={`${titleOf(name)} does not fire any more`}>
          −{shortName(name)}
        </code>
      ))}
      {gained.length + lost.length === 0 && (
        <span className="quiet">same signals, other rules</span>
      )}
    </span>
  )
}

/** [T52] The label is chosen here, never guessed: before's primary or after's. */
function Actions({ flip, accepted }: FlipProps & { readonly accepted: boolean }) {
  const possible = useLab(() => canLabel(flip))
  const names = [...new Set([flip.before.primary, flip.after.primary])]
  return (
    <>
      <MenuButton
        className="icon-button"
        name="Label this turn"
        title={
          possible
            ? 'Label this turn: was it right before, or is it now?'
            : 'Show the turn first (Enter): labels are written beside its session'
        }
        shown={<Tag size={13} aria-hidden />}
        offset={4}
        disabled={!possible}
        onClick={(event) => event.stopPropagation()}
      >
        {names.map((name) => (
          <MenuItem
            key={name}
            onClick={(event) => {
              event.stopPropagation()
              labelPrimary(flip.seq, name)
            }}
          >
            <Domain name={name} strong />
            <span className="quiet">
              {name === flip.before.primary ? 'as before' : 'as it becomes'}
            </span>
          </MenuItem>
        ))}
      </MenuButton>
      <IconButton
        icon={Check}
        size={13}
        name="Accept this flip as expected"
        title={accepted ? 'Accepted: take it back (a)' : 'Accept as expected (a)'}
        aria-pressed={accepted}
        onClick={(event) => {
          event.stopPropagation()
          toggleAccepted([flip])
        }}
      />
    </>
  )
}
