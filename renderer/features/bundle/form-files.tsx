import { FilePlus2, X } from 'lucide-react'
import { Button, IconButton, Switch } from '../../ui/button.tsx'
import { Field, FileInput, Input, Select, TextArea } from '../../ui/form.tsx'
import { type Checked, type Draft, type DraftFile, FILE_ROLES } from './draft.ts'

export interface FilesProps {
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
      <FileInput
        aria-label={`Choose a file of ${what}`}
        onFiles={([file]) => {
          if (file && file.size <= MOST_BYTES)
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

/** Manifest and state files: their contents, or their location. */
export function Files(props: FilesProps) {
  const { draft, change, checked } = props
  const wrong = !checked.ok && checked.field === 'files' ? checked.problem : null
  return (
    <fieldset className="form-files shrink stack gap-7">
      <div className="control-head">
        <legend className="control-label">Manifest and state files</legend>
        <Switch
          className="switch-small"
          options={SOURCES}
          value={draft.source}
          onChoose={(source) => change({ ...draft, source })}
        />
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

const ROLES = { manifest: 'manifest', state: 'state file', other: 'history' } as const

function FilesHere({ draft, change }: FilesProps) {
  const put = (at: number, file: DraftFile | null) => {
    const files = draft.files.flatMap((own, index) => (index === at ? (file ?? []) : own))
    change({ ...draft, files })
  }
  const add = (file: DraftFile) => change({ ...draft, files: [...draft.files, file] })
  return (
    <>
      {draft.files.map((file, at) => (
        <div key={at} className="form-file stack line-below gap-5 center-items">
          <Select
            className="select"
            aria-label={`File ${at + 1} is`}
            value={file.role}
            options={FILE_ROLES}
            words={(role) => ROLES[role]}
            onChoose={(role) => put(at, { ...file, role })}
          />
          <Input
            className="mono"
            aria-label={`Path of file ${at + 1}`}
            placeholder="path"
            value={file.path}
            onText={(text) => put(at, { ...file, path: text })}
          />
          <IconButton icon={X} name={`Remove file ${at + 1}`} onClick={() => put(at, null)} />
          <TextArea
            className="area-mono"
            aria-label={`Text of file ${at + 1}`}
            rows={3}
            value={file.text}
            onText={(next) => put(at, { ...file, text: next })}
          />
        </div>
      ))}
      <div className="row text-s gap-12">
        <Button
          small
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
        </Button>
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

function FilesInFolder({ draft, change }: FilesProps) {
  return (
    <>
      {PATHS.map(([field, words, placeholder]) => (
        <Field key={field} label={words} className="form-path stack text-s gap-3">
          <Input
            className="mono"
            placeholder={placeholder}
            value={draft[field]}
            onText={(text) => change({ ...draft, [field]: text })}
          />
        </Field>
      ))}
      <Field label="State files, one path a line" className="form-path stack text-s gap-3">
        <TextArea
          className="area-mono"
          rows={3}
          placeholder="none"
          value={draft.states}
          onText={(states) => change({ ...draft, states })}
        />
      </Field>
      <p className="quiet text-xs break-words">
        Run history and incidents of that folder are read, too.
      </p>
    </>
  )
}
