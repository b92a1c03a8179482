import { FilePlus2, X } from 'lucide-react'
import { useId } from 'react'
import { type Checked, type Draft, type DraftFile, FILE_ROLES } from './draft.ts'

interface Props {
  readonly draft: Draft
  readonly change: (draft: Draft) => void
  readonly checked: Checked
}

/** Most bytes of a file that a form takes in. */
const MOST_BYTES = 16_000_000

interface PickProps {
  readonly what: string
  readonly onText: (text: string, name: string) => void
}

export function PickFile({ what, onText }: PickProps) {
  return (
    <label className="link pick-file text-s relative pointer">
      Choose a file…
      <input
        type="file"
        className="visually-hidden"
        aria-label={`Choose a file of ${what}`}
        onChange={(event) => {
          const file = event.target.files?.[0]
          event.target.value = ''
          if (!file || file.size > MOST_BYTES) return
          void file.text().then((text) => onText(text, file.name))
        }}
      />
    </label>
  )
}

const SOURCES = [
  ['here', 'Written here'],
  ['folder', 'In a folder'],
] as const

/** Manifest and state files: their contents, or where they lie. */
export function Files(props: Props) {
  const { draft, change, checked } = props
  const wrong = !checked.ok && checked.field === 'files' ? checked.problem : null
  return (
    <fieldset className="form-files shrink stack gap-7">
      <div className="control-head">
        <legend className="control-label">Manifest and state files</legend>
        <span className="switch switch-small">
          {SOURCES.map(([source, words]) => (
            <button
              key={source}
              type="button"
              aria-pressed={draft.source === source}
              onClick={() => change({ ...draft, source })}
            >
              {words}
            </button>
          ))}
        </span>
      </div>
      {draft.source === 'here' ? <FilesHere {...props} /> : <FilesInFolder {...props} />}
      {typeof wrong === 'string' && (
        <p className="text-s bad" role="alert">
          ▲ {wrong}
        </p>
      )}
    </fieldset>
  )
}

function FilesHere({ draft, change }: Pick<Props, 'draft' | 'change'>) {
  const put = (at: number, file: DraftFile | null) => {
    const files = draft.files.flatMap((own, index) => (index === at ? (file ?? []) : own))
    change({ ...draft, files })
  }
  const add = (file: DraftFile) => change({ ...draft, files: [...draft.files, file] })
  return (
    <>
      {draft.files.map((file, at) => (
        <div key={at} className="form-file stack line-below gap-5 center-items">
          <select
            className="field select"
            aria-label={`File ${at + 1} is`}
            value={file.role}
            onChange={(event) => {
              const role = FILE_ROLES.find((one) => one === event.target.value) ?? 'other'
              put(at, { ...file, role })
            }}
          >
            <option value="manifest">manifest</option>
            <option value="state">state file</option>
            <option value="other">history</option>
          </select>
          <input
            className="field mono"
            aria-label={`Path of file ${at + 1}`}
            placeholder="path"
            value={file.path}
            onChange={(event) => put(at, { ...file, path: event.target.value })}
          />
          <button
            type="button"
            className="icon-button"
            aria-label={`Remove file ${at + 1}`}
            onClick={() => put(at, null)}
          >
            <X size={14} aria-hidden />
          </button>
          <textarea
            className="area area-mono"
            aria-label={`Text of file ${at + 1}`}
            spellCheck={false}
            rows={3}
            value={file.text}
            onChange={(event) => put(at, { ...file, text: event.target.value })}
          />
        </div>
      ))}
      <div className="row text-s gap-12">
        <button
          type="button"
          className="button button-small"
          onClick={() => {
            const has = draft.files.some(({ role }) => role === 'manifest')
            add(
              has
                ? { role: 'state', path: 'state.json', text: '{}' }
                : { role: 'manifest', path: 'manifest.json', text: `{"step": ${draft.step}}` },
            )
          }}
        >
          <FilePlus2 size={13} aria-hidden /> Add a file
        </button>
        <PickFile
          what="the step"
          onText={(text, name) => add({ role: 'state', path: name, text })}
        />
      </div>
      <p className="quiet text-xs break-words">
        No disk is read. History goes by its path: <code>run_history.jsonl</code>,{' '}
        <code>watcher_failures.jsonl</code>, <code>chapter13/summaries/…</code>
      </p>
    </>
  )
}

const PATHS = [
  ['root', 'Folder where paths start', 'the workspace'],
  ['manifest', 'Manifest', 'none'],
] as const

function FilesInFolder({ draft, change }: Pick<Props, 'draft' | 'change'>) {
  const id = useId()
  return (
    <>
      {PATHS.map(([field, words, placeholder]) => (
        <div key={field} className="form-path stack text-s gap-3">
          <label htmlFor={`${id}-${field}`}>{words}</label>
          <input
            id={`${id}-${field}`}
            className="field mono"
            placeholder={placeholder}
            value={draft[field]}
            onChange={(event) => change({ ...draft, [field]: event.target.value })}
          />
        </div>
      ))}
      <div className="form-path stack text-s gap-3">
        <label htmlFor={`${id}-states`}>State files, one path a line</label>
        <textarea
          id={`${id}-states`}
          className="area area-mono"
          rows={3}
          spellCheck={false}
          placeholder="none"
          value={draft.states}
          onChange={(event) => change({ ...draft, states: event.target.value })}
        />
      </div>
      <p className="quiet text-xs break-words">
        Run history and incidents of that folder are read, too.
      </p>
    </>
  )
}
