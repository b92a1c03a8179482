import { cancelJob, forgetJob } from './state.ts'
import { useProbe } from '../probe/store.ts'
import { counted } from '../../ui/format.ts'
import { FailureNote } from '../../ui/failure-note.tsx'
import { WorkLine } from '../../ui/progress.tsx'

const MOST_NOTES = 20

/** A job that is under way, what came of it, or why it failed. */
export function JobLine({ id, idle }: { readonly id: string; readonly idle: string }) {
  const job = useProbe((state) => state.jobs.get(id))
  if (!job) return null
  if (job.status === 'running')
    return <WorkLine work={job.work} idle={idle} onCancel={() => cancelJob(id)} />
  if (job.status === 'failed') return <FailureNote failure={job.failure} />
  return (
    <div className="pdesk-done wrap text-s flex" role="status">
      <span>
        <span className="good" aria-hidden>
          ✓
        </span>{' '}
        {job.told}
      </span>
      <button type="button" className="link" onClick={() => forgetJob(id)}>
        Fine
      </button>
      {job.notes.length > 0 && (
        <details className="pdesk-notes full-width">
          <summary>{counted(job.notes.length, 'file')} left out</summary>
          <ul>
            {job.notes.slice(0, MOST_NOTES).map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}
