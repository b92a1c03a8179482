import type { ProofSign } from '../../schema/coach-acts.ts'
import type { Message } from './message.ts'
import type { ReadSentence } from './read.ts'

/** Queries that the rules over acts run on a message. Answers are sentence positions; null means none. */
export type Places = readonly number[]

/** Places of the sentences that are so. */
export function places(
  { sentences }: Message,
  isSo: (one: ReadSentence, at: number) => boolean,
): Places {
  return sentences.flatMap((one, at) => (isSo(one, at) ? [at] : []))
}

/** Null for none. */
export function found(some: Places): Places | null {
  return some.length > 0 ? some : null
}

/** The last sentence other than courtesies, if it satisfies the predicate. */
export function ending(message: Message, isSo: (one: ReadSentence) => boolean): Places | null {
  const one = message.sentences[message.last]
  return one !== undefined && isSo(one) ? [message.last] : null
}

/**
 * [V74] Number of sentences at each end of an output in which an obstacle counts. Agents mention a blocking problem
 * first or last.
 */
const EDGE = 1
/** If at least one in this many sentences mentions an obstacle, the whole output is about obstacles. */
const MOSTLY = 4

/**
 * [V74] Unresolved obstacles: those that are not settled and are at an end of the output. If they make up a quarter of
 * the output, all of them.
 */
export function standing(message: Message, how: 'blocker' | 'error'): Places | null {
  const { said } = message
  const all = places(message, (one) => one.how === how && !one.settled)
  const near = new Set([...said.slice(0, EDGE), ...said.slice(-EDGE)])
  return found(all.length * MOSTLY >= said.length ? all : all.filter((at) => near.has(at)))
}

const SHORT = 8
const LAST_FEW = 3

/** [V72] Evidence with this sign that concerns the whole output: anywhere in a short output, else near its end. */
export function signed(message: Message, wanted: ProofSign): Places | null {
  const all = places(message, ({ proofs }) => proofs.some(({ sign }) => sign === wanted))
  const { said } = message
  const tail = new Set(said.slice(-LAST_FEW))
  return found(said.length <= SHORT ? all : all.filter((at) => tail.has(at)))
}

/** Whether some evidence of these kinds speaks for the work. */
export function proves({ sentences }: Message, kinds: ReadonlySet<string>): boolean {
  return sentences.some(({ proofs }) =>
    proofs.some(({ kind, sign }) => sign === 'for' && kinds.has(kind)),
  )
}

export const isDone = ({ act }: Pick<ReadSentence, 'act'>): boolean =>
  act === 'claim' || act === 'proof'

const WORDS = 4

/** Number of sentences with at least four words that inform the user. */
export function substance({ sentences }: Message): number {
  return sentences.filter(
    (one) =>
      (isDone(one) || one.act === 'deliverable') && one.text.trim().split(/\s+/).length >= WORDS,
  ).length
}

const AFTER_QUESTION: ReadonlySet<string> = new Set(['request', 'plan', 'narration'])
const TAIL = 6

/** [V79] Requests near the end, of these kinds. */
export function requested(message: Message, how: string): Places | null {
  const tail = new Set(message.said.slice(-TAIL))
  return found(places(message, (one, at) => one.how === how && tail.has(at)))
}

/** [V79] Whether only requests and plans come after a sentence. */
export function closes({ said, sentences }: Message, at: number): boolean {
  return said.every((later) => later <= at || AFTER_QUESTION.has(sentences[later]?.act ?? ''))
}
