import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { casesOf } from '../../../fixtures/cases.ts'
import { built, tokenizers } from '../../../fixtures/bundle.ts'
import { bundleEstimators } from './budget.ts'
import { JOINT } from './layout.ts'
import { MARKER } from './truncate.ts'

const estimators = bundleEstimators(tokenizers)
/** Tokenizing is a hundred times slower than estimating. */
const cheap = fc.constantFrom('words13' as const, 'chars4' as const, 'larger' as const)

const word = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.string({ unit: 'grapheme', maxLength: 8 }),
  fc.constantFrom('\n', '\n\n    ', '  ', '特征重要性', '{"a":[1,2]}', '😀😀', 'word'),
)
const text = fc.array(word, { maxLength: 400 }).map((words) => words.join(' '))
const results = fc.record(
  {
    success: fc.boolean(),
    confidence: fc.double({ min: 0, max: 1, noNaN: true }),
    interpretation: text,
    completion_rate: fc.jsonValue({ maxDepth: 4 }),
    top_candidates: fc.array(text, { maxLength: 4 }),
    unknown: fc.jsonValue(),
  },
  { requiredKeys: [] },
)
const size = fc.integer({ min: 0, max: 2500 })
const budgets = fc.record({
  ctx_max_tokens: fc.integer({ min: 0, max: 6000 }),
  tier0_reserved: size,
  tier1_cap: size,
  history_cap: fc.integer({ min: 0, max: 300 }),
  telemetry_cap: fc.integer({ min: 0, max: 300 }),
  generation_reserve: fc.integer({ min: 0, max: 1500 }),
})
const line = (value: unknown) => `${JSON.stringify(value)}\n`
const files = fc
  .record({
    outcomes: fc.array(text, { maxLength: 8 }),
    incidents: fc.array(text, { maxLength: 6 }),
  })
  .map(({ outcomes, incidents }) => ({
    'chapter13/summaries/1.json': JSON.stringify(
      outcomes.map((result, at) => ({ step: 3, run_id: `r${at}`, result })),
    ),
    'watcher_failures.jsonl': incidents.map((message) => line({ step: 3, message })).join(''),
    'run_history.jsonl': [0.1, 0.2, 0.4]
      .map((mean_score) => line({ step: 3, metrics: { mean_score } }))
      .join(''),
    'm.json': '{"agent_name": "x"}',
  }))
const record = fc.record({
  step_id: fc.constantFrom(3, 13),
  results,
  budgets,
  files,
  estimator: cheap,
  manifest_path: fc.constantFrom('m.json', 'gone.json', null),
})
const RUNS = casesOf('bundle: properties')

describe('properties of step bundles', () => {
  it('[A5] same inputs: same content, prompt and hashes, whatever run id and time are', () =>
    fc.assert(
      fc.property(record, fc.string(), fc.integer({ min: 0, max: 4e12 }), (given, runId, now) => {
        const one = built(given)
        const two = built(structuredClone(given), { runId, now })
        expect(two.bundle.context).toEqual(one.bundle.context)
        expect(two.bundle.provenance).toEqual(one.bundle.provenance)
        expect(two.prompt).toBe(one.prompt)
        expect(two.report).toEqual(one.report)
      }),
      RUNS,
    ))

  it('[A2] tier 0 is always whole; the prompt fits unless tier 0 alone does not, and then it says so', () =>
    fc.assert(
      fc.property(record, (given) => {
        const { prompt, report, layout, bundle } = built(given)
        const count = estimators.get(given.estimator)!
        const available = given.budgets.ctx_max_tokens - given.budgets.generation_reserve
        const [tier0] = layout.tiers
        expect(tier0!.text).toBe(tier0!.whole)
        expect(prompt.startsWith(tier0!.whole)).toBe(true)
        const alone = count(tier0!.whole) > available
        expect(report.tier0OverContext).toBe(alone)
        expect(bundle.diagnostics.some(({ code }) => code === 'tier0_over_context')).toBe(alone)
        if (alone) expect(prompt).toBe(tier0!.whole)
        else expect(count(prompt)).toBeLessThanOrEqual(available)
        expect(report.used).toBe(count(prompt))
        expect(report.headroom).toBe(available - report.used)
      }),
      RUNS,
    ))

  it('[A2] [A11] caps hold with the marker counted; what is kept is a beginning of the text', () =>
    fc.assert(
      fc.property(record, (given) => {
        const { layout, report } = built(given)
        const count = estimators.get(given.estimator)!
        const caps = [
          given.budgets.tier1_cap,
          given.budgets.history_cap,
          given.budgets.telemetry_cap,
        ]
        for (const [index, cap] of caps.entries()) {
          const tier = layout.tiers[index + 1]!
          expect(count(tier.text)).toBeLessThanOrEqual(cap)
          if (tier.state !== 'truncated') {
            expect(tier.text).toBe(tier.state === 'dropped' ? '' : tier.whole)
            continue
          }
          expect(tier.text.endsWith(`\n${MARKER}`)).toBe(true)
          const kept = tier.text.slice(0, -MARKER.length - 1)
          expect(tier.whole.startsWith(kept)).toBe(true)
          expect(kept.length).toBeLessThan(tier.whole.length)
          expect(report.tiers[index + 1]!.truncated!.chars).toBe(tier.whole.length - kept.length)
        }
      }),
      RUNS,
    ))

  it('[A9] every part of the prompt is traceable: parts cover it without a gap', () =>
    fc.assert(
      fc.property(record, (given) => {
        const { prompt, parts, layout } = built(given)
        let at = 0
        for (const part of parts) {
          expect(part.span[0]).toBe(at)
          expect(part.source).not.toBe('')
          at = part.span[1]
        }
        expect(at).toBe(prompt.length)
        const texts = layout.tiers.map((tier) => tier.text).filter((each) => each !== '')
        expect(texts.join(JOINT)).toBe(prompt)
      }),
      RUNS,
    ))

  it('[A9] "fits at N" is true: whole at N with that cap, and not below', () => {
    const names = ['tier1_cap', 'history_cap', 'telemetry_cap'] as const
    fc.assert(
      fc.property(record, fc.integer({ min: 1, max: 3 }), (given, index) => {
        const tier = built(given).report.tiers[index]!
        fc.pre(tier.state !== 'empty')
        const cap = { [names[index - 1]!]: Math.max(tier.fitsAtCap, tier.limit) }
        const at = (ctx_max_tokens: number) =>
          built({ ...given, budgets: { ...given.budgets, ...cap, ctx_max_tokens } }).report.tiers[
            index
          ]!
        expect(at(tier.fitsAtContext).state).toBe('whole')
        if (tier.fitsAtContext > 0) expect(at(tier.fitsAtContext - 1).state).not.toBe('whole')
      }),
      RUNS,
    )
  })
})
