import { useEffect, useRef, useState } from 'react'
import { type Failure, valueOf } from '../../app/async-data.ts'
import { failureOf } from '../../app/host.ts'
import { createKeptState } from '../../app/kept-state.ts'
import { useOwnQuery, useQuery } from '../../app/use-query.ts'
import { Answered } from '../../ui/answered.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { selectedText } from '../coach/coach.ts'
import { LabBar } from './bar.tsx'
import { LabEditor } from './editor.tsx'
import { LabResults } from './results.tsx'
import {
  type Draft,
  FILES,
  type LabQuestion,
  type LabResult,
  isChanged,
  judging,
  noDraft,
  saveDraft,
} from './state.ts'

/** The draft survives closing the lab; nothing is written before Save. */
const useDraft = createKeptState(noDraft)

function useFiles() {
  const { data: files, again } = useQuery(FILES)
  const [failure, setFailure] = useState<Failure | null>(null)
  const save = async (draft: Draft): Promise<boolean> => {
    try {
      await saveDraft(draft)
      setFailure(null)
      again()
      return true
    } catch (error) {
      setFailure(failureOf(error, 'The coach’s prompt and rules'))
      return false
    }
  }
  return { files, failure, save }
}

const PAUSE = 350

/** Prompt and rules in an editor, and what they say of labelled outputs, beside the files on disk. */
export function CoachLab({ onClose }: { readonly onClose: () => void }) {
  const { files, failure, save } = useFiles()
  const [draft, change] = useDraft()
  const [scope, setScope] = useState<LabQuestion['scope']>('labelled')
  // Rules answer while people type, a model only when it is told to.
  const { query, data: result } = useOwnQuery<LabResult>()
  const [selected] = useState(selectedText)
  const text = valueOf(useQuery(selected).data)
  const editor = useRef<HTMLTextAreaElement>(null)
  const known = valueOf(files)
  const run = (use: LabQuestion['use']) => void query.ask(judging({ draft, use, scope, text }))
  // Rules are free: they judge again after a pause in the typing.
  useEffect(() => {
    if (!known || (scope === 'selected' && text === null)) return undefined
    const judge = () => void query.ask(judging({ draft, use: 'rules', scope, text }))
    const timer = setTimeout(judge, PAUSE)
    return () => clearTimeout(timer)
  }, [draft, scope, text, known, query])
  return (
    <Dialog title="Coach lab" className="modal-full" first={editor} onClose={onClose}>
      <Answered data={files} failure="above">
        {(known) => (
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
                {...{ setScope, result }}
                cancel={query.cancel}
                question={{ draft, scope, text }}
                hasSelected={text !== null}
                changed={isChanged(draft)}
                onRun={run}
              />
              <LabResults result={result} changed={isChanged(draft)} scope={scope} />
            </div>
          </div>
        )}
      </Answered>
    </Dialog>
  )
}
