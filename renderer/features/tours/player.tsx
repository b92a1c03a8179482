import { ArrowLeft, ArrowRight, X } from 'lucide-react'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { TourStop } from '../../../core/engine/schema/tour.ts'
import { has } from '../../app/api.ts'
import { valueOf } from '../../app/async-data.ts'
import { selectedTurn } from '../../app/selectors.ts'
import type { State, TourAt } from '../../app/store.ts'
import { useApp } from '../../app/use-store.ts'
import { FailureNote } from '../../ui/answered.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { visible } from '../../ui/visible.ts'
import { makeEdit, showSignalOf, takeEditBack } from './edit.ts'
import { boxOf, cornerFor, type Corner, Ring, useBox } from './highlight.tsx'
import { closeTour, goToStop, stepTour } from './play.ts'
import { type TourFile, useTours } from './store.ts'

/** [U133] The tour that is being taken, over everything else; nothing without one. */
export function TourPlayer() {
  const at = useApp((state) => state.view.tour)
  const listed = useTours((state) => state.listed)
  const isThere = useApp((state) => valueOf(state.session.replay) !== null)
  const dialog = useApp((state) => state.view.dialog)
  if (at === null || dialog !== null) return null
  if (listed.status === 'failed')
    return (
      <section className="tour-card" data-at="bottom-start" aria-label="Tour">
        <FailureNote failure={listed.failure} />
        <Button onClick={() => closeTour()}>Close</Button>
      </section>
    )
  const file = valueOf(listed)?.tours.find(({ id }) => id === at.id)
  const stop = file?.tour.stops[at.step]
  if (!file || !stop) return valueOf(listed) ? <Gone /> : null
  return isThere ? <Stop key={at.id} file={file} at={at} stop={stop} /> : null
}

function Gone() {
  return (
    <section className="tour-card" data-at="bottom-start" aria-label="Tour">
      <p role="status">This tour, or this stop of it, is not there any more.</p>
      <p className="tour-foot row gap-8">
        <Button onClick={() => closeTour()}>Close</Button>
      </p>
    </section>
  )
}

interface StopProps {
  readonly file: TourFile
  readonly at: TourAt
  readonly stop: TourStop
}

/** The reader looks at something else than the stop speaks of. */
const isElsewhere = (state: State, { turn, event, tab }: TourStop): boolean => {
  const at = selectedTurn(state)
  const isOther = turn === undefined ? state.view.selected !== event : at !== turn - 1
  return isOther || (tab !== undefined && state.view.tab !== tab)
}

function Stop({ file, at, stop }: StopProps) {
  const { tour, id } = file
  const count = tour.stops.length
  const step = `${id} ${at.step}`
  const isAway = useApp((state) => isElsewhere(state, stop))
  const isStage = useApp((state) => state.view.present !== null)
  const box = useBox(isAway || isStage ? null : (stop.place ?? null), step)
  const { card, corner } = useCorner(box, step, isStage)
  const next = useRef<HTMLButtonElement>(null)
  // The focus moves to the tour at its start. Afterwards the operator controls it.
  useEffect(() => next.current?.focus(), [])
  const isLast = at.step === count - 1
  return (
    <>
      {box && <Ring box={box} />}
      <section
        ref={card}
        className="tour-card"
        data-at={corner}
        data-stage={isStage || undefined}
        aria-label={`Tour: ${visible(tour.title)}`}
      >
        <header className="row gap-8">
          <span className="tour-title truncate quiet text-s" dir="auto">
            {visible(tour.title)}
          </span>
          <span className="grow" />
          <span className="num quiet text-s nowrap">
            {at.step + 1} of {count}
          </span>
          <IconButton
            icon={X}
            name="Close the tour"
            title="Close the tour (Esc)"
            onClick={() => closeTour()}
          />
        </header>
        <div aria-live="polite" aria-atomic="true">
          <span className="visually-hidden">
            Stop {at.step + 1} of {count}.
          </span>
          <p className="tour-say" dir="auto">
            {visible(stop.say)}
          </p>
        </div>
        {stop.edit && !isAway && <EditOf stop={stop} />}
        <footer className="tour-foot row gap-8">
          <Steps count={count} step={at.step} />
          <span className="grow" />
          {isAway && (
            <Button kind="link" onClick={() => goToStop(id, at.step)}>
              Back to this stop
            </Button>
          )}
          <IconButton
            icon={ArrowLeft}
            name="Previous stop"
            title="Previous stop (<)"
            disabled={at.step === 0}
            onClick={() => stepTour(-1)}
          />
          <Button ref={next} kind="primary" className="tour-next" onClick={() => stepTour(1)}>
            {isLast ? 'Done' : 'Next'} {!isLast && <ArrowRight size={14} aria-hidden />}
          </Button>
        </footer>
      </section>
    </>
  )
}

function Steps({ count, step }: { readonly count: number; readonly step: number }) {
  return (
    <span className="tour-dots flex" aria-hidden>
      {Array.from({ length: count }, (_, at) => (
        <i key={at} data-on={at <= step || undefined} />
      ))}
    </span>
  )
}

/** The corner of the window that covers the least, chosen again for each stop. */
function useCorner(box: ReturnType<typeof useBox>, step: string, isStage: boolean) {
  const card = useRef<HTMLElement>(null)
  const [corner, setCorner] = useState<Corner>('bottom-start')
  const key = `${step} ${box === null ? '' : Object.values(box).join(' ')}`
  useLayoutEffect(() => {
    const { current } = card
    if (!current) return undefined
    const size = { width: current.offsetWidth, height: current.offsetHeight }
    const window = { width: innerWidth, height: innerHeight }
    setCorner(cornerFor(size, { box, row: boxOf('turn'), window }))
    // The stage leaves room for it.
    const room = document.documentElement.style
    if (isStage) room.setProperty('--tour-height', `${size.height}px`)
    return () => void room.removeProperty('--tour-height')
    // `key` is the box by its numbers.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [key, isStage])
  return { card, corner }
}

/** [U134] The edit that a stop speaks of: its signal in Tune, and a button that makes the change. */
function EditOf({ stop }: { readonly stop: TourStop }) {
  const made = useTours((state) => state.edit)
  const trace = useApp((state) => {
    const shown = valueOf(state.session.trace)
    return shown?.turn === (stop.turn ?? 0) - 1 ? shown : null
  })
  const { edit } = stop
  useEffect(() => {
    if (trace && edit) showSignalOf(edit, trace)
  }, [trace, edit])
  if (edit?.pattern === undefined || !trace) return null
  if (!has('edit'))
    return (
      <p className="tour-edit quiet text-s">
        Signals cannot be edited in this page: it was made without that.
      </p>
    )
  return (
    <div className="tour-edit row wrap gap-8">
      {made === null ? (
        <Button onClick={() => void makeEdit(edit, trace)}>Try this edit</Button>
      ) : (
        <Button onClick={takeEditBack}>Take it back</Button>
      )}
      <span className="quiet text-s" role="status">
        {made === null
          ? 'It is made in a draft; your files stay as they are.'
          : 'Made in the draft: Tune says what flips.'}
      </span>
    </div>
  )
}
