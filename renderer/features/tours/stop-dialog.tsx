import { useEffect, useRef, useState } from 'react'
import { TOUR_PLACES, type TourPlace } from '../../../core/engine/schema/tour.ts'
import { type Failure, valueOf } from '../../app/async-data.ts'
import { useApp } from '../../app/use-store.ts'
import { FailureNote } from '../../ui/answered.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Input, Select, TextArea } from '../../ui/form.tsx'
import { PLACES } from './places.ts'
import { addStop, ownTours, placeNow } from './record.ts'
import { fits, loadTours, useTours } from './store.ts'

const MOST_SAY = 600
const NEW = '(a new tour)'

/** [U135] "Add this as a stop": the turn, tab and place on screen, with the operator's sentence. */
export function StopDialog({ onClose }: { readonly onClose: () => void }) {
  const files = useTours((state) => valueOf(state.listed)?.tours)
  const all = ownTours(files ?? []).filter(({ tour }) => fits(tour))
  const [chosen, setChosen] = useState<string | null>(null)
  const [title, setTitle] = useState('')
  const [say, setSay] = useState('')
  const [place, setPlace] = useState<TourPlace | null>(null)
  const [failure, setFailure] = useState<Failure | null>(null)
  const first = useRef<HTMLTextAreaElement>(null)
  useEffect(() => void loadTours(), [])
  const id = chosen ?? all.at(-1)?.id ?? NEW
  const isNew = id === NEW
  const isReady = say.trim() !== '' && (!isNew || title.trim() !== '')
  const add = async () => {
    const failed = await addStop({ id: isNew ? null : id, title, say, place })
    setFailure(failed)
    if (failed === null) onClose()
  }
  return (
    <Dialog title="Add this as a stop" onClose={onClose} first={first}>
      <form
        className="tour-form stack gap-12 pad-16"
        onSubmit={(event) => {
          event.preventDefault()
          void add()
        }}
      >
        {failure && <FailureNote failure={failure} />}
        <Where />
        <Field
          label="Sentence"
          aside={
            <span className="quiet num text-s">
              {say.length} of {MOST_SAY}
            </span>
          }
        >
          <TextArea
            ref={first}
            rows={4}
            maxLength={MOST_SAY}
            value={say}
            placeholder="What should the viewer notice here, and why?"
            onText={setSay}
          />
        </Field>
        <Select
          label="Pointing at"
          value={place}
          options={[null, ...TOUR_PLACES]}
          words={(one) => (one === null ? 'nothing' : PLACES[one].words)}
          onChoose={setPlace}
        />
        <Select
          label="Tour"
          value={id}
          options={[...all.map((file) => file.id), NEW]}
          words={(one) => all.find((file) => file.id === one)?.tour.title ?? 'A new tour'}
          onChoose={setChosen}
        />
        {isNew && (
          <Field label="Title of the new tour">
            <Input value={title} maxLength={120} onText={setTitle} />
          </Field>
        )}
        <footer className="row gap-8">
          <span className="grow quiet text-s">
            Saved as YAML in the folder tours of the workspace.
          </span>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" disabled={!isReady}>
            Add the stop
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}

/** The place that becomes the stop. */
function Where() {
  const turn = useApp((state) => placeNow(state)?.turn)
  const event = useApp((state) => placeNow(state)?.event)
  const tab = useApp((state) => state.view.tab)
  const dock = useApp((state) => state.view.dock)
  const where = turn === undefined ? `Event ${event ?? 0}` : `Turn ${turn}`
  return (
    <p className="dim">
      <strong>{where}</strong>, tab {tab}
      {dock !== null && `, panel ${dock}`}
    </p>
  )
}
