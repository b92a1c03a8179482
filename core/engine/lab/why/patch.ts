import type { CompiledDomain, DomainSet } from '../../matcher/domains.ts'
import type { CompiledSignal } from '../../matcher/signal.ts'
import { createPipeline, type Pipeline } from '../../pipeline.ts'
import { formatProblem } from '../../result.ts'
import type { BeliefOptions } from '../../schema/preset.ts'

/** Overrides in a domain's own configuration. */
type DomainPatch = Partial<Pick<CompiledDomain, 'priority' | 'minSignals' | 'breakMinSignals'>>

/** A small change of a configuration. Nothing is compiled again: signals are those that are there. */
export interface PipelinePatch {
  /** Not `asciiBoundaries`, under which every signal would be another one. */
  readonly options?: Partial<Omit<BeliefOptions, 'asciiBoundaries'>>
  readonly domains?: ReadonlyMap<string, DomainPatch>
  /** Numbers of signals to take away (they index `Pipeline.signals`, so anti-signals too). */
  readonly without?: ReadonlySet<number>
  /** [L96] Weights of signals, by their number among the signals of domains. */
  readonly weights?: ReadonlyMap<number, number>
  /** Signals to add at the end of a domain. */
  readonly add?: ReadonlyArray<{ readonly domain: string; readonly signal: CompiledSignal }>
}

function patchDomains(set: DomainSet, patch: PipelinePatch): readonly CompiledDomain[] {
  const { without = new Set<number>(), add = [], weights } = patch
  let firstSignal = 0
  return set.domains.map((domain) => {
    const kept = domain.signals.flatMap((signal, index) => {
      const number = domain.firstSignal + index
      if (without.has(number)) return []
      const weight = weights?.get(number) ?? signal.weight
      return [weight === signal.weight ? signal : { ...signal, weight }]
    })
    const added = add.filter((one) => one.domain === domain.name).map((one) => one.signal)
    const signals = [...kept, ...added]
    const patched = { ...domain, ...patch.domains?.get(domain.name), signals, firstSignal }
    firstSignal += signals.length
    return patched
  })
}

/** The same configuration with a small change. */
export function patchPipeline(pipeline: Pipeline, patch: PipelinePatch): Pipeline {
  const { set } = pipeline.belief
  const { belief } = pipeline.preset
  const domains = patchDomains(set, patch)
  const antiSignals = (patch.options?.antiSignals ?? belief.antiSignals).filter(
    (_, index) => patch.without?.has(set.signals.length + index) !== true,
  )
  const preset = { ...pipeline.preset, belief: { ...belief, ...patch.options, antiSignals } }
  const patched = createPipeline(
    {
      ...set,
      domains,
      byName: new Map(domains.map((domain) => [domain.name, domain])),
      signals: domains.flatMap((domain) => domain.signals),
    },
    preset,
    pipeline.profile,
  )
  // Anti-signals can only become fewer and `asciiBoundaries` stays: what compiled before compiles again.
  if (!patched.ok) throw new Error(patched.error.map(formatProblem).join('\n'))
  return patched.value
}
