import { ArrowDown, ArrowUp, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Tour, TourStop } from '../../../core/engine/schema/tour.ts'
import type { Failure } from '../../app/async-data.ts'
import { FailureNote } from '../../ui/answered.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { Field, Input, TextArea } from '../../ui/form.tsx'
import { PLACES } from './places.ts'
import { oneLine, save } from './record.ts'
import { patchTours, type TourFile } from './store.ts'

/** [U135] A tour of the workspace: its title, the order of its stops, and their sentences. */
export function TourEditor({ file }: { readonly file: TourFile }) {
  const [tour, setTour] = useState<Tour>(file.tour)
  const [failure, setFailure] = useState<Failure | null>(null)
  const { stops } = tour
  const put = (next: readonly TourStop[]) => setTour({ ...tour, stops: next })
  const isWhole =
    tour.title.trim() !== '' && stops.length > 0 && stops.every(({ say }) => say.trim() !== '')
  const write = async (next: Tour | null) => {
    const failed = await save(file, next)
    setFailure(failed)
    if (failed === null) patchTours({ editing: null })
  }
  return (
    <>
      <div
        className="tour-list scroll shrink-y stack gap-12 pad-16"
        role="region"
        aria-label="Stops"
        tabIndex={0}
      >
        {failure && <FailureNote failure={failure} />}
        <Field label="Title">
          <Input
            value={tour.title}
            maxLength={120}
            onText={(title) => setTour({ ...tour, title })}
          />
        </Field>
        <ol className="stack gap-8">
          {stops.map((stop, at) => (
            <li key={`${stops.length} ${at}`}>
              <StopRow
                stop={stop}
                at={at}
                count={stops.length}
                onSay={(say) => put(stops.with(at, { ...stop, say }))}
                onMove={(by) => put(moved(stops, at, by))}
                onDelete={() => put(stops.toSpliced(at, 1))}
              />
            </li>
          ))}
        </ol>
        {stops.length === 0 && (
          <p className="warning">
            A tour has at least one stop: delete it, or close without saving.
          </p>
        )}
      </div>
      <footer className="row gap-8 pad-9-12 line-above">
        <Button onClick={() => void write(null)}>
          <Trash2 size={13} aria-hidden /> Delete the tour
        </Button>
        <span className="grow quiet text-s mono truncate">{file.shown}</span>
        <Button onClick={() => patchTours({ editing: null })}>Back</Button>
        <Button
          kind="primary"
          disabled={!isWhole}
          onClick={() =>
            void write({ ...tour, title: oneLine(tour.title), stops: stops.map(plain) })
          }
        >
          Save
        </Button>
      </footer>
    </>
  )
}

const plain = (stop: TourStop): TourStop => ({ ...stop, say: oneLine(stop.say) })

/** The stop one place further up or down. */
export function moved(stops: readonly TourStop[], at: number, by: 1 | -1): readonly TourStop[] {
  const stop = stops[at]
  const to = at + by
  if (stop === undefined || to < 0 || to >= stops.length) return stops
  return stops.toSpliced(at, 1).toSpliced(to, 0, stop)
}

interface RowProps {
  readonly stop: TourStop
  readonly at: number
  readonly count: number
  readonly onSay: (say: string) => void
  readonly onMove: (by: 1 | -1) => void
  readonly onDelete: () => void
}

function StopRow({ stop, at, count, onSay, onMove, onDelete }: RowProps) {
  const where = stop.turn === undefined ? `event ${stop.event ?? 0}` : `turn ${stop.turn}`
  const place = stop.place === undefined ? '' : `, ${PLACES[stop.place].words}`
  const number = at + 1
  return (
    <div className="tour-row edge stack gap-6 rounded pad-9-12">
      <Field
        label={`Stop ${number}: ${where}${place}`}
        aside={
          <span className="row">
            <IconButton
              icon={ArrowUp}
              name={`Move stop ${number} up`}
              disabled={at === 0}
              onClick={() => onMove(-1)}
            />
            <IconButton
              icon={ArrowDown}
              name={`Move stop ${number} down`}
              disabled={number === count}
              onClick={() => onMove(1)}
            />
            <IconButton icon={Trash2} name={`Delete stop ${number}`} onClick={onDelete} />
          </span>
        }
      >
        <TextArea rows={3} maxLength={600} value={stop.say} onText={onSay} />
      </Field>
    </div>
  )
}
