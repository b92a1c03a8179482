import type { ReactNode } from 'react'
import { valueOf } from '../../app/async-data.ts'
import { FailureNote } from '../../ui/failure-note.tsx'
import { ProgressView } from '../../ui/progress.tsx'
import type { Asked } from './use-answer.ts'

interface Props<T> {
  readonly asked: Asked<T>
  /** What is being computed, for the progress line. */
  readonly idle: string
  readonly children: (value: T) => ReactNode
}

/** The answer to a question: under way, failed, or here; what was here before stays meanwhile. */
export function Answered<T>({ asked, idle, children }: Props<T>) {
  const { data, cancel } = asked
  const value = valueOf(data)
  return (
    <div className="column fill relative" aria-busy={data.status === 'loading'}>
      {data.status === 'failed' && <FailureNote failure={data.failure} />}
      <div className="studied-progress">
        <ProgressView
          data={data}
          idle={idle}
          onCancel={cancel}
          after={value === null ? 150 : 700}
        />
      </div>
      {value !== null && children(value)}
      {value === null && data.status === 'idle' && <p className="list-empty quiet">Nothing yet.</p>}
    </div>
  )
}
