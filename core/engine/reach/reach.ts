import { unguarded, type Guard } from '../matcher/scan.ts'
import { signalNames } from '../lab/corpus/signal-name.ts'
import type { Work } from '../lab/scoring/rescore.ts'
import { placeOfSignal, type Pipeline } from '../pipeline.ts'
import type { Reach } from '../schema/reach.ts'
import { reachDomain, reachGates, reachTies } from './domain-reach.ts'
import {
  aloneAs,
  messageOf,
  messagesFor,
  silenceOf,
  type Message,
  type Reaching,
} from './messages.ts'
import { reachRules } from './rule-reach.ts'
import { reachSignal, type SignalReach } from './signal-reach.ts'

/** Messages of so many domains are put together by two: the first of the file. */
const MOST_PAIRED = 14
/** Messages kept for a domain: with one signal, with two, with three. */
const MOST_OF_DOMAIN = 3

/** [K21] The signals alone: what Tune shows beside each. */
export function* reachSignals(
  { signals, belief }: Pipeline,
  guard: Guard = unguarded,
): Work<readonly SignalReach[]> {
  const found: SignalReach[] = []
  const total = belief.set.signals.length
  for (const signal of signals.slice(0, total)) {
    yield { done: found.length, total }
    found.push(reachSignal(signal, guard))
  }
  return found
}

/** Silence, of each domain the messages that score differently, then two domains at a time. */
function* vocabularyOf(reaching: Reaching): Work<readonly Message[]> {
  const { domains, signals } = reaching.pipeline.belief.set
  const progress = { done: signals.length, total: signals.length + domains.length + 1 }
  const own: Array<readonly Message[]> = []
  for (const domain of domains) {
    yield progress
    const byScore = new Map<number, Message>()
    for (const message of messagesFor(reaching, domain)) {
      if (byScore.size === MOST_OF_DOMAIN) break
      const { scores } = aloneAs(reaching, message).scored
      const score = scores.find((one) => one.domain === domain.name)?.score ?? 0
      if (score > 0 && !byScore.has(score)) byScore.set(score, message)
    }
    own.push([...byScore.values()])
  }
  const paired = own.slice(0, MOST_PAIRED)
  const both = (first: Message | undefined, second: Message | undefined): readonly Message[] =>
    first === undefined || second === undefined
      ? []
      : [messageOf(reaching, `${first.text}\n${second.text}`)]
  // The plainest of each, and the strongest: a second domain may need more than one signal (B4).
  yield progress
  const pairs = paired.flatMap((one, at) =>
    paired
      .slice(at + 1)
      .flatMap((other) => [...both(one[0], other[0]), ...both(one.at(-1), other.at(-1))]),
  )
  return [silenceOf(reaching), ...own.flat(), ...pairs]
}

/**
 * [K21] [K22] [K23] For every signal, domain, tie-break, gate and rule of momentum: messages that reach it,
 * the proof that none do, or that it is not decided. Yields its progress.
 */
export function* reachAll(pipeline: Pipeline, guard: Guard = unguarded): Work<readonly Reach[]> {
  const signals = yield* reachSignals(pipeline, guard)
  const reaching: Reaching = { pipeline, guard, signals }
  const names = signalNames(pipeline)
  const { domains } = pipeline.belief.set
  const messages = yield* vocabularyOf(reaching)
  const total = signals.length + domains.length + 1
  const all: Reach[] = signals.map((one, number) => {
    const { domain, index: signal } = placeOfSignal(pipeline, number)
    const place = { kind: 'signal', name: names[number] ?? '', domain, signal, off: false } as const
    if (one.status === 'reached')
      return { ...place, status: one.status, witness: [one.text], why: '' }
    return { ...place, status: one.status, witness: [], why: one.why }
  })
  for (const [at, domain] of domains.entries()) {
    yield { done: signals.length + at, total }
    const { name } = domain
    const place = { kind: 'domain', name, domain: name, signal: null, off: false } as const
    all.push({ ...place, ...reachDomain(reaching, domain) })
  }
  const nowhere = { domain: null, signal: null, off: false } as const
  for (const tie of reachTies(reaching, messages)) {
    // A file whose priorities all differ, or are all the same, is no mistake.
    all.push({ kind: 'tie-break', ...nowhere, ...tie, off: tie.status === 'never' })
  }
  for (const gate of reachGates(reaching, messages))
    all.push({ kind: 'gate', ...nowhere, ...gate, domain: gate.name })
  yield { done: total - 1, total }
  for (const rule of reachRules(reaching, messages)) all.push({ kind: 'rule', ...nowhere, ...rule })
  return all
}
