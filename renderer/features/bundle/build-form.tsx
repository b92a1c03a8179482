import { type RefObject, useId } from 'react'
import type { BundleLibrary } from '../../../core/engine/schema/bundle-wire.ts'
import { STEP_IDS } from '../../../core/engine/schema/bundle.ts'
import { selectedStep } from './bundle.ts'
import { useApp } from '../../app/use-store.ts'
import type { Checked, Draft } from './draft.ts'
import { Files, PickFile } from './form-files.tsx'

interface Props {
  readonly draft: Draft
  readonly change: (draft: Draft) => void
  readonly library: BundleLibrary | null
  readonly checked: Checked
  readonly first: RefObject<HTMLSelectElement | null>
  readonly preset: string
  /** Fills the form from the selected step. */
  readonly fromStep: () => void
}

/** Left side: the step, its results, and its files. */
export function BuildForm(props: Props) {
  const { draft, change, library, first, fromStep } = props
  const id = useId()
  const selected = useApp(selectedStep)
  const step = library?.steps.find(({ stepId }) => stepId === draft.step)
  return (
    <div className="playground-controls build-form">
      <div className="control-head">
        <label className="control-label" htmlFor={`${id}-step`}>
          Step
        </label>
        {selected !== null && (
          <button type="button" className="link" onClick={fromStep}>
            Take the selected step
          </button>
        )}
      </div>
      <select
        ref={first}
        id={`${id}-step`}
        className="field select"
        value={draft.step}
        onChange={(event) => {
          const chosen = STEP_IDS.find((one) => String(one) === event.target.value)
          if (chosen !== undefined) change({ ...draft, step: chosen })
        }}
      >
        {STEP_IDS.map((one) => {
          const title = library?.steps.find(({ stepId }) => stepId === one)?.title
          return (
            <option key={one} value={one}>
              {one === 13 ? 'Chapter 13' : `Step ${one}${title === undefined ? '' : ` · ${title}`}`}
            </option>
          )
        })}
      </select>
      {step && (
        <p className="quiet text-xs break-words">Key metrics: {step.keyMetrics.join(', ')}</p>
      )}
      {library?.problems.map((problem) => (
        <p key={problem} className="warning">
          {problem}
        </p>
      ))}
      <label className="control-label" htmlFor={`${id}-run`}>
        Run id
      </label>
      <input
        id={`${id}-run`}
        className="field"
        placeholder="made from the content"
        value={draft.run}
        onChange={(event) => change({ ...draft, run: event.target.value })}
      />
      <Results {...props} />
      <Files {...props} />
    </div>
  )
}

function Results({ draft, change, checked }: Props) {
  const id = useId()
  const wrong = !checked.ok && checked.field === 'results' ? checked.problem : null
  const said =
    wrong === null || typeof wrong === 'string'
      ? wrong
      : `${wrong.what}: line ${wrong.line}, column ${wrong.column}.`
  return (
    <>
      <div className="control-head">
        <label className="control-label" htmlFor={id}>
          Results
        </label>
        <PickFile what="results" onText={(text) => change({ ...draft, results: text })} />
      </div>
      <textarea
        id={id}
        className="area area-mono form-results"
        spellCheck={false}
        value={draft.results}
        aria-invalid={said !== null}
        aria-describedby={said === null ? undefined : `${id}-wrong`}
        onChange={(event) => change({ ...draft, results: event.target.value })}
      />
      {said !== null && (
        <p id={`${id}-wrong`} className="text-s bad" role="alert">
          ▲ {said}
        </p>
      )}
    </>
  )
}
