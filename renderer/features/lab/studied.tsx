import type { ReactNode } from 'react'
import { valueOf } from '../../app/async-data.ts'
import type { Asked } from '../../app/use-query.ts'
import { Answered, Computed, Empty } from '../../ui/answered.tsx'
import { useLab } from '../lab-corpus/store.ts'

interface Props<T> {
  readonly asked: Asked<T>
  /** What is being computed, for the progress line. */
  readonly idle: string
  readonly children: (value: T) => ReactNode
}

/** The answer to a question of the lab; without a corpus there is none to ask. */
export function Studied<T>({ asked, idle, children }: Props<T>) {
  const corpus = useLab((state) => state.corpus)
  const waiting = <Empty>The corpus is being read …</Empty>
  if (valueOf(asked.data) === null && valueOf(corpus) === null)
    return (
      <Answered data={corpus} waiting={waiting}>
        {() => waiting}
      </Answered>
    )
  return (
    <Computed {...asked} idle={idle}>
      {children}
    </Computed>
  )
}
