import { createRules } from './belief/rules.ts'
import { gateReport } from './belief/profile.ts'
import { stepBelief, type BeliefContext, type BeliefOutcome } from './belief/step.ts'
import { scoredText, type ScoredText } from './belief/text.ts'
import { ownersOf, type DomainSet } from './matcher/domains.ts'
import { prepareScan, scanText, unguarded, type Guard, type Scan } from './matcher/scan.ts'
import { compileSignal, type CompiledSignal } from './matcher/signal.ts'
import { createTextFacts, type TextFacts } from './matcher/text-facts.ts'
import { err, ok, type Problem, type Result } from './result.ts'
import { presetFor } from './skills/options.ts'
import type { Preset } from './schema/preset.ts'
import type { GateReport, ModelProfile } from './schema/profile.ts'
import type { BeliefState } from './schema/trace.ts'
import type { ReplayTurn } from './turns.ts'

export { initialBeliefState } from './belief/momentum.ts'

/** A domain set, a preset and a model profile, ready to run turns. It is stateless. */
export interface Pipeline {
  readonly preset: Preset
  readonly profile: ModelProfile | null
  readonly gate: GateReport
  readonly belief: BeliefContext
  /** Signals of all domains, then the anti-signals: the numbers of `fired` and `cutOff` index it. */
  readonly signals: readonly CompiledSignal[]
}

/** A signal that the watchdog cut off on this turn's text. */
export interface TurnCutOff {
  readonly domain: string
  /** Index into the domain's signals; for an anti-signal, into the preset's list. */
  readonly signal: number
  readonly pattern: string
  /** Size of the text, in UTF-16 units. */
  readonly chars: number
}

/** The data of a turn that a replay keeps; everything else can be traced again. */
export interface TurnOutcome extends BeliefOutcome {
  /** Numbers of the signals that fired, ascending; they index `Pipeline.signals`. */
  readonly fired: readonly number[]
  readonly cutOffs: readonly TurnCutOff[]
}

/** One turn, and what stepping and tracing both need of its text. */
export interface PreparedTurn {
  readonly input: ScoredText
  readonly facts: TextFacts
}

function compileAntiSignals(preset: Preset): Result<readonly CompiledSignal[], readonly Problem[]> {
  const { antiSignals, asciiBoundaries } = preset.belief
  const results = antiSignals.map((anti, index) =>
    compileSignal(anti.pattern, `preset "${preset.name}", anti-signal ${index + 1}`, {
      asciiBoundaries,
    }),
  )
  const problems = results.flatMap((result) => (result.ok ? [] : [result.error]))
  if (problems.length > 0) return err(problems)
  return ok(results.flatMap((result) => (result.ok ? [result.value] : [])))
}

/**
 * Puts a pipeline together. Fails when an anti-signal cannot be compiled, or when the domains were
 * compiled with another `asciiBoundaries` than the preset's.
 */
export function createPipeline(
  set: DomainSet,
  given: Preset,
  profile: ModelProfile | null,
): Result<Pipeline, readonly Problem[]> {
  const preset = presetFor(set, given)
  if (set.options.asciiBoundaries !== preset.belief.asciiBoundaries)
    return err([
      {
        what: 'the domains were compiled with another asciiBoundaries',
        where: `preset "${preset.name}"`,
        do: 'Compile them with the options of the preset.',
      },
    ])
  const antiSignals = compileAntiSignals(preset)
  if (!antiSignals.ok) return antiSignals
  const gate = gateReport(profile, set, preset.belief.tolerant)
  const rules = createRules(preset.belief, set)
  return ok({
    preset,
    profile,
    gate,
    belief: { set, rules, disabled: new Set(gate.disabled) },
    signals: [...set.signals, ...antiSignals.value],
  })
}

/** Cuts and strips a message (L7, B16) and looks at it once for all signals. */
export function prepareTurn(pipeline: Pipeline, text: string): PreparedTurn {
  const input = scoredText(text, pipeline.preset.belief)
  return { input, facts: createTextFacts(input.text) }
}

/** Domain of a signal, and its index there. */
export interface SignalPlace {
  /** `(anti-signal)` for those of the preset. */
  readonly domain: string
  readonly index: number
}

/** Domain and position of signal `number` (index into `pipeline.signals`). */
export function placeOfSignal({ belief: { set } }: Pipeline, number: number): SignalPlace {
  const owner = ownersOf(set)[number]
  return owner === undefined
    ? { domain: '(anti-signal)', index: number - set.signals.length }
    : { domain: owner.name, index: number - owner.firstSignal }
}

/** The configured domains, and the default domain after them when it is not configured (B10). */
export function domainNames({ belief }: Pipeline): readonly string[] {
  const names = belief.set.domains.map((domain) => domain.name)
  const { defaultDomain } = belief.rules.options
  return names.includes(defaultDomain) ? names : [...names, defaultDomain]
}

/** Says which signals fire on a turn, by looking or by remembering. */
export type ScanTurn = (pipeline: Pipeline, prepared: PreparedTurn, turn: ReplayTurn) => Scan

/** Looks, under a guard. A signal that the guard cuts off counts as not fired. */
export function scanUnder(guard: Guard): ScanTurn {
  return ({ signals }, { facts }) => {
    prepareScan(signals)
    return scanText(signals, facts, guard)
  }
}

/** Runs a turn, given which signals fire on its text. */
export function stepPrepared(
  pipeline: Pipeline,
  state: BeliefState,
  { input }: PreparedTurn,
  { fired, cutOff }: Scan,
): TurnOutcome {
  return {
    ...stepBelief(pipeline.belief, state, fired),
    fired,
    cutOffs: cutOff.map((number) => {
      const { domain, index: signal } = placeOfSignal(pipeline, number)
      const pattern = pipeline.signals[number]?.pattern ?? ''
      return { domain, signal, pattern, chars: input.text.length }
    }),
  }
}

/** One turn from its text: score, momentum, plan, enrichment. Carry `outcome.state` to the next. */
export function stepTurn(
  pipeline: Pipeline,
  state: BeliefState,
  text: string,
  guard: Guard = unguarded,
): TurnOutcome {
  const prepared = prepareTurn(pipeline, text)
  return stepPrepared(pipeline, state, prepared, scanText(pipeline.signals, prepared.facts, guard))
}
