import type { ComposedPrompt } from '../../../core/engine/schema/prompt.ts'
import type { Composed } from './compose.ts'
import { CopyButton } from '../../ui/bits.tsx'
import { BudgetBarView } from '../budget/budget-view.tsx'
import { useSegmentColor } from '../prompt/segment-color.ts'
import { piecesOf } from './trial.ts'

/** Right side: the composed prompt in the colours of its segments, over its budget. */
export function Result({ composed }: { readonly composed: Composed }) {
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
          {prompt.warnings.map((warning, at) => (
            <p key={at} className="warning">
              {warning}
            </p>
          ))}
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
