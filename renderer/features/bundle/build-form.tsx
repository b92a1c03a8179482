import type { RefObject } from 'react'
import type { BundleLibrary } from '../../../core/engine/schema/bundle-wire.ts'
import { STEP_IDS } from '../../../core/engine/schema/bundle.ts'
import { useApp } from '../../app/use-store.ts'
import { Button } from '../../ui/button.tsx'
import { Field, Input, Select, TextArea } from '../../ui/form.tsx'
import { Warnings } from '../../ui/parts.tsx'
import { Files, type FilesProps, PickFile } from './form-files.tsx'
import { selectedStep } from '../../app/select.ts'

interface Props extends FilesProps {
  readonly library: BundleLibrary | null
  readonly first: RefObject<HTMLSelectElement | null>
  readonly preset: string
  /** Fills the form from the selected step. */
  readonly fromStep: () => void
}

/** Left side: the step, its results, and its files. */
export function BuildForm(props: Props) {
  const { draft, change, library, first, fromStep } = props
  const selected = useApp(selectedStep)
  const step = library?.steps.find(({ stepId }) => stepId === draft.step)
  return (
    <div className="playground-controls build-form">
      <Field
        label="Step"
        aside={
          selected !== null && (
            <Button kind="link" onClick={fromStep}>
              Take the selected step
            </Button>
          )
        }
      >
        <Select
          ref={first}
          className="select"
          value={draft.step}
          options={STEP_IDS}
          words={(one) => {
            const title = library?.steps.find(({ stepId }) => stepId === one)?.title
            if (one === 13) return 'Chapter 13'
            return `Step ${one}${title === undefined ? '' : ` · ${title}`}`
          }}
          onChoose={(chosen) => change({ ...draft, step: chosen })}
        />
      </Field>
      {step && (
        <p className="quiet text-xs break-words">Key metrics: {step.keyMetrics.join(', ')}</p>
      )}
      <Warnings texts={library?.problems ?? []} />
      <Field label="Run id">
        <Input
          placeholder="made from the content"
          value={draft.run}
          onText={(run) => change({ ...draft, run })}
        />
      </Field>
      <Results {...props} />
      <Files {...props} />
    </div>
  )
}

function Results({ draft, change, checked }: FilesProps) {
  const wrong = !checked.ok && checked.field === 'results' ? checked.problem : null
  const said =
    wrong === null || typeof wrong === 'string'
      ? wrong
      : `${wrong.what}: line ${wrong.line}, column ${wrong.column}.`
  return (
    <Field
      label="Results"
      error={said}
      aside={<PickFile what="results" onText={(text) => change({ ...draft, results: text })} />}
    >
      <TextArea
        className="area-mono form-results"
        value={draft.results}
        onText={(results) => change({ ...draft, results })}
      />
    </Field>
  )
}
