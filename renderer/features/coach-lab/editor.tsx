import { diffLines } from 'diff'
import { type RefObject, useEffect, useState } from 'react'
import type { Failure } from '../../app/async-data.ts'
import { FailureNote } from '../../ui/answered.tsx'
import { Button, CopyButton, Switch } from '../../ui/button.tsx'
import { NumberedArea } from '../../ui/numbered-area.tsx'
import { Conflict } from '../../ui/conflict.tsx'
import { Chip } from '../../ui/parts.tsx'
import { visible } from '../../ui/visible.ts'
import { type CoachFiles, type Draft, isChanged, noDraft, withText } from './state.ts'

interface Props {
  readonly files: CoachFiles
  readonly draft: Draft
  readonly change: (draft: Draft) => void
  readonly onSave: () => void
  /** Another program saved a file that the draft edits; `files` is that version. */
  readonly isTheirs: boolean
  readonly failure: Failure | null
  /** Problem of the draft, as reported by the host. */
  readonly problem: string | null
  readonly editor: RefObject<HTMLTextAreaElement | null>
}

const PARTS = [
  { name: 'system', title: 'Prompt', path: 'prompts/coach/system.md' },
  { name: 'rules', title: 'Rules', path: 'prompts/coach/rules.yaml' },
] as const
type Part = (typeof PARTS)[number]['name']

/** Left side: prompt and rules as drafts over their files. */
export function LabEditor({
  files,
  draft,
  change,
  onSave,
  isTheirs,
  failure,
  problem,
  editor,
}: Props) {
  const [looking, setLooking] = useState(false)
  const [part, setPart] = useState<Part>('rules')
  const changed = isChanged(draft)
  // The lab is opened to write in it.
  useEffect(() => {
    editor.current?.focus()
  }, [editor])
  const { path, title } = PARTS.find(({ name }) => name === part) ?? PARTS[0]
  const text = draft[part] ?? files[part]
  return (
    <section
      className="lab-editor shrink-y gap-8 column line-end pad-12"
      aria-label="Prompt and rules"
    >
      <div className="row text-s">
        <Switch
          label="What is edited"
          value={part}
          onChoose={setPart}
          options={PARTS.map(({ name, title: word }) => [
            name,
            <>
              {word}
              {draft[name] !== null && <span className="lab-dot" title="edited" />}
            </>,
          ])}
        />
        <span className="quiet truncate grow mono" title={path}>
          {path}
        </span>
        <CopyButton text={text} what={title.toLowerCase()} />
      </div>
      <NumberedArea
        key={part}
        editor={editor}
        text={text}
        label={title}
        onText={(next) => change(withText(draft, files, [part, next]))}
      />
      {files.problem !== null && (
        <p className="warning">
          The files on disk cannot be used ({files.problem}); the ones that ship are.
        </p>
      )}
      {problem !== null && changed && (
        <p className="warning soft-bad" role="alert">
          {problem}
        </p>
      )}
      {isTheirs && (
        <Conflict
          file={path}
          looking={looking}
          onLook={() => setLooking(!looking)}
          onTake={() => change(noDraft)}
          onOverwrite={onSave}
        />
      )}
      {isTheirs && looking && <Difference theirs={files[part]} mine={text} />}
      {failure && !isTheirs && <FailureNote failure={failure} />}
      <div className="row text-s">
        {changed ? <Chip tone="accent">draft</Chip> : <Chip>as on disk</Chip>}
        <span className="quiet mono truncate grow" title="Hash of the prompt on disk">
          {files.promptHash.slice(0, 12)}
        </span>
        <Button small disabled={!changed} onClick={() => change(noDraft)}>
          Discard
        </Button>
        <Button
          kind="primary"
          small
          disabled={!changed || isTheirs}
          title="Write the draft into the workspace"
          onClick={onSave}
        >
          Save into the workspace
        </Button>
      </div>
    </section>
  )
}

/** Lines that only one of both texts has. */
function Difference({ theirs, mine }: { readonly theirs: string; readonly mine: string }) {
  const parts = diffLines(theirs, mine).filter(({ added, removed }) => added || removed)
  return (
    <div className="scroll text-code" role="group" aria-label="The difference">
      {parts.map(({ added, value }, at) => (
        <pre key={at} className={added ? 'good' : 'bad'}>
          {added ? 'mine' : 'theirs'}: {visible(value)}
        </pre>
      ))}
    </div>
  )
}
