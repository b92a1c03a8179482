import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { build, built, stepLibrary, tokenizers } from '../../../fixtures/bundle.ts'
import { must } from '../../../fixtures/load.ts'
import { BudgetOverrides, StepAwarenessBundle } from '../schema/bundle.ts'
import { buildLlmContext, buildStepAwarenessBundle, renderPromptFromBundle } from './build.ts'
import { bundleEstimators } from './budget.ts'
import { recommendedBundle } from './options.ts'
import { measure } from './report.ts'
import { MARKER } from './truncate.ts'

const MANIFEST = JSON.stringify({ agent_name: 'full_scoring', pipeline_step: 3 })
const codes = (record: unknown) =>
  built(record).bundle.diagnostics.map(({ code, names }) => [code, names])
const long = (words: number) => Array.from({ length: words }, (_, at) => `word${at}`).join(' ')

/** A5.2: every object that can be reached. */
function everyObject(value: unknown): readonly object[] {
  if (typeof value !== 'object' || value === null) return []
  return [value, ...Object.values(value).flatMap(everyObject)]
}

describe('[A1] object model', () => {
  it('[A1] has the fields of the document and passes its own schema', () => {
    const { bundle } = built({ step_id: 3, run_id: 'r1', results: { completion_rate: 1 } })
    expect(StepAwarenessBundle.parse(bundle)).toEqual(bundle)
    expect(Object.keys(bundle.context)).toEqual([
      'mission',
      'schema_excerpt',
      'grammar_name',
      'contracts',
      'guardrails',
      'inputs_summary',
      'evaluation_summary',
      'recent_outcomes',
      'trend_summary',
      'open_incidents',
    ])
    expect(bundle).toMatchObject({
      bundle_version: '1.0.0',
      step_id: 3,
      step_name: 'full_scoring',
      run_id: 'r1',
      is_chapter_13: false,
      provenance: [],
      generated_at: '2026-02-02T02:40:00.000Z',
    })
  })

  it('[A5] [L17] is frozen all the way down, and takes a copy of what it was given', () => {
    const results = { survivor_count: 3, precision: { by: [1, { deep: true }] } }
    const { bundle } = built({ step_id: 1, results })
    for (const each of everyObject(bundle)) expect(Object.isFrozen(each)).toBe(true)
    for (const each of everyObject(results)) expect(Object.isFrozen(each)).toBe(false)
    results.precision.by.push(7)
    expect(bundle.context.inputs_summary).toEqual({
      survivor_count: 3,
      precision: { by: [1, { deep: true }] },
    })
    expect(Object.isFrozen(stepLibrary.contracts)).toBe(false)
  })

  it('[A5] a key named __proto__ is a key', () => {
    const results = JSON.parse('{"__proto__": {"success": true}}') as unknown
    const { bundle } = built({ step_id: 1, results })
    expect(bundle.context.evaluation_summary).toMatchObject({ success: null })
  })
})

