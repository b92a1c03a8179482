import { describe, expect, it } from 'vitest'
import { compileFixture, loadPreset, loadVectors, must } from '../../../fixtures/load.ts'
import type { DomainSet } from '../matcher/domains.ts'
import { warmUp } from '../matcher/scan.ts'
import {
  createPipeline,
  initialBeliefState,
  stepTurn,
  type Pipeline,
  type TurnOutcome,
} from '../pipeline.ts'
import type { Preset } from '../schema/preset.ts'
import type { ModelProfile } from '../schema/profile.ts'
import type { EnrichmentPlan, Part } from '../schema/trace.ts'
import { buildPlan, generateEnrichment } from './enrichment.ts'
import { applyMomentum } from './momentum.ts'
import { createRules } from './rules.ts'
import { formatSignature } from './score.ts'
import { toWritten } from './written.ts'

type Counted = readonly [domain: string, count: number, signals: readonly number[]]

interface Config {
  readonly signals: readonly string[]
  readonly enrichment_template?: string
  readonly brief_description?: string
}

interface TurnAnswer {
  readonly event: string
  readonly primary: Counted
  readonly secondary: Counted | null
  readonly signature: string
  readonly momentum: number
  readonly plan: EnrichmentPlan
  readonly enrichment: string
}

interface VectorPart {
  readonly domain: string
  readonly confidence: number
  readonly matched_signals: readonly string[]
}

interface Vectors {
  readonly domain_order: readonly string[]
  readonly domain_configs: Readonly<Record<string, Config>>
  readonly domain_priority: Readonly<Record<string, number>>
  readonly profiles: Readonly<Record<string, ModelProfile | null>>
  readonly messages: ReadonlyArray<{
    readonly message: string
    readonly scores: readonly Counted[]
    readonly ascii_scores?: readonly Counted[]
    readonly primary: string
    readonly secondary: string | null
    readonly signature: string
    readonly quirk?: string
    readonly proposed?: { primary: string; secondary: string | null; signature: string }
  }>
  readonly sequences: ReadonlyArray<{
    readonly id: number
    readonly profile: string
    readonly quirk?: string
    readonly turns: ReadonlyArray<
      TurnAnswer & {
        readonly message: string
        readonly scored_signature: string
        readonly proposed?: TurnAnswer
      }
    >
  }>
  readonly momentum_cases: ReadonlyArray<{
    readonly id: number
    readonly new_primary: VectorPart
    readonly new_secondary: VectorPart | null
    readonly current_signature: string
    readonly current_momentum: number
    readonly expected: {
      primary: VectorPart
      secondary: VectorPart | null
      signature: string
      momentum: number
    }
  }>
  readonly enrichment_cases: ReadonlyArray<{
    readonly id: number
    readonly primary: VectorPart
    readonly secondary: VectorPart | null
    readonly profile: ModelProfile | null
    readonly signature: string
    readonly momentum: number
    readonly plan: EnrichmentPlan
    readonly enrichment: string | { error: string; key: string }
    readonly to_dict: unknown
    readonly proposed?: { plan: EnrichmentPlan; enrichment: string }
  }>
  readonly custom_cases: ReadonlyArray<{
    readonly domain_order: readonly string[]
    readonly domain_configs: Readonly<Record<string, Config>>
    readonly message: string
    readonly scores: ReadonlyArray<readonly [string, number, readonly string[]]>
    readonly primary: string
    readonly secondary: string | null
    readonly signature: string
  }>
}

const vectors = loadVectors<Vectors>('bst')
const presets = { literal: loadPreset('literal'), recommended: loadPreset('recommended') } as const

function compile(
  order: readonly string[],
  configs: Vectors['domain_configs'],
  ascii = false,
): DomainSet {
  const domains = order.map((name) => ({ name, ...configs[name] }))
  return compileFixture(domains, ascii)
}

const set = compile(vectors.domain_order, vectors.domain_configs)

