import { useState } from 'react'
import { valueOf } from '../../app/async-data.ts'
import { host } from '../../app/host.ts'
import { useApp } from '../../app/use-store.ts'
import { Button } from '../../ui/button.tsx'
import { Field, Input } from '../../ui/form.tsx'
import { Details } from '../../ui/parts.tsx'
import { useProbe } from '../../stores/probe/store.ts'
import { JobLine } from './job-line.tsx'
import { startIndex } from './state.ts'

/** As the file of collections has them. */
const NAME = /^[a-z0-9][a-z0-9_-]{0,99}$/u

/** A folder of documents becomes a collection. */
export function NewCollection() {
  const [name, setName] = useState('')
  const [path, setPath] = useState('')
  const [started, setStarted] = useState<string | null>(null)
  const native = useApp((state) => valueOf(state.document.info)?.nativeDialog ?? false)
  const listed = useProbe((state) => valueOf(state.collections))
  const valid = NAME.test(name)
  const isThere = listed?.some((one) => one.name === started) ?? false
  return (
    <Details className="collections-dialog-new" summary="New collection">
      <form
        className="collections-dialog-form wrap flex"
        onSubmit={(event) => {
          event.preventDefault()
          if (!valid || path.trim() === '') return
          startIndex(name, { paths: [path.trim()], rebuild: false })
          setStarted(name)
          setName('')
          setPath('')
        }}
      >
        <Field label="Name" className="form-field">
          <Input
            value={name}
            maxLength={100}
            aria-invalid={name !== '' && !valid}
            placeholder="project_notes"
            onText={setName}
          />
        </Field>
        <Field label="Folder or file with documents" className="form-field collections-dialog-wide">
          <Input value={path} onText={setPath} />
        </Field>
        {native && (
          <Button
            className="button-tall"
            onClick={() =>
              void host()
                .call('dialog.folder', {})
                .then((chosen) => {
                  if (chosen.path !== null) setPath(chosen.path)
                })
            }
          >
            Choose…
          </Button>
        )}
        <Button className="button-tall" type="submit" disabled={!valid || path.trim() === ''}>
          Index it
        </Button>
        {name !== '' && !valid && (
          <p className="bad collections-dialog-note text-s">
            A name has lower-case letters, digits, - and _, and begins with a letter or digit.
          </p>
        )}
      </form>
      {started !== null && !isThere && <JobLine id={`index ${started}`} idle="Reading documents" />}
    </Details>
  )
}