describe('[A2] budgets', () => {
  it('[A2] the defaults are those of the document', () =>
    expect(built({ step_id: 1 }).bundle.budgets).toEqual({
      ctx_max_tokens: 32_768,
      tier0_reserved: 1200,
      tier1_cap: 3000,
      history_cap: 6000,
      telemetry_cap: 3000,
      generation_reserve: 2000,
    }))

  it('[A2] both spellings of a field are read; two that differ, and unknown ones, are refused', () => {
    const budgets = { ctx_max_tokens: 4096, generation_reserve_tokens: 500 }
    expect(built({ step_id: 1, budgets }).bundle.budgets).toMatchObject({
      ctx_max_tokens: 4096,
      generation_reserve: 500,
      tier1_cap: 3000,
    })
    const both = { tier1_cap: 5, tier1_cap_tokens: 5 }
    expect(BudgetOverrides.parse(both)).toEqual({ tier1_cap: 5 })
    for (const bad of [{ tier1_cap: 5, tier1_cap_tokens: 6 }, { tier2_cap: 1 }, { tier1_cap: -1 }])
      expect(BudgetOverrides.safeParse(bad).success).toBe(false)
  })

  it('[A2] [L18] tier 0 is whole whatever the context, and the bundle says that it does not fit', () => {
    const ample = built({ step_id: 3, results: { completion_rate: 1 } })
    const tight = built({
      step_id: 3,
      results: { completion_rate: 1 },
      budgets: { ctx_max_tokens: 512, generation_reserve: 400 },
    })
    const [tier0, ...others] = tight.layout.tiers
    expect(tight.prompt).toBe(ample.layout.tiers[0]!.text)
    expect(tier0!.text).toBe(tight.prompt)
    expect(others.map(({ text }) => text)).toEqual(['', '', ''])
    expect(tight.report).toMatchObject({ tier0OverContext: true, overflow: true, available: 112 })
    expect(tight.report.headroom).toBeLessThan(0)
    expect(tight.bundle.diagnostics.map(({ code }) => code)).toContain('tier0_over_context')
    expect(tight.report.warnings.join()).toContain('tier 0 alone does not fit')
  })

  it('[A2] tier 0 over its reservation stays, says so, and the others shrink', () => {
    const results = { interpretation: long(2000), success: true }
    const budgets = { ctx_max_tokens: 1500, generation_reserve: 500, tier0_reserved: 10 }
    const { report, bundle } = built({ step_id: 1, results, budgets })
    expect(report.tiers[0]).toMatchObject({ state: 'whole', limit: 10 })
    expect(bundle.diagnostics.map(({ code }) => code)).toContain('tier0_over_reservation')
    expect(report.tiers[1]!.used).toBeLessThan(1000 - report.tiers[0]!.used + 1)
    expect(report.used).toBeLessThanOrEqual(1000)
  })

  it.each([
    [512, 128],
    [2048, 500],
    [4096, 500],
    [32_768, 2000],
  ])('[A2] a context of %i with a reserve of %i is never exceeded', (ctx_max_tokens, reserve) => {
    const budgets = { ctx_max_tokens, generation_reserve: reserve }
    const record = { step_id: 1, results: { interpretation: long(30_000) }, budgets }
    const { report, prompt } = built(record)
    expect(report.used).toBeLessThanOrEqual(ctx_max_tokens - reserve)
    expect(report.tiers[1]!.used).toBeLessThanOrEqual(3000)
    expect(report.tiers[1]!.state).toBe('truncated')
    expect(prompt.endsWith(MARKER)).toBe(true)
  })
})

describe('[A11] truncation', () => {
  it('[A11] [L18] keeps a beginning with its line breaks and indentation, cut at a word', () => {
    const text = `one\n  two ${long(500)}\n\n    three`
    const budgets = { tier1_cap: 200 }
    const { layout, report } = built({ step_id: 1, results: { interpretation: text }, budgets })
    const tier1 = layout.tiers[1]!
    const kept = tier1.text.slice(0, -MARKER.length - 1)
    expect(tier1.text).toBe(`${kept}\n${MARKER}`)
    expect(tier1.whole.startsWith(kept)).toBe(true)
    expect(tier1.whole.slice(kept.length)).toMatch(/^\s/u)
    expect(kept).toContain('one\n  two word0')
    expect(report.tiers[1]!.used).toBeLessThanOrEqual(200)
    expect(report.tiers[1]!.truncated!.chars).toBe(tier1.whole.length - kept.length)
    expect(report.tiers[1]!.dropped.map(({ what }) => what)).toEqual(['inputs.missing'])
  })

  it('[A11] no character is split, with or without blanks', () => {
    for (const piece of ['界', '😀', 'é́', '{"a":1},']) {
      for (let tier1_cap = 20; tier1_cap < 60; tier1_cap += 1) {
        const results = { interpretation: piece.repeat(400) }
        const { layout } = built({ step_id: 1, results, budgets: { tier1_cap } })
        expect(layout.tiers[1]!.text.isWellFormed()).toBe(true)
      }
    }
  })

  it('[A11] the verdict of a step outlives a metric that is too long', () => {
    const results = { success: false, top_candidates: Array.from({ length: 9000 }, (_, at) => at) }
    const { layout, report } = built({ step_id: 3, results })
    expect(layout.tiers[1]!.text).toContain('- success: false')
    expect(report.tiers[1]!.state).toBe('truncated')
  })

  it('[A11] tier 2 loses whole records from the end, and says which', () => {
    const outcomes = Array.from({ length: 8 }, (_, at) => ({
      step: 3,
      run_id: `run-${at}`,
      result: long(20),
      timestamp: `2026-01-0${9 - at}T00:00:00Z`,
    }))
    const files = { 'chapter13/summaries/a.json': JSON.stringify({ outcomes }) }
    const { layout, report, prompt } = built({ step_id: 3, files, budgets: { history_cap: 150 } })
    const history = report.tiers[2]!
    expect(history).toMatchObject({ state: 'truncated', droppedCount: 5 })
    expect(history.used).toBeLessThanOrEqual(150)
    expect(history.dropped[0]!.what).toBe('outcomes.3')
    expect(layout.tiers[2]!.text.endsWith(`\n${MARKER}`)).toBe(true)
    expect(prompt).toContain('run-2')
    expect(prompt).not.toContain('run-3')
  })
})

