import { ChevronLeft, ChevronRight, Minus, Pause, Play, Plus, X, Zap } from 'lucide-react'
import { type ComponentType, useEffect, useRef, useState } from 'react'
import { KIND_LOOKS } from '../../app/event-kinds.ts'
import { valueOf } from '../../app/async-data.ts'
import type { OfTurn } from '../../app/feature.ts'
import { selectedTurn } from '../../app/selectors.ts'
import type { Present, Thing } from '../../app/store.ts'
import { useApp } from '../../app/use-store.ts'
import { Button, IconButton, Switch } from '../../ui/button.tsx'
import { count } from '../../ui/format.ts'
import { Decided, EVENT_WORDS, Momentum, Signature } from './decided.tsx'
import { Message } from './message.tsx'
import {
  changeSpeed,
  leave,
  showThing,
  SPEEDS,
  stepBreak,
  stepFlip,
  stepThing,
  stepTurn,
  togglePlay,
} from './store.ts'
import { Strip } from './strip.tsx'

const WORDS: Readonly<Record<Thing, string>> = {
  message: 'Message',
  decision: 'Decision',
  momentum: 'Momentum',
}
const SHOWN: Readonly<Record<Thing, ComponentType<OfTurn>>> = {
  message: Message,
  decision: Decided,
  momentum: Momentum,
}

/** [U137] The session on a stage: one thing of one turn, in letters that are read from the back row. */
export function Presenter({ present }: { readonly present: Present }) {
  const turn = useApp(selectedTurn)
  const trace = useApp((state) => valueOf(state.session.trace))
  const turns = useApp((state) => valueOf(state.session.replay)?.columns.turns ?? 0)
  const root = useRef<HTMLElement>(null)
  useEffect(() => root.current?.focus(), [])
  const isAwake = useAwake()
  const Shown = SHOWN[present.thing]
  const isHere = trace?.turn === turn
  return (
    <main
      ref={root}
      className="stage-root column full-height on-bg"
      data-awake={isAwake || undefined}
      tabIndex={-1}
      aria-label="Presenter"
    >
      <header className="stage-head row">
        <h1 className="num">
          Turn {turn === null ? '–' : count(turn + 1)}
          <span className="quiet"> of {count(turns)}</span>
        </h1>
        {isHere && <span className="stage-kind">{KIND_LOOKS[trace.kind].about}</span>}
        <span className="grow" />
        <span className="stage-thing quiet">{WORDS[present.thing]}</span>
      </header>
      <div className="stage-body fill column" aria-busy={!isHere}>
        {turn === null ? (
          <p className="stage-reason quiet">
            This event is not classified. → goes to the next turn.
          </p>
        ) : (
          trace && (
            <div className={isHere ? 'stage-shown fill column' : 'stage-shown fill column stale'}>
              <Shown trace={trace} />
            </div>
          )
        )}
      </div>
      {trace && turn !== null && present.thing === 'message' && (
        <p className="stage-line row wrap">
          <Signature trace={trace} />
          <span className="stage-line-event num">
            {EVENT_WORDS[trace.momentum.event]} · momentum {trace.momentum.after.momentum}
          </span>
        </p>
      )}
      <Strip turn={turn ?? 0} />
      <Controls present={present} />
      <Told />
    </main>
  )
}

/** Describes the view for screen readers. Silent during playback, which is faster than the text can be read. */
function Told() {
  const isPlaying = useApp((state) => state.view.present?.isPlaying === true)
  const told = useApp((state) => {
    const trace = valueOf(state.session.trace)
    if (trace?.turn !== selectedTurn(state)) return ''
    const { primary, secondary, momentum } = trace
    const domains = [primary.domain, secondary?.domain].filter((one) => one !== undefined)
    return `Turn ${trace.turn + 1}: ${domains.join(' + ')}, ${EVENT_WORDS[momentum.event]}, momentum ${momentum.after.momentum}`
  })
  return (
    <p className="visually-hidden" role="status">
      {isPlaying ? '' : told}
    </p>
  )
}

const AWAKE_MS = 2500

/** The controls are there while the pointer moves; the keyboard brings them by their focus. */
function useAwake(): boolean {
  const [isAwake, setAwake] = useState(false)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const wake = () => {
      setAwake(true)
      clearTimeout(timer)
      timer = setTimeout(() => setAwake(false), AWAKE_MS)
    }
    addEventListener('pointermove', wake)
    return () => {
      clearTimeout(timer)
      removeEventListener('pointermove', wake)
    }
  }, [])
  return isAwake
}

function Controls({ present }: { readonly present: Present }) {
  const hasFlips = useApp((state) => (valueOf(state.session.replay)?.flips.length ?? 0) > 0)
  const { isPlaying, speed, thing } = present
  return (
    <div
      className="stage-controls floating row gap-8"
      role="toolbar"
      aria-label="Presenter controls"
    >
      <IconButton
        icon={ChevronLeft}
        size={18}
        name="Previous turn"
        title="Previous turn (↑)"
        onClick={() => stepTurn(-1)}
      />
      <IconButton
        icon={isPlaying ? Pause : Play}
        size={18}
        name={isPlaying ? 'Pause' : 'Play'}
        title={isPlaying ? 'Pause (Space)' : 'Play turn after turn (Space)'}
        onClick={togglePlay}
      />
      <IconButton
        icon={ChevronRight}
        size={18}
        name="Next turn"
        title="Next turn (↓)"
        onClick={() => stepTurn(1)}
      />
      <IconButton
        icon={Minus}
        name="Slower"
        title="Slower (-)"
        disabled={speed <= SPEEDS[0]}
        onClick={() => changeSpeed(-1)}
      />
      <span className="num stage-speed text-center" role="status" aria-label="Speed">
        {speed}×
      </span>
      <IconButton
        icon={Plus}
        name="Faster"
        title="Faster (+)"
        disabled={speed >= (SPEEDS.at(-1) ?? speed)}
        onClick={() => changeSpeed(1)}
      />
      <Button small disabled={!hasFlips} title="Next flip (n)" onClick={() => stepFlip(1)}>
        Next flip
      </Button>
      <Button small title="Next break of momentum (b)" onClick={() => stepBreak(1)}>
        <Zap size={13} aria-hidden /> Next break
      </Button>
      <Switch
        label="What is shown"
        options={[
          ['message', 'Message', 'Message (1)'],
          ['decision', 'Decision', 'Decision (2)'],
          ['momentum', 'Momentum', 'Momentum (3)'],
        ]}
        value={thing}
        onChoose={showThing}
      />
      <Button
        small
        title="The next thing of this turn, then the next turn (→)"
        onClick={() => stepThing(1)}
      >
        Next
      </Button>
      <IconButton icon={X} size={16} name="Leave" title="Leave (Esc)" onClick={() => leave()} />
    </div>
  )
}
