import { useState } from 'react'
import { valueOf } from '../../app/async-data.ts'
import { host } from '../../app/host.ts'
import { startIndex } from './state.ts'
import { useProbe } from '../probe/store.ts'
import { useApp } from '../../app/use-store.ts'
import { JobLine } from './job-line.tsx'

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
    <details className="pdesk-new">
      <summary>New collection</summary>
      <form
        className="pdesk-form wrap flex"
        onSubmit={(event) => {
          event.preventDefault()
          if (!valid || path.trim() === '') return
          startIndex(name, { paths: [path.trim()], rebuild: false })
          setStarted(name)
          setName('')
          setPath('')
        }}
      >
        <label className="form-field">
          <span className="control-label">Name</span>
          <input
            className="field"
            value={name}
            maxLength={100}
            aria-invalid={name !== '' && !valid}
            placeholder="project_notes"
            onChange={(event) => setName(event.target.value)}
          />
        </label>
        <label className="form-field pdesk-wide">
          <span className="control-label">Folder or file with documents</span>
          <input className="field" value={path} onChange={(event) => setPath(event.target.value)} />
        </label>
        {native && (
          <button
            type="button"
            className="button button-tall"
            onClick={() =>
              void host()
                .call('dialog.folder', {})
                .then((chosen) => {
                  if (chosen.path !== null) setPath(chosen.path)
                })
            }
          >
            Choose…
          </button>
        )}
        <button
          type="submit"
          className="button button-tall"
          disabled={!valid || path.trim() === ''}
        >
          Index it
        </button>
        {name !== '' && !valid && (
          <p className="bad pdesk-note text-s">
            A name has lower-case letters, digits, - and _, and begins with a letter or digit.
          </p>
        )}
      </form>
      {started !== null && !isThere && <JobLine id={`index ${started}`} idle="Reading documents" />}
    </details>
  )
}