describe('[A2] large results', () =>
  it('[A2] results of 10 MB are cut, counted, and kept whole in the bundle', () => {
    const top_candidates = Array.from({ length: 190_000 }, (_, seed) => ({ seed, score: seed / 7 }))
    const record = { step_id: 3, results: { success: true, top_candidates } }
    expect(JSON.stringify(record).length).toBeGreaterThan(7_000_000)
    const { report, bundle } = built(record)
    expect(report.tiers[1]).toMatchObject({ state: 'truncated', limit: 3000 })
    expect(report.tiers[1]!.used).toBeLessThanOrEqual(3000)
    expect(report.tiers[1]!.fitsAtCap).toBeGreaterThan(2_000_000)
    expect(bundle.context.inputs_summary!['top_candidates']).toHaveLength(190_000)
  }))

describe('[A10] estimators', () => {
  const cjk = { success: true, interpretation: '特征重要性的熵回升到二点九四。'.repeat(400) }
  const minified = {
    top_candidates: [JSON.stringify({ list: Array.from({ length: 4000 }, () => 7) })],
  }

  it('[A10] [L19] words alone take text without blanks for one word; the larger does not', () => {
    for (const [step_id, results] of [
      [1, cjk],
      [3, minified],
    ] as const) {
      const words = built({ step_id, results, estimator: 'words13' })
      const both = built({ step_id, results })
      expect(words.report.tiers[1]!.state).toBe('whole')
      expect(words.report.tiers[1]!.used).toBeLessThan(60)
      const real = measure(words.layout, words.bundle.budgets, bundleEstimators(tokenizers)).at(-1)!
      expect(real).toMatchObject({ estimator: 'o200k_base', over: ['tier1'] })
      expect(both.bundle.estimator).toBe('larger')
      expect(both.report.tiers[1]!.used).toBeGreaterThan(1000)
    }
  })

  it('[A10] the real tokenizer can enforce the budget itself', () => {
    const budgets = { tier1_cap: 300 }
    const { report } = built({ step_id: 1, results: cjk, estimator: 'o200k', budgets })
    expect(report.estimator).toBe('o200k_base')
    expect(report.tiers[1]!.used).toBeLessThanOrEqual(300)
    expect(report.tiers[1]!.used).toBeGreaterThan(280)
  })
})

