import { useRef, useState } from 'react'
import { valueOf } from '../../app/async-data.ts'
import { type Trial, composing, PAUSE_MS } from './compose.ts'
import { queryAt } from '../self-signals/answer-selectors.ts'
import { rowAt } from '../turns/rows.ts'
import { store } from '../../app/store.ts'
import { createKeptState } from '../../app/kept-state.ts'
import { useQuery } from '../../app/use-query.ts'
import { useApp } from '../../app/use-store.ts'
import { Modal } from '../../ui/modal.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { InspectorSkeleton } from '../../app/inspector-skeleton.tsx'
import { Controls } from './controls.tsx'
import { Result } from './result.tsx'
import { Sources } from './sources.tsx'
import { emptyTrial } from './trial.ts'

const EXAMPLE = 'Where do we check that the session token has not expired?'

/** What was tried last: kept while the window is open, never written anywhere. */
const useTrial = createKeptState<Trial | null>(null)

/** The message being answered at the selection, when its whole text is here. */
function startText(): string {
  const { session, view } = store.getState()
  const seqs = valueOf(session.oracle)?.queries.seq ?? []
  const seq = view.selected === null ? null : queryAt(seqs, view.selected)
  const row = seq === null ? null : rowAt(session.windows, seq)
  return row && row.text.length === row.chars && row.text !== '' ? row.text : EXAMPLE
}

/** A place to try a message, a type, a budget and drafts of segments, and to see the prompt change. */
export function Playground({ onClose }: { readonly onClose: () => void }) {
  const preset = useApp((state) => state.view.run.preset)
  const [tried, change] = useTrial()
  const [start] = useState(() => ({ ...emptyTrial, text: startText() }))
  const trial = tried ?? start
  const [edited, setEdited] = useState<string | null>(null)
  const message = useRef<HTMLTextAreaElement>(null)
  const { data } = useQuery(composing(preset, trial), PAUSE_MS)
  const composed = valueOf(data)
  const failure = data.status === 'failed' ? data.failure : null
  return (
    <Modal title="Prompt playground" className="modal-playground" first={message} onClose={onClose}>
      <div className="playground">
        <Controls {...{ trial, change, composed, preset, message }} />
        <div className="playground-main">
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
