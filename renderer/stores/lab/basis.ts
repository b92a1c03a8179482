import { valueOf } from '../../app/async-data.ts'
import { type Options, createQuery, type Query } from '../../app/query.ts'
import type { Question } from '../../app/question.ts'
import { runKey, type State, store } from '../../app/store.ts'
import { type CorpusChoice, lab, patchLab } from './store.ts'

/** Sources of the corpus: the chosen files, and the opened file if it is chosen. */
function sourcesOf({ document }: State, choice: CorpusChoice) {
  const opened = choice.file ? valueOf(document.opened) : null
  return [choice, opened && [opened.key, document.generation]] as const
}

/** [U220] Key of the turns of the corpus. The preset is in it: it says which events are turns. */
export function corpusBasis(state: State, choice: CorpusChoice): string {
  return JSON.stringify([...sourcesOf(state, choice), state.view.run.preset])
}

/** [U220] Key of every number of the lab: files and configuration. An edit of the draft does not change it. */
export function labBasis(state: State = store.getState()): string {
  return JSON.stringify([...sourcesOf(state, lab.getState().choice), runKey(state.view.run)])
}

type Expiring = (basis: string) => void
const expiring = new Set<Expiring>()

/** A query whose answers are about the corpus under the configuration in force. */
export function labQuery<T>(options: Options<T>): Query<T> {
  const query = createQuery<T>(options)
  expiring.add(query.expire)
  return query
}

/** The question with the basis that its answer is shown for. */
export function ofLab<T>(question: Question<T>): Question<T> {
  return { ...question, basis: labBasis() }
}

let basisBefore: string | null = null

/** [U220] Files or configuration may have changed: takes every number of the ones before off the screen. */
export function expireLab(): void {
  const basis = labBasis()
  if (basis === basisBefore) return
  basisBefore = basis
  for (const expire of expiring) expire(basis)
  patchLab({ epoch: lab.getState().epoch + 1 })
}