describe('[A6] provenance', () => {
  it('[A6] hash and size are those of the bytes', () => {
    const files = { 'm.json': MANIFEST, 'state/ü.bin': 'Grüße' }
    const { bundle } = built({
      step_id: 3,
      files,
      results: { completion_rate: 1 },
      manifest_path: 'm.json',
      state_paths: ['state/ü.bin'],
    })
    const sha = (text: string) => createHash('sha256').update(text).digest('hex')
    expect(bundle.provenance).toEqual([
      { path: 'm.json', sha256: sha(MANIFEST), size_bytes: MANIFEST.length },
      { path: 'state/ü.bin', sha256: sha('Grüße'), size_bytes: 7 },
    ])
  })

  it('[A6] [L20] what is missing is recorded and reported, the manifest too', () => {
    const record = { step_id: 3, manifest_path: 'm.json', state_paths: ['s.json'] }
    expect(built(record).bundle.provenance).toEqual([
      { path: 'm.json', sha256: 'FILE_NOT_FOUND', size_bytes: 0 },
      { path: 's.json', sha256: 'FILE_NOT_FOUND', size_bytes: 0 },
    ])
    expect(codes(record).map(([code]) => code)).toEqual(
      expect.arrayContaining(['manifest_missing', 'state_missing']),
    )
  })

  it.each([
    ['{"agent_name": "x",', 'manifest_invalid'],
    ['[]', 'manifest_invalid'],
    ['{"agent_name": 5}', 'manifest_invalid'],
    ['', 'manifest_invalid'],
    [`{"agent_name": "${'x'.repeat(1_100_000)}"}`, 'manifest_unreadable'],
    ['{"agent_name": "x", "pipeline_step": 5}', 'manifest_other_step'],
  ])('[A6] [L20] a manifest that cannot be used is reported: %.30s', (text, code) => {
    const { bundle } = built({ step_id: 3, manifest_path: 'm.json', files: { 'm.json': text } })
    expect(bundle.diagnostics[0]).toMatchObject({ code, path: 'm.json' })
    expect(bundle.provenance[0]).toMatchObject({ size_bytes: text.length })
    expect(bundle.provenance[0]!.sha256).toMatch(/^[0-9a-f]{64}$/u)
  })

  it('[A6] the success condition of a manifest is shown beside the verdict', () => {
    const files = { 'm.json': '{"agent_name": "x", "success_condition": ["a > 1"]}' }
    const record = { step_id: 3, manifest_path: 'm.json', files, results: { success: true } }
    expect(built(record).prompt).toContain('- success_condition: ["a > 1"]')
  })
})

