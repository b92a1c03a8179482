import { Menu } from '@base-ui/react/menu'
import { ArrowRight, Check, Tag } from 'lucide-react'
import { memo } from 'react'
import type { CorpusFlip } from '../../../core/engine/schema/lab.ts'
import { valueOf } from '../../app/async-data.ts'
import { jumpTo } from '../dock/corpus.ts'
import { goToFlip, toggleAccepted } from './state.ts'
import { canLabel, labelPrimary } from '../label/labels.ts'
import { lab, useLab } from '../dock/store.ts'
import { Chip, type Tone } from '../../ui/bits.tsx'
import { Domain, Swatch } from '../../ui/domain.tsx'
import { count } from '../../ui/format.ts'

interface Props {
  readonly flip: CorpusFlip
  readonly at: number
  readonly selected: boolean
  readonly accepted: boolean
  readonly acceptable: boolean
}

type Verdict = NonNullable<CorpusFlip['verdict']>
const VERDICTS: Readonly<Record<Verdict, { readonly words: string; readonly tone: Tone }>> = {
  fixed: { words: '✓ fixed', tone: 'good' },
  broken: { words: '✕ broken', tone: 'bad' },
  still_right: { words: '✓ still right', tone: 'plain' },
  still_wrong: { words: '✕ still wrong', tone: 'warn' },
}

/** One turn that two configurations decide differently: before and after, why, and what its label says. */
export const FlipRow = memo(function FlipRow(props: Props) {
  const { flip, at, selected, accepted, acceptable } = props
  return (
    <div
      role="row"
      id={`flip-${at}`}
      data-index={at}
      aria-selected={selected}
      className={
        accepted
          ? 'flip-row stack text-s option gap-12 center-items flip-accepted'
          : 'flip-row stack text-s option gap-12 center-items'
      }
      onClick={() => goToFlip(flip)}
    >
      <span role="gridcell" className="flip-place shrink nowrap flex">
        <Place flip={flip} />
      </span>
      <span role="gridcell" className="flip-sides shrink row nowrap gap-9 clip">
        <Sides flip={flip} />
      </span>
      <span role="gridcell" className="flip-cause shrink nowrap clip">
        <Cause flip={flip} />
      </span>
      <span role="gridcell" className="flip-verdict">
        {flip.verdict && (
          <Chip tone={VERDICTS[flip.verdict].tone}>{VERDICTS[flip.verdict].words}</Chip>
        )}
      </span>
      <span role="gridcell" className="flip-actions flex">
        {acceptable && (
          <>
            <LabelFrom flip={flip} />
            <button
              type="button"
              className="icon-button"
              aria-pressed={accepted}
              aria-label="Accept this flip as expected"
              title={accepted ? 'Accepted: take it back (a)' : 'Accept as expected (a)'}
              onClick={(event) => {
                event.stopPropagation()
                toggleAccepted([flip])
              }}
            >
              <Check size={13} aria-hidden />
            </button>
          </>
        )}
      </span>
    </div>
  )
})

function headOf(session: number) {
  return valueOf(lab.getState().corpus)?.sessions[session] ?? null
}

function Place({ flip }: { readonly flip: CorpusFlip }) {
  const title = useLab((state) => valueOf(state.corpus)?.sessions[flip.session]?.title ?? '')
  const several = useLab((state) => (valueOf(state.corpus)?.sessions.length ?? 0) > 1)
  return (
    <>
      <span className="num">turn {count(flip.turn + 1)}</span>
      {several && <span className="quiet truncate">{title}</span>}
    </>
  )
}

/** Before → after; where the primary stays, what else differs is said in words. */
function Sides({ flip }: { readonly flip: CorpusFlip }) {
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

function Cause({ flip }: { readonly flip: CorpusFlip }) {
  if (flip.cause === 'momentum')
    return (
      <button
        type="button"
        className="link regular"
        title="The first turn from which on another momentum was carried: show it"
        onClick={(event) => {
          event.stopPropagation()
          const head = headOf(flip.session)
          if (head) jumpTo(head, { turn: flip.since })
        }}
      >
        cascade began at turn {count(flip.since + 1)}
      </button>
    )
  return (
    <span className="text-xs gap-9 flex clip">
      {flip.gained.map((name) => (
        <code key={`+${name}`} className="good" title={`${name} fires now`}>
          +{name}
        </code>
      ))}
      {flip.lost.map((name) => (
        <code key={`-${name}`} className="bad" title={`${name} does not fire any more`}>
          −{name}
        </code>
      ))}
      {flip.gained.length + flip.lost.length === 0 && (
        <span className="quiet">same signals, other rules</span>
      )}
    </span>
  )
}

/** [T52] The label is chosen here, never guessed: before's primary or after's. */
function LabelFrom({ flip }: { readonly flip: CorpusFlip }) {
  const possible = useLab(() => canLabel(flip))
  const names = [...new Set([flip.before.primary, flip.after.primary])]
  return (
    <Menu.Root>
      <Menu.Trigger
        className="icon-button"
        aria-label="Label this turn"
        title={
          possible
            ? 'Label this turn: was it right before, or is it now?'
            : 'Show the turn first (Enter): labels are written beside its session'
        }
        disabled={!possible}
        onClick={(event) => event.stopPropagation()}
      >
        <Tag size={13} aria-hidden />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner sideOffset={4} align="end" className="layer">
          <Menu.Popup className="menu">
            {names.map((name) => (
              <Menu.Item
                key={name}
                className="menu-item"
                onClick={(event) => {
                  event.stopPropagation()
                  labelPrimary(flip.seq, name)
                }}
              >
                <Domain name={name} strong />
                <span className="quiet">
                  {name === flip.before.primary ? 'as before' : 'as it becomes'}
                </span>
              </Menu.Item>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}
