import { type KeyboardEvent, useMemo, useState } from 'react'
import { valueOf } from '../../app/async-data.ts'
import { jumpTo } from '../dock/corpus.ts'
import { judge } from '../label/labels.ts'
import { type LabTurn, lab, useLab } from '../dock/store.ts'
import { Swatch } from '../../ui/domain.tsx'
import { count } from '../../ui/format.ts'
import { useRows } from '../../ui/use-rows.ts'
import { KIND_LOOKS } from '../../app/event-kinds.ts'
import { ExcerptText } from '../find/excerpt-text.tsx'
import { VerdictMark } from '../label/verdict-mark.tsx'

const ROW_PX = 25

/** Turns of the corpus, one line each; a click or Enter shows the turn in its session. */
export function TurnTable({
  turns,
  label,
}: {
  readonly turns: readonly LabTurn[]
  readonly label: string
}) {
  const [at, setAt] = useState(-1)
  const source = useMemo(
    () => ({ count: turns.length, keyAt: (place: number) => place, estimate: () => ROW_PX }),
    [turns],
  )
  const { box, from, to, scroller, sizer, rows: holder } = useRows(source)
  const go = (place: number) => {
    const turn = turns[place]
    const head = turn && valueOf(lab.getState().corpus)?.sessions[turn.session]
    if (!turn || !head) return
    setAt(place)
    jumpTo(head, turn)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (by === 0 && event.key !== 'Enter') return
    event.preventDefault()
    event.stopPropagation()
    const place = Math.min(turns.length - 1, Math.max(0, at + by))
    box.scrollTo(place)
    go(place)
  }
  return (
    <div
      ref={scroller}
      className="turns fill scroll relative"
      role="listbox"
      aria-label={label}
      aria-activedescendant={at >= from && at < to ? `lab-turn-${at}` : undefined}
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      <div ref={sizer} className="list-size" role="presentation">
        <div ref={holder} className="list-rows" role="presentation">
          {turns.slice(from, to).map((turn, nth) => (
            <Turn
              key={`${turn.session} ${turn.turn}`}
              turn={turn}
              at={from + nth}
              selected={from + nth === at}
              onGo={go}
            />
          ))}
        </div>
      </div>
    </div>
  )
}

interface TurnProps {
  readonly turn: LabTurn
  readonly at: number
  readonly selected: boolean
  readonly onGo: (at: number) => void
}

function Turn({ turn, at, selected, onGo }: TurnProps) {
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
      onClick={() => onGo(at)}
    >
      <span className="lturn-place quiet flex num">
        {several && <span className="truncate lturn-session">{title}</span>}
        {count(turn.turn + 1)}
      </span>
      <look.icon size={12} className="quiet" aria-label={look.word} />
      <span className="gap-3 flex">
        <Swatch domain={turn.primary} />
        {turn.secondary !== null && <Swatch domain={turn.secondary} />}
        <span className="visually-hidden">
          {turn.primary}
          {turn.secondary === null ? '' : ` and ${turn.secondary}`}
        </span>
      </span>
      {turn.label ? (
        <VerdictMark verdict={judge(turn.label, turn.primary, turn.secondary)} label={turn.label} />
      ) : (
        <span />
      )}
      <span className="lturn-text truncate">
        <ExcerptText text={turn.excerpt.replaceAll('\n', ' ')} spans={turn.spans} />
      </span>
    </div>
  )
}