describe('[A7] [A18] results', () => {
  it('[A7] [L21] metrics without a value and values without a metric are both listed', () =>
    expect(
      codes({ step_id: 4, results: { best_r2: 0.5, extra: 1, other: 2, success: true } }),
    ).toEqual([
      ['metrics_missing', ['validation_r2', 'architecture_stability']],
      ['results_unnamed', ['extra', 'other']],
    ]))

  it.each([[undefined], [null], [{}], [[]]])(
    '[A18] [L22] %j is never read as a success',
    (results) => {
      for (const step_id of [1, 13]) {
        const { bundle, prompt } = built({ step_id, results })
        expect(bundle.context).toMatchObject({ inputs_summary: null, evaluation_summary: null })
        expect(prompt).toContain('There are no results for this step')
        expect(prompt).not.toContain('success: true')
        expect(bundle.diagnostics.map(({ code }) => code)).toContain('results_empty')
      }
    },
  )

  it('[A18] what the results do not say is not guessed', () => {
    const { bundle, prompt } = built({ step_id: 4, results: { best_r2: 0.5, success: 'yes' } })
    expect(bundle.context.evaluation_summary).toEqual({
      success: null,
      confidence: null,
      interpretation: null,
    })
    expect(prompt).toContain('- success: not stated')
    expect(bundle.diagnostics.map(({ code }) => code)).toContain('evaluation_ignored')
  })

  it.each([
    [
      {
        results: { best_r2: 1, agent_metadata: { success: true, confidence: 0.8, reasoning: 'r' } },
      },
    ],
    [
      {
        results: { best_r2: 1 },
        evaluation: { success: true, confidence: 0.8, interpretation: 'r' },
      },
    ],
    [
      {
        results: { best_r2: 1, success: true },
        agent_metadata: { confidence: 0.8, reasoning: 'r' },
      },
    ],
  ])(
    '[A18] an evaluation in a part of the results or beside them fills the summary: %j',
    (given) => {
      const { bundle, prompt } = built({ step_id: 4, ...given })
      expect(bundle.context.evaluation_summary).toEqual({
        success: true,
        confidence: 0.8,
        interpretation: 'r',
      })
      expect(prompt).toContain('- success: true')
      const unnamed = bundle.diagnostics.filter(({ code }) => code === 'results_unnamed')
      expect(unnamed).toEqual([])
    },
  )

  it.each([[{ deep: { list: [1, { deeper: [true] }] } }], [[{ a: 1 }, [2, [3]]]]])(
    '[A18] [L23] results of Chapter 13 are kept as they are: %j',
    (results) => {
      const { bundle } = built({ step_id: 13, results })
      expect(bundle.is_chapter_13).toBe(true)
      expect(bundle.context.evaluation_summary).toEqual(results)
    },
  )

  it('[A18] [L23] the flag on another step is an error; so are other steps, lists and what is no JSON', () => {
    const error = (record: unknown) => {
      const result = build(record)
      return result.ok ? null : result.error
    }
    expect(error({ step_id: 3, is_chapter_13: true })).toMatchObject({ where: 'is_chapter_13' })
    expect(error({ step_id: 13, is_chapter_13: false })).toBeNull()
    expect(error({ step_id: 7 })?.what).toBe('there is no step 7')
    expect(error({ step_id: 3, results: [1] })?.what).toBe('results are a list')
    expect(error({ step_id: 3, results: 'text' })?.what).toBe('results are a string')
    expect(error({ step_id: 3, results: { a: Infinity } })?.what).toBe('a value is not JSON')
    expect(error({ step_id: 3, now: 'yesterday' })?.where).toBe('now')
    const deep = JSON.parse('{"a":'.repeat(300) + '1' + '}'.repeat(300)) as unknown
    expect(error({ step_id: 3, results: deep })?.what).toBe('nested deeper than 200')
  })

  it('[A7] a grammar that is missing or broken falls back; Chapter 13 has nothing to fall back to', () => {
    const library = { ...stepLibrary, grammars: new Set(['json_generic.gbnf']) }
    const three = built({ step_id: 3 }, {}, library).bundle
    expect(three.context.grammar_name).toBe('json_generic.gbnf')
    expect(three.diagnostics.map(({ code }) => code)).toContain('grammar_fallback')
    const last = built({ step_id: 13 }, {}, library).bundle
    expect(last.context.grammar_name).toBe('chapter_13.gbnf')
    expect(last.diagnostics.map(({ code }) => code)).toContain('grammar_missing')
  })
})

describe('[A8] entry points', () => {
  it('[A8] agree with each other, and a prompt follows from its bundle alone', () => {
    const input = {
      stepId: 3,
      runId: 'r',
      results: { completion_rate: 1 },
      manifestPath: null,
      statePaths: [],
      isChapter13: false,
      budgets: null,
      estimator: 'larger' as const,
      options: recommendedBundle,
      now: 0,
      until: null,
    }
    const ports = { library: stepLibrary, files: noFiles, tokenizers: {} }
    const { prompt, grammarName, bundle } = must(buildLlmContext(input, ports))
    expect(must(buildStepAwarenessBundle(input, ports))).toEqual(bundle)
    expect(must(renderPromptFromBundle(bundle))).toBe(prompt)
    const stored = StepAwarenessBundle.parse(JSON.parse(JSON.stringify(bundle)))
    expect(must(renderPromptFromBundle(stored))).toBe(prompt)
    expect(grammarName).toBe('agent_decision.gbnf')
    const real = { ...bundle, estimator: 'o200k_base' as const }
    expect(renderPromptFromBundle(real)).toMatchObject({ ok: false })
  })

  it('[A5] run id and time are not in the prompt', () => {
    const { prompt } = built({ step_id: 3, run_id: 'run-4711', now: '2026-02-02T10:00:00Z' })
    expect(prompt).not.toMatch(/run-4711|2026/u)
  })
})

const noFiles = {
  read: () => ({ kind: 'missing' as const }),
  digest: () => ({ kind: 'missing' as const }),
  list: () => [],
  newestLines: () => ({ kind: 'missing' as const }),
}