function pipelineOf(preset: Preset, profile: ModelProfile | null, domains = set): Pipeline {
  const pipeline = must(createPipeline(domains, preset, profile))
  // The vectors hold the automaton; small lists and `eval belief` run cold.
  warmUp(pipeline.signals)
  return pipeline
}

function counted(part: Part | null): Counted | null {
  return part === null ? null : [part.domain, part.confidence, part.signals]
}

function scoresOf(outcome: TurnOutcome): readonly Counted[] {
  return outcome.scored.scores.map(({ domain, score, signals }) => [domain, score, signals])
}

/** Signals of the vectors' hand-made parts are `s0`, `s1`, …: their numbers serve as indexes. */
function partOf(part: VectorPart): Part {
  const signals = part.matched_signals.map((signal) => Number(signal.slice(1)))
  return { domain: part.domain, confidence: part.confidence, signals }
}

describe('golden vectors: messages', () => {
  const literal = pipelineOf(presets.literal, null)
  const recommended = pipelineOf(presets.recommended, null)

  it('[C1] [C2] [C3] [C4] literal scores every message as the document does, Turkish i included', () => {
    let checked = 0
    for (const item of vectors.messages) {
      const outcome = stepTurn(literal, initialBeliefState, item.message)
      expect({
        message: item.message,
        scores: scoresOf(outcome),
        primary: outcome.primary.domain,
        secondary: outcome.secondary?.domain ?? null,
        signature: outcome.signature,
      }).toEqual({
        message: item.message,
        scores: item.scores,
        primary: item.primary,
        secondary: item.secondary,
        signature: item.signature,
      })
      checked += 1
    }
    expect(checked).toBe(1741)
    expect(vectors.messages.filter((item) => item.quirk === 'turkish_i')).toHaveLength(1)
  })

  it('[B5] recommended classifies every message as proposed', () => {
    for (const item of vectors.messages) {
      const outcome = stepTurn(recommended, initialBeliefState, item.message)
      const { primary, secondary, signature } = item.proposed ?? item
      expect([
        outcome.primary.domain,
        outcome.secondary?.domain ?? null,
        outcome.signature,
      ]).toEqual([primary, secondary, signature])
      expect(scoresOf(outcome)).toEqual(item.scores)
    }
  })

  it('[C5] asciiBoundaries scores as re.ASCII', () => {
    const preset = {
      ...presets.literal,
      belief: { ...presets.literal.belief, asciiBoundaries: true },
    }
    const ascii = compile(vectors.domain_order, vectors.domain_configs, true)
    const pipeline = pipelineOf(preset, null, ascii)
    let different = 0
    for (const item of vectors.messages) {
      const outcome = stepTurn(pipeline, initialBeliefState, item.message)
      expect(scoresOf(outcome)).toEqual(item.ascii_scores ?? item.scores)
      if (item.ascii_scores !== undefined) different += 1
    }
    expect(different).toBe(36)
  })
})

describe.each(['literal', 'recommended'] as const)('golden vectors: sequences under %s', (name) => {
  it('[M1] [M2] [M3] [M4] [M5] [E1] [E2] [E3] every turn is as recorded', () => {
    let turns = 0
    // One pipeline for each profile: creating one warms up the automaton, which takes longer than the turns.
    const pipelines = new Map<string, Pipeline>()
    const ofProfile = (profile: string): Pipeline => {
      const pipeline =
        pipelines.get(profile) ?? pipelineOf(presets[name], vectors.profiles[profile] ?? null)
      pipelines.set(profile, pipeline)
      return pipeline
    }
    for (const sequence of vectors.sequences) {
      const pipeline = ofProfile(sequence.profile)
      let state = initialBeliefState
      for (const [index, turn] of sequence.turns.entries()) {
        const outcome = stepTurn(pipeline, state, turn.message)
        const want: TurnAnswer = name === 'recommended' ? (turn.proposed ?? turn) : turn
        // If only the event differs, the vectors give no `proposed`, and the event cannot be compared.
        const known = name === 'literal' || turn.proposed !== undefined
        const got: TurnAnswer = {
          event: known ? outcome.event : turn.event,
          primary: counted(outcome.primary) ?? ['', 0, []],
          secondary: counted(outcome.secondary),
          signature: outcome.signature,
          momentum: outcome.state.momentum,
          plan: outcome.plan,
          enrichment: outcome.enrichment,
        }
        const { event, primary, secondary, signature, momentum, plan, enrichment } = want
        expect({ at: [sequence.id, index], ...got }).toEqual({
          at: [sequence.id, index],
          event,
          primary,
          secondary,
          signature,
          momentum,
          plan,
          enrichment,
        })
        if (name === 'literal') expect(outcome.scored.signature).toBe(turn.scored_signature)
        state = outcome.state
        turns += 1
      }
    }
    expect(turns).toBe(4691)
  })
})

