import { describe, expect, it } from 'vitest'
import { built, stepLibrary } from '../../../fixtures/bundle.ts'
import { foldIncidents } from './retrieve.ts'
import { recommendedBundle } from './options.ts'
import { stepNames } from './step-of-line.ts'
import { foldTrend } from './trend.ts'

const jsonl = (lines: readonly unknown[]) =>
  lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n')
/** As a file is read: the last line first. */
const newest = (lines: readonly unknown[]) => jsonl(lines).split('\n').toReversed()

const trendOf = (lines: readonly unknown[], more: Partial<Parameters<typeof foldTrend>[1]> = {}) =>
  foldTrend(newest(lines), {
    step: 3,
    metrics: ['mean_score', 'score_std'],
    window: 4,
    flatWithin: 0.01,
    until: null,
    names,
    ...more,
  })
const names = stepNames(
  [
    { ...stepLibrary.steps.get(1)!, step_id: 1 },
    { ...stepLibrary.steps.get(3)!, step_id: 3 },
  ],
  { name: 'Full Scoring Watcher', step: 3 },
)
const run = (mean_score: unknown, more: object = {}) => ({
  step: 3,
  metrics: { mean_score },
  ...more,
})

describe('[A13] trends', () => {
  it('[A13] take the newest runs of the step, values in order of the runs', () => {
    const lines = [1, 2, 3, 4, 5, 6].map((value) => run(value))
    const found = trendOf([...lines, { step: 4, metrics: { mean_score: 99 } }])
    expect(found.trends).toEqual([
      {
        metric_name: 'mean_score',
        direction: 'rising',
        recent_values: [3, 4, 5, 6],
        window_size: 4,
      },
    ])
    expect(found).toMatchObject({ runs: 4, read: 5, malformed: 0 })
  })

  it.each([
    [[5, 4, 4.5, 3], 'falling'],
    [[100, 101, 99, 100.5], 'flat'],
    [[0, 0, 0], 'flat'],
    [[-3, -2, -1], 'rising'],
  ])('[A13] %j is %s', (values, direction) =>
    expect(trendOf(values.map((value) => run(value))).trends[0]).toMatchObject({ direction }),
  )

  it('[A13] the whole window decides: ten small falls in a row are a fall', () => {
    const direction = (values: readonly number[], window = 10) =>
      trendOf(
        values.map((value) => run(value)),
        { window },
      ).trends[0]?.direction
    // 0.5 % a run, 4.4 % in all: each step alone is within one percent.
    expect(direction([100, 99.5, 99, 98.5, 98, 97.5, 97, 96.5, 96, 95.5])).toBe('falling')
    // 0.02 % a run: less than one percent in all, but ten times the same way.
    expect(direction([100, 99.98, 99.96, 99.94, 99.92, 99.9, 99.88, 99.86, 99.84, 99.82])).toBe(
      'falling',
    )
    // Up and down again: the last value alone says nothing.
    expect(direction([100, 104, 96, 96, 104, 100.2])).toBe('flat')
    expect(direction([1, 1, 1, 1, 1, 1])).toBe('flat')
  })

  it.each([
    [{ step: '3' }],
    [{ step: 'step 3' }],
    [{ step_id: '3' }],
    [{ step: 'full_scoring' }],
    [{ step: 'Full Scoring' }],
    [{ agent: 'full-scoring-agent' }],
    [{ agent_name: 'Full Scoring Watcher' }],
  ])('[A13] a step by number as text or by name: %j', (own) => {
    const lines = [1, 2].map((mean_score) => ({ ...own, metrics: { mean_score } }))
    expect(trendOf(lines)).toMatchObject({
      trends: [{ recent_values: [1, 2] }],
      runs: 2,
      malformed: 0,
    })
    const other = { step: 'window_optimizer', metrics: { mean_score: 9 } }
    const unknown = { agent: 'somebody else', metrics: { mean_score: 9 } }
    expect(trendOf([...lines, other, unknown])).toMatchObject({ runs: 2, malformed: 0 })
  })

  it('[A13] a single value is no trend; what is no number is no value; other places are read', () => {
    expect(trendOf([run(1), run('2'), run(null), run(true)]).trends).toEqual([])
    const lines = [
      { step_id: 3, results: { mean_score: 1 } },
      { step: 3, mean_score: 2 },
    ]
    expect(trendOf(lines).trends[0]?.recent_values).toEqual([1, 2])
  })

  it('[A3] torn and malformed lines are counted, not fatal; later runs are not known yet', () => {
    const lines = [
      run(1),
      '',
      '{"step": 3, "metr',
      '[]',
      'null',
      { no: 'step' },
      run(2, { timestamp: '2026-01-01T00:00:00Z' }),
      run(9, { timestamp: '2026-03-01T00:00:00Z' }),
      '{"step": 3, "metrics": {"mean_score"',
    ]
    const found = trendOf(lines, { until: '2026-02-01T00:00:00Z' })
    expect(found.trends[0]?.recent_values).toEqual([1, 2])
    expect(found).toMatchObject({ read: 8, malformed: 5 })
    expect(foldTrend([null], { ...BASE, until: null })).toMatchObject({ read: 1, malformed: 1 })
  })
})
const BASE = { step: 3, names, metrics: [], window: 4, flatWithin: 0, until: null }

