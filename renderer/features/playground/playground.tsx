import { useEffect, useMemo, useRef, useState } from 'react'
import { valueOf, type Failure } from '../../app/async-data.ts'
import { createComposer, type Composed, type Trial } from './compose.ts'
import { queryAt } from '../self-signals/answer-selectors.ts'
import { rowAt } from '../turns/rows.ts'
import { store } from '../../app/store.ts'
import { useApp } from '../../app/use-store.ts'
import { Modal } from '../../ui/modal.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { InspectorSkeleton } from '../../app/inspector-skeleton.tsx'
import { Controls } from './controls.tsx'
import { Result } from './result.tsx'
import { Sources } from './sources.tsx'
import { emptyTrial } from './trial.ts'
import './playground.css'

const EXAMPLE = 'Where do we check that the session token has not expired?'

/** What was tried last: kept while the window is open, never written anywhere. */
let last: Trial | null = null

/** The message being answered at the selection, when its whole text is here. */
function startText(): string {
  const { session, view } = store.getState()
  const seqs = valueOf(session.oracle)?.queries.seq ?? []
  const seq = view.selected === null ? null : queryAt(seqs, view.selected)
  const row = seq === null ? null : rowAt(session.windows, seq)
  return row && row.text.length === row.chars && row.text !== '' ? row.text : EXAMPLE
}

interface Answer {
  readonly composed: Composed | null
  readonly failure: Failure | null
}

/** Composes the trial whenever it changes; what was shown stays until the next answer. */
function useComposed(preset: string, trial: Trial): Answer {
  const [answer, setAnswer] = useState<Answer>({ composed: null, failure: null })
  const composer = useMemo(
    () =>
      createComposer({
        answer: (composed) => setAnswer({ composed, failure: null }),
        failed: (failure) => setAnswer(({ composed }) => ({ composed, failure })),
      }),
    [],
  )
  useEffect(() => {
    composer.compose(preset, trial)
    return () => composer.stop()
  }, [composer, preset, trial])
  return answer
}

/** A place to try a message, a type, a budget and drafts of segments, and to see the prompt change. */
export function Playground({ onClose }: { readonly onClose: () => void }) {
  const preset = useApp((state) => state.view.run.preset)
  const [trial, setTrial] = useState<Trial>(() => last ?? { ...emptyTrial, text: startText() })
  const [edited, setEdited] = useState<string | null>(null)
  const message = useRef<HTMLTextAreaElement>(null)
  const { composed, failure } = useComposed(preset, trial)
  const change = (next: Trial) => {
    last = next
    setTrial(next)
  }
  return (
    <Modal title="Prompt playground" className="modal-full" first={message} onClose={onClose}>
      <div className="playground">
        <Controls {...{ trial, change, composed, preset, message }} />
        <div className="playground-main shrink-y">
          {failure && <FailureNote failure={failure} />}
          {composed ? (
            <>
              <Sources {...{ trial, change, composed, edited, setEdited }} />
              <Result composed={composed} />
            </>
          ) : (
            !failure && <InspectorSkeleton />
          )}
        </div>
      </div>
      <p className="modal-foot quiet">
        Drafts are not saved: they live in this window only, and no file is changed. To keep one,
        copy it into its file.
      </p>
    </Modal>
  )
}