describe('golden vectors: cases', () => {
  it('[M1] [M2] [M3] [M4] literal: apply_compound_momentum', () => {
    const rules = createRules(presets.literal.belief, set)
    for (const item of vectors.momentum_cases) {
      const primary = partOf(item.new_primary)
      const secondary = item.new_secondary === null ? null : partOf(item.new_secondary)
      const signature = formatSignature(primary.domain, secondary?.domain ?? null)
      const before = {
        ...initialBeliefState,
        signature: item.current_signature,
        momentum: item.current_momentum,
      }
      const scored = { primary, secondary, signature, scores: [], ranked: [], seconds: [] }
      const decision = applyMomentum(scored, before, rules)
      const { expected } = item
      expect({ id: item.id, ...decision }).toMatchObject({
        id: item.id,
        primary: partOf(expected.primary),
        secondary: expected.secondary === null ? null : partOf(expected.secondary),
        signature: expected.signature,
        state: { momentum: expected.momentum },
      })
    }
    expect(vectors.momentum_cases).toHaveLength(800)
  })

  it.each(['literal', 'recommended'] as const)(
    '[E1]-[E5] [B7]-[B10] %s: plan, text, to_dict',
    (name) => {
      const options = presets[name].belief
      const patterns = Array.from({ length: 100 }, (_, index) => ({ pattern: `s${index}` }))
      for (const item of vectors.enrichment_cases) {
        const primary = partOf(item.primary)
        const secondary = item.secondary === null ? null : partOf(item.secondary)
        const disabled = new Set(item.profile?.disabled_domains ?? [])
        const plan = buildPlan({ primary, secondary }, disabled, options)
        const text = generateEnrichment({ primary, secondary }, plan, set.byName, options)
        const want = name === 'recommended' ? (item.proposed ?? item) : item
        expect({ id: item.id, plan, enrichment: text.ok ? text.value : text.error }).toEqual({
          id: item.id,
          plan: want.plan,
          enrichment: want.enrichment,
        })
        if (name !== 'literal') continue
        const state = { ...initialBeliefState, momentum: item.momentum }
        const outcome = { primary, secondary, signature: item.signature, state, plan }
        const named = [primary.domain, secondary?.domain ?? ''].map(
          (domain) => [domain, { signals: patterns }] as const,
        )
        const written = toWritten(outcome, new Map(named) as never)
        expect(written._bst_compound).toEqual(item.to_dict)
      }
      expect(vectors.enrichment_cases).toHaveLength(450)
    },
  )

  it('[C2] [B13] small configurations: ties, unknown priorities, no signals', () => {
    for (const item of vectors.custom_cases) {
      const custom = compile(item.domain_order, item.domain_configs)
      const outcome = stepTurn(
        pipelineOf(presets.literal, null, custom),
        initialBeliefState,
        item.message,
      )
      const scores = outcome.scored.scores.map(({ domain, score, signals }) => [
        domain,
        score,
        signals.map((index) => item.domain_configs[domain]!.signals[index]),
      ])
      expect([scores, outcome.primary.domain, outcome.secondary?.domain ?? null]).toEqual([
        item.scores,
        item.primary,
        item.secondary,
      ])
      expect(outcome.signature).toBe(item.signature)
    }
    expect(vectors.custom_cases).toHaveLength(200)
  })
})
