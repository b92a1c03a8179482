import type { ReactNode } from 'react'
import { FailureNote } from '../../ui/answered.tsx'
import { Button } from '../../ui/button.tsx'
import { counted } from '../../ui/format.ts'
import { Details } from '../../ui/parts.tsx'
import { WorkLine } from '../../ui/progress.tsx'
import { useProbe } from '../../stores/probe/store.ts'
import { cancelJob, forgetJob } from './state.ts'

interface RowProps {
  /** Accessible name of the row. */
  readonly name: string
  readonly title: ReactNode
  /** Right of the title. */
  readonly facts: ReactNode
  /** At the end of the line. */
  readonly actions: ReactNode
  readonly children: ReactNode
}

/** A collection, an embedder or a model: one line with its actions, and details below. */
export function ServiceRow({ name, title, facts, actions, children }: RowProps) {
  return (
    <li
      className="collections-dialog-row edge pad-9-12 stack gap-4 rounded one-column"
      aria-label={name}
    >
      <div className="collections-dialog-head row wrap">
        <strong>{title}</strong>
        {facts}
        <span className="grow" />
        {actions}
      </div>
      {children}
    </li>
  )
}

const MOST_NOTES = 20

/** A running job, its result, or the reason for its failure. */
export function JobLine({ id, idle }: { readonly id: string; readonly idle: string }) {
  const job = useProbe((state) => state.jobs.get(id))
  if (!job) return null
  if (job.status === 'running')
    return <WorkLine work={job.work} idle={idle} onCancel={() => cancelJob(id)} />
  if (job.status === 'failed') return <FailureNote failure={job.failure} />
  return (
    <div className="collections-dialog-done wrap text-s flex" role="status">
      <span>
        <span className="good" aria-hidden>
          ✓
        </span>{' '}
        {job.told}
      </span>
      <Button kind="link" onClick={() => forgetJob(id)}>
        Fine
      </Button>
      {job.notes.length > 0 && (
        <Details
          className="collections-dialog-notes full-width"
          summary={<>{counted(job.notes.length, 'file')} left out</>}
        >
          <ul>
            {job.notes.slice(0, MOST_NOTES).map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </Details>
      )}
    </div>
  )
}