const incidentsOf = (lines: readonly unknown[], more: object = {}) =>
  foldIncidents(newest(lines), { step: 3, names, most: 10, until: null, ...more })

describe('[A14] incidents', () => {
  it('[A14] are open until their last line resolves them, and may open again', () => {
    const { open } = incidentsOf([
      { id: 'a', message: 'one' },
      { id: 'b', message: 'two' },
      { id: 'a', resolved: true },
      { id: 'b', status: 'Closed' },
      { id: 'b', message: 'two again', severity: 'error' },
      { message: 'no id', step: 3 },
      { message: 'no id', step: 3, resolved: true },
      { incident_id: 'c', error: 'x '.repeat(400), step: 3 },
    ])
    expect(open.map((text) => text.slice(0, 30))).toEqual([
      'x '.repeat(15),
      'no id (step 3)',
      '[error] two again (b)',
    ])
    expect(open[0]).toMatch(/x … \(c, step 3\)$/u)
  })

  it('[A14] without a message the kind and the details of the failure are it', () => {
    const lines = [
      { step: 3, failure_type: 'timeout', details: 'no answer in 30 s' },
      { step: 'full_scoring', details: { code: 7 } },
      { step: '3', failure_type: 'crash' },
      { step: 3, message: 'said', details: 'not this' },
      { step: 'window_optimizer', message: 'of another step' },
      { step: 3 },
    ]
    expect(incidentsOf(lines)).toMatchObject({
      malformed: 0,
      open: [
        'no message (step 3)',
        'said (step 3)',
        'crash (step 3)',
        '{"code":7} (step full_scoring)',
        'timeout: no answer in 30 s (step 3)',
      ],
    })
  })

  it('[A14] those of other steps are left out, except for Chapter 13', () => {
    const lines = [{ message: 'a', step: 5 }, { message: 'b' }, { message: 'c', step_id: 3 }]
    expect(incidentsOf(lines).open).toEqual(['c (step 3)', 'b'])
    expect(incidentsOf(lines, { step: 13 }).open).toHaveLength(3)
    expect(incidentsOf(lines, { step: 13, most: 1 }).open).toEqual(['c (step 3)'])
  })

  it('[A3] what was resolved later was open then', () => {
    const at = (day: number) => `2026-02-0${day}T00:00:00Z`
    const lines = [
      { id: 'a', message: 'one', timestamp: at(1) },
      { id: 'a', resolved: true, timestamp: at(3) },
      { id: 'b', message: 'two', timestamp: at(1), resolved_at: at(4) },
      '{"id": "c", "mess',
    ]
    expect(incidentsOf(lines)).toMatchObject({ open: [], malformed: 1 })
    expect(incidentsOf(lines, { until: at(2) }).open).toHaveLength(2)
  })
})

