import { countSignals } from '../belief/weights.ts'
import { exclusionOf, tieBreakOf } from '../belief/score.ts'
import { identityOf } from '../matcher/identity.ts'
import type { CompiledDomain } from '../matcher/domains.ts'
import type { Reach } from '../schema/reach.ts'
import {
  aloneAs,
  messageOf,
  messagesFor,
  silenceOf,
  textsOf,
  type Message,
  type Reaching,
} from './messages.ts'

type Answer = Pick<Reach, 'status' | 'witness' | 'why'>

const reached = (...witness: readonly string[]): Answer => ({ status: 'reached', witness, why: '' })
const never = (why: string): Answer => ({ status: 'never', witness: [], why })
const undecided = (why: string): Answer => ({ status: 'undecided', witness: [], why })

/** The domain's score if all of its signals that may match did so. */
function mostOf({ signals }: Reaching, domain: CompiledDomain) {
  const able = [...domain.signals.keys()].filter(
    (index) =>
      signals[domain.firstSignal + index]?.status !== 'never' &&
      domain.signals[index]?.excludes !== true,
  )
  return countSignals(domain, able)
}

/** [K22] Thresholds that no text reaches, regardless of its other content. */
function tooHigh(reaching: Reaching, domain: CompiledDomain): string | null {
  const { rules } = reaching.pipeline.belief
  const most = mostOf(reaching, domain)
  if (most.matched === 0)
    return domain.signals.length === 0 ? 'it has no signals' : 'none of its signals can match'
  const least = rules.minSignals.get(domain.name) ?? 1
  if (most.matched < least)
    return `it needs ${least} signals to be primary and has ${most.matched} that can match`
  const score = domain.minScore ?? 0
  return most.points < score ? `it needs a score of ${score} and can have ${most.points}` : null
}

/** Better placed on a tie. */
function isBefore(a: CompiledDomain, b: CompiledDomain): boolean {
  return a.priority < b.priority || (a.priority === b.priority && a.index < b.index)
}

/**
 * [K22] A domain that has all of this one's signals, wins their ties, and takes part whenever this one does. It ranks
 * ahead of this domain for every text.
 */
function shadowOf({ pipeline }: Reaching, domain: CompiledDomain): CompiledDomain | undefined {
  const { set, rules } = pipeline.belief
  const minimum = (one: CompiledDomain): number => rules.minSignals.get(one.name) ?? 1
  const isPlain = (one: CompiledDomain): boolean =>
    one.minScore === undefined &&
    one.signals.every(({ weight, group, excludes }) => weight === 1 && group === null && !excludes)
  const isHit = (one: CompiledDomain): boolean =>
    rules.options.antiSignals.some(({ domains }) => domains.includes(one.name))
  if (!isPlain(domain)) return undefined
  const own = domain.signals.map(identityOf)
  return set.domains.find((other) => {
    if (other === domain || !isBefore(other, domain) || !isPlain(other)) return false
    if (other.name === rules.options.defaultDomain || isHit(other)) return false
    const left = other.signals.map(identityOf)
    const hasAll = own.every((signal) => {
      const at = left.indexOf(signal)
      if (at >= 0) left.splice(at, 1)
      return at >= 0
    })
    return hasAll && minimum(other) <= minimum(domain)
  })
}

/** [K21] [K22] Is there a text that alone is classified as the domain? */
export function reachDomain(reaching: Reaching, domain: CompiledDomain): Answer {
  const { defaultDomain } = reaching.pipeline.belief.rules.options
  const silence = silenceOf(reaching)
  const isPrimary = (message: Message): boolean =>
    aloneAs(reaching, message).scored.primary.domain === domain.name
  if (domain.name === defaultDomain && isPrimary(silence)) return reached(silence.text)
  for (const message of messagesFor(reaching, domain))
    if (isPrimary(message)) return reached(message.text)
  const why = tooHigh(reaching, domain)
  if (why !== null) return never(why)
  const shadow = shadowOf(reaching, domain)
  if (shadow !== undefined)
    return never(`${shadow.name} has all of its signals and comes before it on every tie`)
  return undecided(undecidedWhy(reaching, domain))
}

/** Explains why the domain was not primary on the message with the most signals. */
function undecidedWhy(reaching: Reaching, domain: CompiledDomain): string {
  const message = messageOf(reaching, textsOf(reaching, domain).join('\n'))
  const { scored } = aloneAs(reaching, message)
  const own = scored.scores.find((score) => score.domain === domain.name)
  const { rules } = reaching.pipeline.belief
  const barred = own === undefined ? null : exclusionOf(own, scored.scores, rules)
  const lost = barred ?? `${scored.primary.domain} came before it`
  return `on none of the texts that were made it was primary (${lost})`
}

/** [K21] [K22] Is there a tie that priority decides, and one that only the order of the file decides? */
export function reachTies(
  reaching: Reaching,
  messages: readonly Message[],
): ReadonlyArray<Answer & { readonly name: 'priority' | 'order' }> {
  const { domains } = reaching.pipeline.belief.set
  const priorities = new Set(domains.map(({ priority }) => priority))
  const proofs = {
    priority: priorities.size === 1 ? 'all domains have the same priority' : null,
    order: priorities.size === domains.length ? 'no two domains have the same priority' : null,
  }
  return (['priority', 'order'] as const).map((by) => {
    const found = messages.find(
      (message) => tieBreakOf(aloneAs(reaching, message).scored)?.by === by,
    )
    if (found !== undefined) return { name: by, ...reached(found.text) }
    const proof = proofs[by]
    return { name: by, ...(proof === null ? undecided('no tie was found') : never(proof)) }
  })
}

/** [K21] [K22] Is there a text whose enrichment the model profile holds back, for each domain it names? */
export function reachGates(
  reaching: Reaching,
  messages: readonly Message[],
): ReadonlyArray<Answer & { readonly name: string }> {
  const { disabled, set } = reaching.pipeline.belief
  return [...disabled].map((name) => {
    const found = messages.find((message) => {
      const { primary, secondary, plan } = aloneAs(reaching, message)
      return (
        (primary.domain === name && plan.reason_primary_skipped === 'disabled_in_profile') ||
        (secondary?.domain === name && plan.reason_secondary_skipped === 'disabled_in_profile')
      )
    })
    if (found !== undefined) return { name, ...reached(found.text) }
    const domain = set.byName.get(name)
    if (domain === undefined) return { name, ...never('there is no such domain') }
    const { status, why } = reachDomain(reaching, domain)
    if (status === 'never' && mostOf(reaching, domain).matched === 0) return { name, ...never(why) }
    return { name, ...undecided('no text was found that is classified as it') }
  })
}
