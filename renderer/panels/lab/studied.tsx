import type { ReactNode } from 'react'
import { valueOf } from '../../state/async-data.ts'
import { useLab } from '../../state/lab-store.ts'
import { FailureNote } from '../failure-note.tsx'
import { ProgressView } from '../progress.tsx'
import type { Asked } from './use-answer.ts'

interface Props<T> {
  readonly asked: Asked<T>
  /** What is being computed, for the progress line. */
  readonly idle: string
  readonly children: (value: T) => ReactNode
}

/** The answer to a question of the lab: under way, failed, or here; what was here before stays meanwhile. */
export function Studied<T>({ asked, idle, children }: Props<T>) {
  const { data, cancel } = asked
  const corpus = useLab((state) => state.corpus)
  const value = valueOf(data)
  if (value === null && valueOf(corpus) === null) return <NoCorpus />
  return (
    <div className="studied" aria-busy={data.status === 'loading'}>
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

function NoCorpus() {
  const corpus = useLab((state) => state.corpus)
  if (corpus.status === 'failed') return <FailureNote failure={corpus.failure} />
  return <p className="list-empty quiet">The corpus is being read …</p>
}
