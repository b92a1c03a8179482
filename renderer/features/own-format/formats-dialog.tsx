import { useEffect, useRef, useState } from 'react'
import { valueOf } from '../../app/async-data.ts'
import { sourceName } from '../../app/source-name.ts'
import { FailureNote } from '../../ui/answered.tsx'
import { Button } from '../../ui/button.tsx'
import { Conflict } from '../../ui/conflict.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ChoiceBox, Field, Input } from '../../ui/form.tsx'
import { NumberedArea } from '../../ui/numbered-area.tsx'
import { Chip } from '../../ui/parts.tsx'
import { shortName, visible } from '../../ui/visible.ts'
import { PathHelp } from './path-help.tsx'
import { Preview } from './preview.tsx'
import {
  chooseFormat,
  isTheirs,
  isTyped,
  leaveFormats,
  nameFormat,
  newFormat,
  openWithFormat,
  saveFormat,
  takeTheirs,
  textOf,
  typeFormat,
  useOwnFormats,
} from './state.ts'

/** [U185] A mapping on the left, its result for a file on the right. */
export function FormatsDialog({ onClose }: { readonly onClose: () => void }) {
  useEffect(() => leaveFormats, [])
  return (
    <Dialog title="Formats of your own" className="modal-full" onClose={onClose}>
      <div className="formats fill">
        <Editor />
        <Preview />
      </div>
    </Dialog>
  )
}

const NEW = ''
const NAME = /^[\p{L}\p{N}][\p{L}\p{N} _.-]{0,79}$/u

/** Which mapping is written, and its text. */
function Editor() {
  const now = useOwnFormats((state) => state)
  const editor = useRef<HTMLTextAreaElement>(null)
  const isNew = (now.disk?.text ?? null) === null
  const isGood = NAME.test(now.name)
  useEffect(() => {
    editor.current?.focus()
    editor.current?.setSelectionRange(0, 0)
  }, [isNew])
  return (
    <form
      className="formats-editor shrink-y gap-8 column line-end pad-12"
      aria-label="Mapping"
      onSubmit={(event) => {
        event.preventDefault()
        if (isGood && !now.isSaving) void saveFormat()
      }}
      onKeyDown={(event) => {
        if (event.key !== 's' || !(event.ctrlKey || event.metaKey)) return
        event.preventDefault()
        if (isGood && !now.isSaving) void saveFormat()
      }}
    >
      <p className="text-s dim">
        A mapping says where the records of your files are and what their fields mean. It is saved
        in this workspace; files that its <code>match</code> fits open with it from then on.
      </p>
      <Which isNew={isNew} isGood={isGood} />
      <NumberedArea
        editor={editor}
        text={textOf(now)}
        label="Text of the mapping"
        onText={typeFormat}
      />
      <PathHelp />
      <Theirs />
      {now.failure && !isTheirs(now) && <FailureNote failure={now.failure} />}
      <Actions isGood={isGood} isNew={isNew} />
    </form>
  )
}

interface OfFile {
  readonly isNew: boolean
  readonly isGood: boolean
}

/** The mappings of the workspace, and the name of a new one. */
function Which({ isNew, isGood }: OfFile) {
  const files = useOwnFormats((state) => valueOf(state.files)?.files) ?? []
  const name = useOwnFormats((state) => state.name)
  const typed = useOwnFormats(isTyped)
  return (
    <div className="formats-which flex wrap gap-12">
      {files.length > 0 && (
        <Field label="Mapping" className="form-field">
          <ChoiceBox
            value={isNew ? NEW : name}
            title={typed && !isNew ? 'Another choice discards what is typed' : undefined}
            onText={(chosen) => (chosen === NEW ? void newFormat() : chooseFormat(chosen))}
          >
            {files.map((file) => (
              <option key={file.name} value={file.name}>
                {shortName(file.name)}
                {file.problem !== null && ' (broken)'}
              </option>
            ))}
            <option value={NEW}>New mapping</option>
          </ChoiceBox>
        </Field>
      )}
      {isNew && (
        <Field
          label="Name of the new file"
          className="form-field"
          error={name === '' || isGood ? null : 'Letters, digits, blanks, - _ . only.'}
        >
          <Input value={name} maxLength={80} autoComplete="off" onText={nameFormat} />
        </Field>
      )}
      <span className="mono quiet text-s truncate formats-file">
        profiles/formats/{visible(name || 'NAME')}.yaml
      </span>
    </div>
  )
}

/** [F20] Another program changed the file while something is typed. */
function Theirs() {
  const now = useOwnFormats((state) => state)
  const [looking, setLooking] = useState(false)
  if (!isTheirs(now)) return null
  return (
    <>
      <Conflict
        file={now.disk?.file ?? now.name}
        looking={looking}
        onLook={() => setLooking(!looking)}
        onTake={takeTheirs}
        onOverwrite={() => void saveFormat(true)}
      />
      {looking && (
        <pre className="block scroll text-code formats-theirs" aria-label="Theirs" tabIndex={0}>
          {visible(now.disk?.text ?? '(the file was removed)')}
        </pre>
      )}
    </>
  )
}

function Actions({ isGood, isNew }: OfFile) {
  const typed = useOwnFormats(isTyped)
  const theirs = useOwnFormats(isTheirs)
  const isSaving = useOwnFormats((state) => state.isSaving)
  const source = useOwnFormats((state) => state.source)
  const broken = useOwnFormats((state) => (valueOf(state.preview)?.problem ?? null) !== null)
  const canOpen = source !== null && source.kind !== 'sample'
  return (
    <div className="row wrap gap-8 text-s">
      {typed ? <Chip tone="warn">● not saved</Chip> : <Chip tone="good">✓ as on disk</Chip>}
      <span className="grow" />
      {canOpen && (
        <Button
          small
          disabled={!isGood || isSaving || theirs || broken}
          title={
            broken
              ? 'The preview says what is wrong with it'
              : `Save the mapping and read the file with it: ${sourceName(source)}`
          }
          onClick={() => void openWithFormat()}
        >
          {typed || isNew ? 'Save and open the file with it' : 'Open the file with it'}
        </Button>
      )}
      <Button
        kind="primary"
        small
        type="submit"
        disabled={!isGood || !typed || isSaving || theirs}
        title="Write it into the workspace (Ctrl S)"
      >
        Save
      </Button>
    </div>
  )
}
