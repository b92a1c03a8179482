import { useEffect, useRef, useState } from 'react'
import {
  type AsyncData,
  type Failure,
  failed,
  idle,
  loading,
  ready,
  valueOf,
} from '../../app/async-data.ts'
import {
  type CoachFiles,
  type Draft,
  type LabQuestion,
  type LabResult,
  isChanged,
  loadFiles,
  noDraft,
  runLab,
  saveDraft,
  selectedText,
} from './state.ts'
import { failureOf } from '../../app/host.ts'
import { Modal } from '../../ui/modal.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { InspectorSkeleton } from '../../app/inspector-skeleton.tsx'
import { LabBar } from './bar.tsx'
import { LabEditor } from './editor.tsx'
import { LabResults } from './results.tsx'
import './coach-lab.css'

/** The draft survives closing the lab while the window is open; nothing is written before Save. */
let last: Draft = noDraft

function useFiles() {
  const [files, setFiles] = useState<AsyncData<CoachFiles>>(() => loading())
  const [failure, setFailure] = useState<Failure | null>(null)
  const load = () => {
    loadFiles()
      .then((value) => setFiles(ready(value)))
      .catch((error: unknown) => setFiles(failed(failureOf(error, 'The coach’s prompt and rules'))))
  }
  useEffect(load, [])
  const save = async (draft: Draft): Promise<boolean> => {
    try {
      await saveDraft(draft)
      setFailure(null)
      load()
      return true
    } catch (error) {
      setFailure(failureOf(error, 'The coach’s prompt and rules'))
      return false
    }
  }
  return { files, failure, save }
}

/** Runs the lab; rules answer while people type, a model only when it is told to. */
function useLab() {
  const [result, setResult] = useState<AsyncData<LabResult>>(idle)
  const stop = useRef<(() => void) | null>(null)
  const cancel = () => {
    stop.current?.()
    stop.current = null
  }
  useEffect(() => cancel, [])
  return {
    result,
    run: (question: LabQuestion) => {
      cancel()
      setResult((before) => loading(before))
      stop.current = runLab(question, (data) => {
        // What was shown stays until the next answer.
        setResult((before) =>
          data.status === 'loading' ? { ...data, previous: valueOf(before) } : data,
        )
      })
    },
    cancel: () => {
      cancel()
      setResult((before) => {
        const value = valueOf(before)
        return value ? ready(value) : idle
      })
    },
  }
}

/** The output that is selected behind the lab, fetched once. */
function useSelectedText(): string | null {
  const [text, setText] = useState<string | null>(null)
  useEffect(() => {
    let mounted = true
    selectedText()
      .then((found) => {
        if (mounted) setText(found)
      })
      .catch(() => undefined)
    return () => {
      mounted = false
    }
  }, [])
  return text
}

const PAUSE = 350

/** Prompt and rules in an editor, and what they say of labelled outputs, beside the files on disk. */
export function CoachLab({ onClose }: { readonly onClose: () => void }) {
  const { files, failure, save } = useFiles()
  const [draft, setDraft] = useState<Draft>(last)
  const [scope, setScope] = useState<LabQuestion['scope']>('labelled')
  const { result, run, cancel } = useLab()
  const text = useSelectedText()
  const editor = useRef<HTMLTextAreaElement>(null)
  const known = valueOf(files)
  const change = (next: Draft) => {
    last = next
    setDraft(next)
  }
  const latest = useRef(run)
  useEffect(() => {
    latest.current = run
  })
  // Rules are free: they judge again after a pause in the typing.
  useEffect(() => {
    if (!known || (scope === 'selected' && text === null)) return undefined
    const timer = setTimeout(() => latest.current({ draft, use: 'rules', scope, text }), PAUSE)
    return () => clearTimeout(timer)
  }, [draft, scope, text, known])
  return (
    <Modal title="Coach lab" className="modal-full" first={editor} onClose={onClose}>
      {files.status === 'failed' && <FailureNote failure={files.failure} />}
      {known ? (
        <div className="lab fill">
          <LabEditor
            {...{ files: known, draft, change, failure, editor }}
            problem={valueOf(result)?.problem ?? null}
            onSave={() =>
              void save(draft).then((saved) => {
                if (saved) change(noDraft)
              })
            }
          />
          <div className="lab-main shrink-y shrink column">
            <LabBar
              {...{ setScope, result, cancel }}
              question={{ draft, scope, text }}
              hasSelected={text !== null}
              changed={isChanged(draft)}
              onRun={(use) => run({ draft, use, scope, text })}
            />
            <LabResults result={result} changed={isChanged(draft)} scope={scope} />
          </div>
        </div>
      ) : (
        files.status !== 'failed' && <InspectorSkeleton />
      )}
    </Modal>
  )
}
