import { Search, Share } from 'lucide-react'
import type { ReactNode } from 'react'
import { valueOf } from '../../app/async-data.ts'
import { CommandButton } from '../../app/command-button.tsx'
import { chooseTab, selectTurn } from '../../app/select.ts'
import { worstStretch } from '../../app/selectors.ts'
import { type Show, patchView } from '../../app/store.ts'
import { useApp } from '../../app/use-store.ts'
import { replayedOf } from '../../app/verdicts.ts'
import { Pressable, Switch } from '../../ui/button.tsx'
import { count, counted } from '../../ui/format.ts'
import { Chip } from '../../ui/parts.tsx'
import { FollowSwitch } from '../follow/follow-button.tsx'
import { Legend } from './legend.tsx'

/** Which events are listed, find, and what stands out in this session. */
export function ListToolbar() {
  const finding = useApp((state) => state.view.find !== null)
  return (
    <div className="list-toolbar row no-shrink line-below on-panel">
      <ShowSwitch />
      <LockIn />
      <span className="grow" />
      <FollowSwitch />
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
] as const

function ShowSwitch() {
  const show = useApp((state) => state.view.show)
  const events = useApp((state) => valueOf(state.session.events)?.kind.length ?? 0)
  const replayed = useApp(replayedOf)
  const numbers: Record<Show, number | null> = {
    all: events,
    turns: replayed?.columns.turns ?? null,
    flips: replayed?.compare ? replayed.flips.length : null,
  }
  const options = SHOWN.filter(([name]) => name !== 'flips' || numbers.flips !== null).map(
    ([name, word]): readonly [Show, ReactNode] => [
      name,
      <>
        {word} <span className="num quiet">{count(numbers[name] ?? 0)}</span>
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

/** [L1] The longest run of held turns, said where it cannot be missed. */
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
        {domain} held {counted(worst.longest, 'turn')} in a row
        {most && `, resisted ${most.domain} ${most.times}×`}
      </Chip>
    </Pressable>
  )
}
