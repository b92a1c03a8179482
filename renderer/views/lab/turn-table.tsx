import { useMemo, useState } from 'react'
import { valueOf } from '../../app/async-data.ts'
import { KIND_LOOKS } from '../../app/event-kinds.ts'
import { Swatch } from '../../ui/domain.tsx'
import { count } from '../../ui/format.ts'
import { ListFrame } from '../../ui/list-frame.tsx'
import { alike, useRows } from '../../ui/use-rows.ts'
import { ExcerptText } from '../find/excerpt-text.tsx'
import { jumpTo } from '../../stores/lab/corpus.ts'
import { type LabTurn, lab, useLab } from '../../stores/lab/store.ts'
import { judge } from '../../stores/label/labels.ts'
import { VerdictMark } from '../label/verdict-mark.tsx'

const ROW_PX = 25

interface Props {
  readonly turns: readonly LabTurn[]
  readonly label: string
}

/** Turns of the corpus, one line each; a click or Enter shows the turn in its session. */
export function TurnTable({ turns, label }: Props) {
  const [at, setAt] = useState(-1)
  const source = useMemo(() => alike(turns.length, ROW_PX), [turns])
  const view = useRows(source, { current: at })
  const go = (place: number) => {
    const turn = turns[place]
    const head = turn && valueOf(lab.getState().corpus)?.sessions[turn.session]
    if (!turn || !head) return
    setAt(place)
    jumpTo(head, turn)
  }
  return (
    <ListFrame
      view={view}
      className="turns fill scroll relative"
      role="listbox"
      label={label}
      active={at >= view.from && at < view.to ? `lab-turn-${at}` : undefined}
      onStep={(by) => go(Math.min(turns.length - 1, Math.max(0, at + by)))}
      onEnter={() => go(Math.max(0, at))}
    >
      {(place) => {
        const turn = turns[place]
        return (
          turn && (
            <Turn
              key={`${turn.session} ${turn.turn}`}
              turn={turn}
              go={go}
              at={place}
              selected={place === at}
            />
          )
        )
      }}
    </ListFrame>
  )
}

interface TurnProps {
  readonly turn: LabTurn
  readonly at: number
  readonly selected: boolean
  readonly go: (at: number) => void
}

function Turn({ turn, at, selected, go }: TurnProps) {
  const title = useLab((state) => valueOf(state.corpus)?.sessions[turn.session]?.title ?? '')
  const several = useLab((state) => (valueOf(state.corpus)?.sessions.length ?? 0) > 1)
  const look = KIND_LOOKS[turn.kind]
  return (
    <div
      role="option"
      id={`lab-turn-${at}`}
      aria-selected={selected}
      data-index={at}
      className="lturn stack text-s option center-items pad-x-12"
      onClick={() => go(at)}
    >
      <span className="lturn-place quiet flex num">
        {several && <span className="truncate lturn-session">{title}</span>}
        {count(turn.turn + 1)}
      </span>
      <look.icon className="quiet" size={12} aria-label={look.word} />
      <span className="gap-3 flex">
        <Swatch domain={turn.primary} />
        {turn.secondary !== null && <Swatch domain={turn.secondary} />}
        <span className="visually-hidden">
          {turn.primary}
          {turn.secondary === null ? '' : ` and ${turn.secondary}`}
        </span>
      </span>
      {turn.label ? <VerdictMark verdict={judge(turn.label, turn)} label={turn.label} /> : <span />}
      <span className="lturn-text truncate">
        <ExcerptText text={turn.excerpt.replaceAll('\n', ' ')} spans={turn.spans} />
      </span>
    </div>
  )
}
