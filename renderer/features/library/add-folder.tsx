import { FolderOpen, FolderPlus, Telescope } from 'lucide-react'
import { useRef, useState } from 'react'
import { type Failure, valueOf } from '../../app/async-data.ts'
import { failureOf } from '../../app/host.ts'
import { useApp } from '../../app/use-store.ts'
import { FailureNote } from '../../ui/answered.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Input } from '../../ui/form.tsx'
import { ago, bytes, counted } from '../../ui/format.ts'
import type { Place } from '../../app/folders-state.ts'
import { addFolder, chooseFolder, discover, showFolder } from './folders.ts'

/** Adds a folder of transcripts: by its path, by the system's dialog, or from the usual places. */
export function AddFolder({ onClose }: { readonly onClose: () => void }) {
  const [path, setPath] = useState('')
  const [failure, setFailure] = useState<Failure | null>(null)
  const [busy, setBusy] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const add = (wanted: string) => {
    setBusy(true)
    setFailure(null)
    addFolder(wanted)
      .then(onClose)
      .catch((error: unknown) => {
        setFailure(failureOf(error, wanted))
        setBusy(false)
      })
  }
  return (
    <Dialog
      title="Add a folder to the library"
      className="modal-wide"
      first={input}
      onClose={onClose}
    >
      <div className="add-folder stack scroll gap-12 pad-16">
        <p className="quiet">
          Every transcript in it and below is listed, read and replayed in the background. Nothing
          is copied, and nothing leaves this machine. A folder that <code>turnscope batch</code>{' '}
          filled is opened as results.
        </p>
        <form
          className="add-folder-line gap-8 flex"
          onSubmit={(event) => {
            event.preventDefault()
            if (path.trim() !== '') add(path.trim())
          }}
        >
          <Input
            ref={input}
            value={path}
            spellCheck={false}
            placeholder="Path of the folder"
            aria-label="Path of the folder"
            aria-invalid={failure !== null}
            onText={setPath}
          />
          <NativeChoice onChosen={add} onFailure={setFailure} />
          <Button
            className="button-tall"
            type="submit"
            kind="primary"
            disabled={busy || path.trim() === ''}
          >
            Add
          </Button>
        </form>
        {failure && <FailureNote failure={failure} />}
        <UsualPlaces onAdd={add} onClose={onClose} />
      </div>
    </Dialog>
  )
}

interface ChoiceProps {
  readonly onChosen: (path: string) => void
  readonly onFailure: (failure: Failure) => void
}

/** Button for the system's folder dialog, if one exists. */
function NativeChoice({ onChosen, onFailure }: ChoiceProps) {
  const native = useApp((state) => valueOf(state.document.info)?.nativeDialog ?? false)
  if (!native) return null
  return (
    <Button
      className="button-tall"
      onClick={() => {
        chooseFolder().then(
          (path) => {
            if (path !== null) onChosen(path)
          },
          (error: unknown) => onFailure(failureOf(error, 'Folder dialog')),
        )
      }}
    >
      <FolderOpen size={14} aria-hidden />
      Choose …
    </Button>
  )
}

interface PlacesProps {
  readonly onAdd: (path: string) => void
  readonly onClose: () => void
}

/** [U8] Places in which tools keep their transcripts. They are searched only when this is pressed. */
function UsualPlaces({ onAdd, onClose }: PlacesProps) {
  const places = useApp((state) => state.folders.places)
  const known = useApp((state) => valueOf(state.folders.list)) ?? []
  const found = valueOf(places)
  return (
    <section className="usual stack line-above" aria-label="The usual places">
      <div className="row gap-12">
        <Button disabled={places.status === 'loading'} onClick={discover}>
          <Telescope size={14} aria-hidden />
          {places.status === 'loading' ? 'Looking …' : 'Look in the usual places'}
        </Button>
        <span className="quiet">where tools keep their transcripts; nothing is opened yet</span>
      </div>
      {places.status === 'failed' && <FailureNote failure={places.failure} />}
      {found?.length === 0 && <p className="quiet">None of them is on this machine.</p>}
      <ul>
        {found?.map((place) => (
          <li key={place.path} className="usual-place row line-above gap-12 pad-y-8">
            <PlaceFacts place={place} />
            {known.some(({ path }) => path === place.path) ? (
              <Button
                small
                onClick={() => {
                  onClose()
                  void showFolder(place.path)
                }}
              >
                Show
              </Button>
            ) : (
              <Button small aria-label={`Add ${place.path}`} onClick={() => onAdd(place.path)}>
                <FolderPlus size={13} aria-hidden />
                Add
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

function PlaceFacts({ place }: { readonly place: Place }) {
  const [now] = useState(() => Date.now())
  return (
    <div className="grow">
      <strong>{place.tool}</strong>
      <p className="mono text-s quiet truncate" title={place.path}>
        {place.path}
      </p>
      <p className="quiet num text-s">
        {counted(place.files, 'file')} · {bytes(place.bytes)}
        {place.newest !== null && ` · newest ${ago(place.newest, now)}`}
      </p>
    </div>
  )
}
