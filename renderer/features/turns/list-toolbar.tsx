import { Info, Search, Share } from 'lucide-react'
import { Fragment, type ReactNode } from 'react'
import { valueOf } from '../../app/async-data.ts'
import { CommandButton } from '../../app/command-button.tsx'
import { registry } from '../../app/commands.ts'
import type { LaneLegend } from '../../timeline/lane.tsx'
import { chooseTab, selectTurn } from '../../app/select.ts'
import { worstStretch } from '../../app/selectors.ts'
import { Slot } from '../../app/slot.tsx'
import { type Show, patchView } from '../../app/store.ts'
import { useApp } from '../../app/use-store.ts'
import { replayedOf } from '../../app/verdicts.ts'
import { Pressable, Switch } from '../../ui/button.tsx'
import { Swatch } from '../../ui/domain.tsx'
import { count, counted } from '../../ui/format.ts'
import { Chip } from '../../ui/parts.tsx'
import { Popover } from '../../ui/popover.tsx'
import { useLab } from '../../stores/lab/store.ts'
import { wrongIn } from '../../stores/label/wrong.ts'
import { shortName } from '../../ui/visible.ts'

/** Every sign of a lane in its colour, with its words. */
function Signs({ color, looks }: NonNullable<LaneLegend['signs']>) {
  return (
    <span className="legend-signs wrap flex">
      {Object.entries(looks).map(([type, { sign, words }]) => (
        <span key={type}>
          <span style={{ color: `var(--${color}-${type})` }} aria-hidden>
            {sign}
          </span>{' '}
          {words}
        </span>
      ))}
    </span>
  )
}

/** How to read the screen, in a dozen lines. */
function Legend() {
  return (
    <Popover
      className="icon-button"
      name="How to read this screen"
      title="How to read this screen"
      of="legend"
      heading="How to read this screen"
      shown={<Info size={15} aria-hidden />}
    >
      <dl>
        <dt>turn</dt>
        <dd>An event that is classified. Only turns have a number and a verdict.</dd>
        <dt>
          <mark className="matched">text</mark>
        </dt>
        <dd>Matched a signal. The underline has the colour of the signal’s domain.</dd>
        <dt>score</dt>
        <dd>How many signals of a domain matched. The highest is primary, the next secondary.</dd>
        <dt>momentum</dt>
        <dd>Turns that the same compound has been in force; from the threshold on it is strong.</dd>
        <dt>
          <Chip>held</Chip>
        </dt>
        <dd>The text alone decided nothing new: momentum kept the compound.</dd>
        <dt>
          <Chip tone="warn">◦ resisted</Chip>
        </dt>
        <dd>The text alone said another domain; strong momentum did not give way.</dd>
        <dt>
          <Chip tone="bad">✕ break</Chip>
        </dt>
        <dd>Another domain was strong enough to end the compound.</dd>
        {registry.getState().legend.map(({ name, text, signs }) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>
              {signs && <Signs {...signs} />}
              {text}
            </dd>
          </Fragment>
        ))}
        <dt>
          <Chip tone="accent">
            preset <Swatch domain="coding" />
          </Chip>
        </dt>
        <dd>A flip: the compared preset decides this turn differently.</dd>
      </dl>
    </Popover>
  )
}

/** Filter of the listed events, find, and highlights of this session. */
export function ListToolbar() {
  const finding = useApp((state) => state.view.find !== null)
  return (
    <div className="list-toolbar row no-shrink line-below on-panel">
      <ShowSwitch />
      <LockIn />
      <span className="grow" />
      <Slot name="ListTool" />
      {!finding && <CommandButton command="find" icon={Search} size={14} />}
      <CommandButton command="export" icon={Share} size={14} label="Export" />
      <Legend />
    </div>
  )
}

const SHOWN = [
  ['all', 'All events'],
  ['turns', 'Turns'],
  ['flips', 'Flips'],
  ['wrong', 'Wrong'],
] as const

const countOr = (number: number | null): string => (number === null ? '…' : count(number))

function ShowSwitch() {
  const show = useApp((state) => state.view.show)
  const events = useApp((state) => valueOf(state.session.events)?.kind.length ?? null)
  const replayed = useApp(replayedOf)
  const labels = useLab((state) => state.labels)
  const wrong = useApp((state) => wrongIn(state, labels))
  const numbers: Record<Show, number | null> = {
    all: events,
    turns: replayed?.columns.turns ?? null,
    flips: replayed?.compare ? replayed.flips.length : null,
    wrong: wrong?.length ?? null,
  }
  // Flips need a comparison, wrong turns need labels.
  const isThere = (name: Show) => (name !== 'flips' && name !== 'wrong') || numbers[name] !== null
  const options = SHOWN.filter(([name]) => isThere(name)).map(
    ([name, word]): readonly [Show, ReactNode] => [
      name,
      <>
        {/* Shows no number until the events are counted. */}
        {word} <span className="num quiet">{countOr(numbers[name])}</span>
      </>,
    ],
  )
  return (
    <Switch
      label="Events listed"
      options={options}
      value={show}
      onChoose={(name) => patchView({ show: name })}
    />
  )
}

const WORTH_SAYING = 5

/** [L1] The longest run of held turns, shown prominently. */
function LockIn() {
  const replayed = useApp(replayedOf)
  const worst = replayed && worstStretch(replayed.columns)
  if (!replayed || !worst || worst.longest < WORTH_SAYING) return null
  const domain = replayed.columns.domains[replayed.columns.primary[worst.from] ?? -1] ?? ''
  const [most] = worst.resisted
  return (
    <Pressable
      className="lock-in shrink clip"
      title={`Turns ${worst.from + 1} to ${worst.to + 1}: open what was held and what was resisted`}
      onClick={() => {
        selectTurn(worst.to)
        chooseTab('momentum')
      }}
    >
      <Chip tone={worst.longest >= 10 ? 'bad' : 'warn'}>
        {shortName(domain)} held {counted(worst.longest, 'turn')} in a row
        {most && `, resisted ${shortName(most.domain)} ${most.times}×`}
      </Chip>
    </Pressable>
  )
}
