import type { ReactNode } from 'react'
import { stepName } from './lane.ts'
import { valueOf } from '../../app/async-data.ts'
import { type ShownStep, selectedStep, sessionHasSteps, useBundles } from './bundle.ts'
import { chooseTab, selectSeq } from '../../app/select.ts'
import { patchView } from '../../app/store.ts'
import { useApp } from '../../app/use-store.ts'
import { capital, StepState } from './all-steps.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { InspectorSkeleton } from '../../app/inspector-skeleton.tsx'

interface Props {
  readonly children: (shown: ShownStep) => ReactNode
}

/** The selected step, once it is built; else why there is none. */
export function OfStep({ children }: Props) {
  const shown = useBundles((state) => state.shown)
  const seq = useApp(selectedStep)
  if (seq === null) return <NoStep />
  if (shown.status === 'failed')
    return (
      <>
        <StepHead seq={seq} title="No bundle" />
        <FailureNote failure={shown.failure} />
        <div className="inspector-empty">
          <button type="button" className="button" onClick={() => chooseTab('raw')}>
            Show its record
          </button>
        </div>
      </>
    )
  const value = valueOf(shown)
  if (!value) return <InspectorSkeleton />
  const stale = value.seq !== seq
  return (
    <div className={stale ? 'stale' : undefined} aria-busy={stale || shown.status === 'loading'}>
      {children(value)}
    </div>
  )
}

/** What is selected, in one line over the tab. */
export function StepHead({ seq, title }: { readonly seq: number; readonly title?: string }) {
  const bar = useBundles((state) => valueOf(state.steps)?.steps.find((one) => one.seq === seq))
  const library = useBundles((state) => valueOf(state.library))
  const name = library?.steps.find(({ stepId }) => stepId === bar?.stepId)?.title
  return (
    <div className={title === undefined ? undefined : 'verdict'}>
      <div className="turn-line">
        <div className="quiet truncate">
          <h2 className="turn-name">{bar ? capital(stepName(bar)) : `Event ${seq + 1}`}</h2>
          {name !== undefined && name !== bar?.label && ` · ${name}`}
          {bar && bar.runId !== '' && ` · ${bar.runId}`}
        </div>
      </div>
      {title !== undefined && <p className="verdict-title">{title}</p>}
    </div>
  )
}

/** Nothing is selected that has a bundle: what a step is, and where the steps are. */
function NoStep() {
  const has = useApp(sessionHasSteps)
  const steps = useBundles((state) => state.steps)
  if (has === null || (has && steps.status === 'loading' && !valueOf(steps)))
    return <InspectorSkeleton />
  return (
    <div className="inspector-empty">
      <h2>{has ? 'This event is no pipeline step' : 'No pipeline step in this session'}</h2>
      <p>
        A pipeline step is an event with the results of one stage of a pipeline. From them, a
        manifest, state files and the history of earlier runs, a bundle is built: all that the model
        gets to see of the step, in four tiers that must fit its context.
      </p>
      {has ? (
        <>
          {steps.status === 'failed' && <FailureNote failure={steps.failure} />}
          <ul className="stack gap-4 full-width">
            {valueOf(steps)?.steps.map((bar) => (
              <li key={bar.seq} className="flex between gap-12 text-s">
                <button type="button" className="link" onClick={() => selectSeq(bar.seq)}>
                  {capital(stepName(bar))}
                </button>
                <StepState bar={bar} />
              </li>
            ))}
          </ul>
        </>
      ) : (
        <p className="quiet">
          In a transcript it is a line of kind <code>step</code>. One can be built by hand, too.
        </p>
      )}
      <button type="button" className="button" onClick={() => patchView({ dialog: 'bundle' })}>
        Build a bundle…
      </button>
    </div>
  )
}
