import { FolderOpen, FolderPlus, Telescope } from 'lucide-react'
import { useRef, useState } from 'react'
import { type Failure, valueOf } from '../../app/async-data.ts'
import { addFolder, chooseFolder, discover, showFolder } from './folders.ts'
import type { Place } from './folders-state.ts'
import { failureOf } from '../../app/host.ts'
import { useApp } from '../../app/use-store.ts'
import { ago, bytes, counted } from '../../ui/format.ts'
import { Modal } from '../../ui/modal.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'

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
    <Modal
      title="Add a folder to the library"
      className="modal-wide"
      first={input}
      onClose={onClose}
    >
      <div className="add-folder stack scroll gap-12 pad-16">
        <p className="quiet">
          Every transcript in it and below is listed, read and replayed in the background. Nothing
          is copied, and nothing leaves this machine.
        </p>
        <form
          className="add-folder-line gap-8 flex"
          onSubmit={(event) => {
            event.preventDefault()
            if (path.trim() !== '') add(path.trim())
          }}
        >
          <input
            ref={input}
            className="field"
            value={path}
            spellCheck={false}
            placeholder="Path of the folder"
            aria-label="Path of the folder"
            aria-invalid={failure !== null}
            onChange={(event) => setPath(event.target.value)}
          />
          <NativeChoice onChosen={add} onFailure={setFailure} />
          <button
            type="submit"
            className="button button-primary button-tall"
            disabled={busy || path.trim() === ''}
          >
            Add
          </button>
        </form>
        {failure && <FailureNote failure={failure} />}
        <UsualPlaces onAdd={add} onClose={onClose} />
      </div>
    </Modal>
  )
}

interface ChoiceProps {
  readonly onChosen: (path: string) => void
  readonly onFailure: (failure: Failure) => void
}

/** The system's dialog for folders, where there is one. */
function NativeChoice({ onChosen, onFailure }: ChoiceProps) {
  const native = useApp((state) => valueOf(state.document.info)?.nativeDialog ?? false)
  if (!native) return null
  return (
    <button
      type="button"
      className="button button-tall"
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
    </button>
  )
}

interface PlacesProps {
  readonly onAdd: (path: string) => void
  readonly onClose: () => void
}

/** [U8] Where tools keep their transcripts; looked for only when this is pressed. */
function UsualPlaces({ onAdd, onClose }: PlacesProps) {
  const places = useApp((state) => state.folders.places)
  const known = useApp((state) => valueOf(state.folders.list)) ?? []
  const found = valueOf(places)
  return (
    <section className="usual stack line-above" aria-label="The usual places">
      <div className="row gap-12">
        <button
          type="button"
          className="button"
          disabled={places.status === 'loading'}
          onClick={() => void discover()}
        >
          <Telescope size={14} aria-hidden />
          {places.status === 'loading' ? 'Looking …' : 'Look in the usual places'}
        </button>
        <span className="quiet">where tools keep their transcripts; nothing is opened yet</span>
      </div>
      {places.status === 'failed' && <FailureNote failure={places.failure} />}
      {found?.length === 0 && <p className="quiet">None of them is on this machine.</p>}
      <ul>
        {found?.map((place) => (
          <li key={place.path} className="usual-place row line-above gap-12 pad-y-8">
            <PlaceFacts place={place} />
            {known.some(({ path }) => path === place.path) ? (
              <button
                type="button"
                className="button button-small"
                onClick={() => {
                  onClose()
                  void showFolder(place.path)
                }}
              >
                Show
              </button>
            ) : (
              <button
                type="button"
                className="button button-small"
                aria-label={`Add ${place.path}`}
                onClick={() => onAdd(place.path)}
              >
                <FolderPlus size={13} aria-hidden />
                Add
              </button>
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
