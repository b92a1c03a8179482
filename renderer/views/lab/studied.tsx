import { type ReactNode, useEffect, useMemo, useState } from 'react'
import type { TurnscopeContract } from '../../../core/wire/contract.ts'
import type { Input } from '../../../core/wire/rpc.ts'
import { idle, valueOf } from '../../app/async-data.ts'
import type { Question } from '../../app/question.ts'
import { type Asked, useQuery } from '../../app/use-query.ts'
import { Answered, Computed, Empty, Updating } from '../../ui/answered.tsx'
import { labBasis, ofLab } from '../../stores/lab/basis.ts'
import { sideInForce } from '../../stores/lab/sides.ts'
import { type WireSide, useLab } from '../../stores/lab/store.ts'

/** Studies of the Lab panel, in the order of its tabs. */
export const STUDIES = [
  'metrics',
  'matrix',
  'coverage',
  'ablation',
  'what-if',
  'suggestions',
  'proposals',
  'weights',
  'lint',
] as const
export type Study = (typeof STUDIES)[number]

/** Input that every question of the lab begins with. */
interface About {
  readonly corpus: string
  readonly side: WireSide
}

/** Subject of the lab's failure messages. */
export const LAB = { where: 'Lab' }

/** Debounce before recomputing a study, in ms. */
const SETTLE_MS = 350

/** Answers of the lab depend on this beside the draft: the files as saved, the labels, and the files in view. */
export function useLabStatus(): string {
  return useLab(
    ({ file, revision, configKey, epoch }) =>
      `${valueOf(file)?.fingerprint ?? ''} ${configKey ?? ''} ${revision} ${epoch}`,
  )
}

/** The corpus and the draft once typing has stopped; null without a corpus. */
export function useAbout() {
  const corpus = useLab((state) => valueOf(state.corpus)?.corpus ?? null)
  const text = useLab((state) => state.text)
  const options = useLab((state) => state.options)
  const of = useLabStatus()
  const epoch = useLab((state) => state.epoch)
  const now = useMemo(
    () =>
      corpus === null
        ? null
        : { about: { corpus, side: sideInForce() }, of, epoch, basis: labBasis() },
    // The side is read from the stores: it is another one when any of these is.
    // oxlint-disable-next-line react/exhaustive-deps -- see above
    [corpus, text, options, of, epoch],
  )
  const [settled, setSettled] = useState(now)
  const first = settled === null
  useEffect(() => {
    const timer = setTimeout(() => setSettled(now), first ? 0 : SETTLE_MS)
    return () => clearTimeout(timer)
  }, [now, first])
  return settled
}

/** A question about the corpus and the draft in force, asked again once they have changed and rest. */
export function useStudy<T>(ask: (about: About) => Question<T> | null): AskedOfLab<T> {
  return useCurrent(useQuery(useStudyQuestion(ask)))
}

/** The same for a question built from the current configuration. */
export function useLabQuery<T>(question: Question<T> | null): AskedOfLab<T> {
  return useCurrent(useQuery(question && ofLab(question)))
}

/** Data of the lab. `isStale`: the next are not here yet, and those before are of something else. */
interface AskedOfLab<T> extends Asked<T> {
  readonly isStale?: boolean
}

/** [U220] Until the next question is asked, the data are of other files or another configuration. */
function useCurrent<T>(asked: Asked<T>): AskedOfLab<T> {
  const isCurrent = useIsCurrent(asked.basis)
  return isCurrent ? asked : { ...asked, data: idle, isStale: true }
}

/** [U220] Whether an answer is about the files and the configuration that are in force. */
export function useIsCurrent(basis: string | undefined): boolean {
  // Rises with every change of them.
  useLab((state) => state.epoch)
  return basis === labBasis()
}

/** The question itself, for a caller that sends it on the operator's request. */
export function useStudyQuestion<T>(ask: (about: About) => Question<T> | null): Question<T> | null {
  const settled = useAbout()
  const question = settled && ask(settled.about)
  return question && { ...question, key: `${settled.of} ${question.key}`, basis: settled.basis }
}

/** Turns behind a number: those of a cell, or a given list of places. */
export interface Behind {
  readonly title: string
  readonly cell?: Input<TurnscopeContract, 'lab.cell'>['cell']
  /** Session of the corpus and turn there. */
  readonly places?: ReadonlyArray<readonly [session: number, turn: number]>
}

/** Props of every study of the lab. */
export interface StudyProps {
  /** Shows the turns behind a number. */
  readonly onBehind: (behind: Behind) => void
}

interface Props<T> {
  readonly asked: AskedOfLab<T>
  /** Description of the computation, for the progress line. */
  readonly idle: string
  readonly children: (value: T) => ReactNode
}

/** Renders the answer to a lab question. Without a corpus there is no question. */
export function Studied<T>({ asked, idle, children }: Props<T>) {
  const corpus = useLab((state) => state.corpus)
  const waiting = <Empty>The corpus is being read …</Empty>
  if (asked.isStale === true && valueOf(corpus) !== null) return <Updating />
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
