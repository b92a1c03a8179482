import type { ReactNode } from 'react'
import { valueOf } from '../../app/async-data.ts'
import { chooseTab, selectSeq, selectedStep } from '../../app/select.ts'
import { patchView } from '../../app/store.ts'
import { useApp } from '../../app/use-store.ts'
import { Answered, Empty, FailureNote, Skeleton } from '../../ui/answered.tsx'
import { Button } from '../../ui/button.tsx'
import { capital } from '../../ui/format.ts'
import { StepState } from './all-steps.tsx'
import { type ShownStep, sessionHasSteps, useBundles } from './bundle.ts'
import { stepName } from './lane.ts'

interface Props {
  readonly children: (shown: ShownStep) => ReactNode
}

/** The selected step once it is built; else the reason it is missing. */
export function OfStep({ children }: Props) {
  const shown = useBundles((state) => state.shown)
  const seq = useApp(selectedStep)
  if (seq === null) return <NoStep />
  const hasFailed = shown.status === 'failed'
  return (
    <>
      {hasFailed && <StepHead seq={seq} title="No bundle" />}
      <Answered data={shown} stale={(value) => value.seq !== seq}>
        {children}
      </Answered>
      {hasFailed && (
        <div className="inspector-empty">
          <Button onClick={() => chooseTab('raw')}>Show its record</Button>
        </div>
      )}
    </>
  )
}

/** The selection, in one line above the tab. */
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

/** Empty state if the selection has no bundle: explains steps and lists their places. */
function NoStep() {
  const has = useApp(sessionHasSteps)
  const steps = useBundles((state) => state.steps)
  if (has === null || (has && steps.status === 'loading' && !valueOf(steps))) return <Skeleton />
  return (
    <Empty
      of="inspector"
      title={has ? 'This event is no pipeline step' : 'No pipeline step in this session'}
    >
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
              <li className="flex between gap-12 text-s" key={bar.seq}>
                <Button kind="link" onClick={() => selectSeq(bar.seq)}>
                  {capital(stepName(bar))}
                </Button>
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
      <Button onClick={() => patchView({ dialog: 'bundle' })}>Build a bundle…</Button>
    </Empty>
  )
}
