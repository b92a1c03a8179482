import { stepBelief, type BeliefOutcome } from '../belief/step.ts'
import { initialBeliefState } from '../belief/momentum.ts'
import type { CompiledDomain } from '../matcher/domains.ts'
import { prepareScan, scanText, type Guard } from '../matcher/scan.ts'
import { prepareTurn, type Pipeline } from '../pipeline.ts'
import type { SignalReach } from './signal-reach.ts'

/** A message with the signals that fire on it, as a replay finds them. */
export interface Message {
  readonly text: string
  readonly fired: readonly number[]
}

/** Data shared by all questions about a configuration. */
export interface Reaching {
  readonly pipeline: Pipeline
  readonly guard: Guard
  /** By number of the signal. */
  readonly signals: readonly SignalReach[]
}

export function messageOf({ pipeline, guard }: Omit<Reaching, 'signals'>, text: string): Message {
  const { facts } = prepareTurn(pipeline, text)
  prepareScan(pipeline.signals)
  return { text, fired: scanText(pipeline.signals, facts, guard).fired }
}

/** Texts without content that a user may still type. The empty one counts as silence in every configuration. */
const SILENCES = ['ok', 'hm', '…', '']

/** [K21] A message on which no signal fires. */
export function silenceOf(reaching: Omit<Reaching, 'signals'>): Message {
  const messages = SILENCES.map((text) => messageOf(reaching, text))
  return messages.find(({ fired }) => fired.length === 0) ?? messageOf(reaching, '')
}

/** The classification of a message alone, as the first of a session. */
export function aloneAs({ pipeline }: Pick<Reaching, 'pipeline'>, message: Message): BeliefOutcome {
  return stepBelief(pipeline.belief, initialBeliefState, message.fired)
}

/** Texts of a domain's signals that count for it, one text per signal. */
export function textsOf({ signals }: Reaching, domain: CompiledDomain): readonly string[] {
  return domain.signals.flatMap((signal, index) => {
    const reach = signals[domain.firstSignal + index]
    const counts = signal.weight > 0 && !signal.excludes
    return counts && reach?.status === 'reached' ? [reach.text] : []
  })
}

/** More signals than this are not put into one message. */
const MOST_TOGETHER = 12

/** [K21] Messages that may be classified as the domain: each signal alone, then growing combinations. */
export function* messagesFor(reaching: Reaching, domain: CompiledDomain): Generator<Message> {
  const texts = textsOf(reaching, domain)
  for (const text of texts) yield messageOf(reaching, text)
  for (let count = 2; count <= Math.min(texts.length, MOST_TOGETHER); count += 1)
    yield messageOf(reaching, texts.slice(0, count).join('\n'))
}
