import { useRef, useState } from 'react'
import type { ComposedPrompt } from '../../../core/engine/schema/prompt.ts'
import { valueOf } from '../../app/async-data.ts'
import { createKeptState } from '../../app/kept-state.ts'
import { store } from '../../app/store.ts'
import { useQuery } from '../../app/use-query.ts'
import { useApp } from '../../app/use-store.ts'
import { FailureNote, Skeleton } from '../../ui/answered.tsx'
import { CopyButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Warnings } from '../../ui/parts.tsx'
import { BudgetBarView } from '../../views/budget/budget-bar.tsx'
import { useSegmentColor } from '../../views/prompt/segment-color.ts'
import { queryAt } from '../../stores/self-signals/answer-selectors.ts'
import { rowAt } from '../../app/rows.ts'
import { Controls } from './controls.tsx'
import { Sources } from './sources.tsx'
import { type Composed, type Trial, PAUSE_MS, composing, emptyTrial, piecesOf } from './trial.ts'

const EXAMPLE = 'Where do we check that the session token has not expired?'

/** The last input, kept while the window is open and never written to disk. */
const useTrial = createKeptState<Trial | null>(null)

/** The message being answered at the selection, when its whole text is here. */
function startText(): string {
  const { session, view } = store.getState()
  const seqs = valueOf(session.answers)?.queries.seq ?? []
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
    <Dialog title="Prompt playground" className="modal-full" first={message} onClose={onClose}>
      <div className="playground">
        <Controls
          trial={trial}
          change={change}
          composed={composed}
          preset={preset}
          message={message}
        />
        <div className="playground-main shrink-y">
          {failure && <FailureNote failure={failure} />}
          {composed ? (
            <>
              <Sources
                trial={trial}
                change={change}
                composed={composed}
                edited={edited}
                setEdited={setEdited}
              />
              <Result composed={composed} />
            </>
          ) : (
            !failure && <Skeleton />
          )}
        </div>
      </div>
      <p className="modal-foot quiet">
        Drafts are not saved: they live in this window only, and no file is changed. To keep one,
        copy it into its file.
      </p>
    </Dialog>
  )
}

/** Right side: the composed prompt in the colours of its segments, over its budget. */
function Result({ composed }: { readonly composed: Composed }) {
  const { prompt, problem } = composed
  return (
    <section
      className="playground-result pad-main shrink-y gap-8 column"
      aria-label="Composed prompt"
    >
      {problem !== null && <p className="warning">{problem}</p>}
      {prompt && (
        <>
          <div className="gap-12 flex align-start">
            <BudgetBarView prompt={prompt} />
            <CopyButton text={prompt.content} what="prompt" />
          </div>
          <Warnings texts={prompt.warnings} />
          <Pieces prompt={prompt} />
        </>
      )}
    </section>
  )
}

function Pieces({ prompt }: { readonly prompt: ComposedPrompt }) {
  const color = useSegmentColor()
  return (
    <div className="pieces fill scroll" tabIndex={0} role="region" aria-label="Text of the prompt">
      {piecesOf(prompt).map(({ text, segment }, at) =>
        segment === null ? (
          <pre key={at} className="piece-between text-code quiet">
            {text.trim()}
          </pre>
        ) : (
          <pre
            key={at}
            className="piece text-code break-words pre-wrap"
            style={{ '--piece': color(segment) }}
            title={prompt.segments[segment]?.id}
          >
            {text}
          </pre>
        ),
      )}
    </div>
  )
}
