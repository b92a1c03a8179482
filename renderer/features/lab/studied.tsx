import type { ReactNode } from 'react'
import { valueOf } from '../../app/async-data.ts'
import { useLab } from '../lab-corpus/store.ts'
import { FailureNote } from '../../ui/failure-note.tsx'
import { Answered } from './answered.tsx'
import type { Asked } from '../../app/use-query.ts'

interface Props<T> {
  readonly asked: Asked<T>
  /** What is being computed, for the progress line. */
  readonly idle: string
  readonly children: (value: T) => ReactNode
}

/** The answer to a question of the lab: under way, failed, or here; what was here before stays meanwhile. */
export function Studied<T>({ asked, idle, children }: Props<T>) {
  const corpus = useLab((state) => state.corpus)
  if (valueOf(asked.data) === null && valueOf(corpus) === null) return <NoCorpus />
  return (
    <Answered asked={asked} idle={idle}>
      {children}
    </Answered>
  )
}

function NoCorpus() {
  const corpus = useLab((state) => state.corpus)
  if (corpus.status === 'failed') return <FailureNote failure={corpus.failure} />
  return <p className="list-empty quiet">The corpus is being read …</p>
}