describe('[A12] outcomes, [A3] in a bundle', () => {
  const outcome = (run_id: string, timestamp: string | null, step = 3) => ({
    step,
    run_id,
    result: 'ok',
    timestamp,
    key_metric: 'mean_score',
    metric_delta: 0.5,
  })
  const files = {
    'chapter13/summaries/a.json': JSON.stringify(outcome('old', '2026-01-01T00:00:00Z')),
    'chapter13/summaries/b.json': JSON.stringify([
      outcome('undated', null),
      outcome('new', '2026-02-01T00:00:00Z'),
      { step: 'x' },
      outcome('five', '2026-02-01T00:00:00Z', 5),
    ]),
    'chapter13/summaries/c.json': '{"outcomes": [',
    'chapter13/summaries/notes.txt': 'not a summary',
    'run_history.jsonl': jsonl([run(1), run(2), '{"torn']),
    'watcher_failures.jsonl': jsonl([{ step: 3, message: 'disk full' }]),
  }

  it('[A12] newest first, by the times in the records; broken files and records are counted', () => {
    const { bundle, prompt } = built({ step_id: 3, files })
    expect(bundle.context.recent_outcomes.map(({ run_id }) => run_id)).toEqual([
      'new',
      'old',
      'undated',
    ])
    expect(prompt).toContain('run new: ok; mean_score +0.5 (2026-02-01T00:00:00Z)')
    const all = built({ step_id: 13, files }).bundle.context.recent_outcomes
    expect(all.map(({ run_id }) => run_id)).toEqual(['new', 'five', 'old', 'undated'])
    const malformed = bundle.diagnostics.filter(({ code }) => code === 'lines_malformed')
    expect(malformed.map(({ message }) => message)).toEqual([
      'chapter13/summaries/c.json: 1 record could not be used',
      'chapter13/summaries/b.json: 1 record could not be used',
      'run_history.jsonl: 1 of 3 lines that were read could not be used',
    ])
  })

  it('[A12] [A13] [A14] windows and caps are options', () => {
    const options = {
      ...recommendedBundle,
      outcomes: 1,
      incidents: 0,
      summaryFiles: 1,
      trendWindow: 2,
    }
    const { context } = built({ step_id: 3, files }, { options }).bundle
    expect(context.recent_outcomes).toEqual([])
    expect(context.open_incidents).toEqual([])
    expect(context.trend_summary[0]).toMatchObject({ window_size: 2, recent_values: [1, 2] })
  })

  it('[A3] files that were read are in the provenance; those that are not there are nothing', () => {
    const { bundle } = built({ step_id: 3, files })
    expect(bundle.provenance.map(({ path }) => path)).toEqual([
      'chapter13/summaries/b.json',
      'chapter13/summaries/a.json',
      'run_history.jsonl',
      'watcher_failures.jsonl',
    ])
    expect(built({ step_id: 3 }).bundle.provenance).toEqual([])
  })

  it('[A15] only the last bytes of a long history are read and hashed, and the bundle says so', () => {
    const options = { ...recommendedBundle, scanBytes: 60 }
    const { bundle } = built({ step_id: 3, files }, { options })
    const record = bundle.provenance.find(({ path }) => path === 'run_history.jsonl')!
    expect(record.sha256).toMatch(/^LAST_60_BYTES:[0-9a-f]{64}$/u)
    expect(record.size_bytes).toBe(files['run_history.jsonl'].length)
    expect(bundle.diagnostics).toContainEqual({
      code: 'source_partial',
      path: 'run_history.jsonl',
      names: [],
      message: 'run_history.jsonl: only the newest part was read',
    })
    expect(bundle.context.trend_summary).toEqual([])
  })
})
