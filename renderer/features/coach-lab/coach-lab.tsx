import { useEffect, useRef, useState } from 'react'
import { type Failure, valueOf } from '../../app/async-data.ts'
import { failureOf } from '../../app/host.ts'
import { onSaved } from '../../app/saved.ts'
import { createKeptState } from '../../app/kept-state.ts'
import { useOwnQuery, useQuery } from '../../app/use-query.ts'
import { Answered } from '../../ui/answered.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { selectedText } from '../../stores/coach/coach.ts'
import { LabBar } from './bar.tsx'
import { LabEditor } from './editor.tsx'
import { LabResults } from './results.tsx'
import {
  type CoachTexts,
  type Draft,
  FILES,
  type LabQuestion,
  type LabResult,
  isChanged,
  isConflict,
  judging,
  noDraft,
  saveDraft,
} from './state.ts'

/** The draft survives closing the lab; nothing is written before Save. */
const useDraft = createKeptState(noDraft)

function useFiles(draft: Draft) {
  const { data: files, again } = useQuery(FILES)
  const [failure, setFailure] = useState<Failure | null>(null)
  // The files that the draft started from. The files on disk may have changed since.
  const now = valueOf(files)
  const [base, setBase] = useState<CoachTexts | null>(null)
  const begun = isChanged(draft) ? base : null
  if (now && begun === null && base !== now) setBase(now)
  const isTheirs = now !== null && begun !== null && isConflict(draft, begun, now)
  useEffect(() => onSaved('coach', again), [again])
  const save = async (over: CoachTexts | null): Promise<boolean> => {
    if (over === null) return false
    try {
      await saveDraft(draft, over)
      setFailure(null)
      return true
    } catch (error) {
      setFailure(failureOf(error, 'The coach’s prompt and rules'))
      return false
    } finally {
      again()
    }
  }
  return { files, failure, base: begun ?? now, isTheirs, save }
}

const PAUSE = 350

/** Prompt and rules in an editor. Shows their verdicts on labeled outputs, next to those of the files on disk. */
export function CoachLab({ onClose }: { readonly onClose: () => void }) {
  const [draft, change] = useDraft()
  const { files, failure, base, isTheirs, save } = useFiles(draft)
  const [scope, setScope] = useState<LabQuestion['scope']>('labelled')
  // Rules run during typing, a model only on request.
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
              files={known}
              draft={draft}
              change={change}
              failure={failure}
              editor={editor}
              problem={valueOf(result)?.problem ?? null}
              isTheirs={isTheirs}
              onSave={() =>
                void save(isTheirs ? known : base).then((saved) => {
                  if (saved) change(noDraft)
                })
              }
            />
            <div className="lab-main shrink-y shrink column">
              <LabBar
                setScope={setScope}
                result={result}
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
