import { Footprints, Pencil } from 'lucide-react'
import { useEffect } from 'react'
import { useApp } from '../../app/use-store.ts'
import { Answered } from '../../ui/answered.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { counted } from '../../ui/format.ts'
import { Chip } from '../../ui/parts.tsx'
import { visible } from '../../ui/visible.ts'
import { sessionWords, startTour } from './play.ts'
import { fits, type Listed, loadTours, patchTours, type TourFile, useTours } from './store.ts'
import { TourEditor } from './tour-editor.tsx'

/** [U131] All tours, those of the open session first; and the editor of one's own. */
export function ToursDialog({ onClose }: { readonly onClose: () => void }) {
  const listed = useTours((state) => state.listed)
  const editing = useTours((state) => state.editing)
  useEffect(() => {
    void loadTours()
    return () => patchTours({ editing: null })
  }, [])
  return (
    <Dialog
      title={editing === null ? 'Tours' : 'Edit the tour'}
      className="modal-wide"
      onClose={onClose}
    >
      <Answered data={listed} failure="above">
        {(value) => {
          const file = value.tours.find(({ id }) => id === editing)
          return file ? (
            <TourEditor key={file.fingerprint} file={file} />
          ) : (
            <List listed={value} onClose={onClose} />
          )
        }}
      </Answered>
    </Dialog>
  )
}

function List({ listed, onClose }: { readonly listed: Listed; readonly onClose: () => void }) {
  const isOpen = useApp((state) => state.document.opened.status === 'ready')
  const all = listed.tours.toSorted((a, b) => Number(fits(b.tour)) - Number(fits(a.tour)))
  return (
    <div
      className="tour-list scroll shrink-y stack gap-8 pad-16"
      role="region"
      aria-label="All tours"
      tabIndex={0}
    >
      {all.map((file) => (
        <Row key={file.id} file={file} onClose={onClose} />
      ))}
      {listed.problems.map(({ what, where, do: advice }) => (
        <p key={where} className="warning">
          <strong className="mono">{visible(where)}</strong>: {visible(what)}. {visible(advice)}
        </p>
      ))}
      <p className="quiet text-s">
        {isOpen
          ? 'A tour of your own: go to a turn, then "Add this as a stop" (A).'
          : 'A tour of your own: open a session, go to a turn, then "Add this as a stop" (A).'}
      </p>
    </div>
  )
}

function Row({ file, onClose }: { readonly file: TourFile; readonly onClose: () => void }) {
  const { id, own, tour } = file
  const isHere = fits(tour)
  return (
    <article className="tour-row edge row gap-12 rounded pad-9-12" aria-label={visible(tour.title)}>
      <div className="grow shrink stack gap-2">
        <p className="row gap-8 wrap" dir="auto">
          <strong>{visible(tour.title)}</strong>
          {isHere && <Chip tone="accent">this session</Chip>}
          {own && <Chip>your own</Chip>}
        </p>
        {tour.about !== undefined && (
          <p className="dim text-s" dir="auto">
            {visible(tour.about)}
          </p>
        )}
        <p className="quiet text-s">
          {counted(tour.stops.length, 'stop')} · {visible(sessionWords(tour))}
        </p>
      </div>
      {own && (
        <Button
          small
          aria-label={`Edit: ${visible(tour.title)}`}
          onClick={() => patchTours({ editing: id })}
        >
          <Pencil size={13} aria-hidden /> Edit
        </Button>
      )}
      <Button
        small
        kind={isHere ? 'primary' : 'plain'}
        aria-label={`Take it: ${visible(tour.title)}`}
        onClick={() => {
          onClose()
          // The dialog gives the keyboard back before the tour takes it.
          queueMicrotask(() => void startTour(id))
        }}
      >
        <Footprints size={13} aria-hidden /> Take it
      </Button>
    </article>
  )
}
