import { expect, test } from 'vitest'
import type { StepBar } from '../schema/bundle-wire.ts'
import { EVENT_CODES, type ReplayColumns } from '../schema/replay.ts'
import { barsOfMessages, barsOfSteps, drawBudget, type BudgetBar } from './budget.ts'
import { drawSessions } from './sessions.ts'
import { stripOf } from './strip.ts'
import { drawTransitions } from './transitions.ts'

const side = { preset: 'recommended', domains: 'default', profile: null, hash: '0123456789ab' }
const about = { title: 'A session', theme: 'light', side, against: null } as const
const facts = { ...about, of: 'step', missing: 0, estimator: 'chars4' } as const

function step(label: string, parts: Partial<StepBar>): StepBar {
  const tiers = { tier0: 100, tier1: 50, history: 20, telemetry: 0 }
  return {
    seq: 0,
    stepId: 1,
    label,
    runId: 'r',
    estimator: 'chars4',
    tiers,
    framing: 10,
    context: 1_000,
    reserve: 200,
    headroom: 620,
    fitsAtContext: 180,
    cut: [],
    tier0OverContext: false,
    measures: [],
    recordedSame: null,
    diagnostics: 0,
    problem: null,
    ...parts,
  }
}

test('[U156] a step is drawn by its tiers against the context without the room for its answer', () => {
  const [bar] = barsOfSteps([step('plan', {})])
  expect(bar).toMatchObject({ label: 'plan', room: 800, isCut: false })
  const { svg, told } = drawBudget({ ...facts, bars: barsOfSteps([step('plan', {})]) })
  expect(svg).toContain('tier 0: what the step must have')
  // None of it is drawn, so the key omits it.
  expect(svg).not.toContain('telemetry')
  expect(svg).toContain('tokens by characters ÷ 4')
  expect(told).toBe(
    'Prompts of 1 step. The fullest is step plan with 180 of 800 tokens; 0 steps had something cut for room.',
  )
})

test('[U156] a step that was cut, or whose first tier is over the context, is marked; a faulty one is left out', () => {
  const bars = barsOfSteps([
    step('cut', { cut: ['history'] }),
    step('over', { tier0OverContext: true }),
    step('none', { problem: 'no such step' }),
  ])
  expect(bars.map(({ label, isCut }) => [label, isCut])).toEqual([
    ['cut', true],
    ['over', true],
  ])
  const { svg } = drawBudget({ ...facts, bars, missing: 1 })
  expect(svg).toContain('cut or left out for room')
  expect(svg).toContain('1 prompt could not be made')
})

test('[U156] an answer that takes more than the context leaves no room, not less than none', () => {
  const bars = barsOfSteps([step('greedy', { context: 100, reserve: 900 })])
  expect(bars[0]?.room).toBe(0)
  expect(drawBudget({ ...facts, bars }).svg).not.toMatch(/NaN|Infinity|-\d+(?:\.\d+)?" height/u)
})

test('[U156] messages without a prompt are no bars', () => {
  const zero = [0, 0, 0]
  const bars = barsOfMessages({
    seq: zero,
    type: zero,
    confidence: zero,
    tokens: [-1, 0, 5],
    budget: 4,
  })
  expect(bars.map(({ label, isCut }) => [label, isCut])).toEqual([
    ['2', false],
    ['3', true],
  ])
})

test('[U156] nothing to draw is said, and an unknown estimator is named as it is', () => {
  const { told, svg } = drawBudget({ ...facts, bars: [], of: 'message' })
  expect(told).toBe('There is no message with a budget in this session.')
  expect(svg).toContain('n = 0 messages')
  const bar: BudgetBar = { label: '1', parts: [['prompt', 1]], room: 2, isCut: false }
  expect(drawBudget({ ...facts, bars: [bar], estimator: 'my counter' }).svg).toContain(
    'tokens by my counter',
  )
})

test('[U156] of very many messages a column is the fullest, and says so; a huge room does not flatten them', () => {
  const bars = Array.from({ length: 1_000 }, (_, at): BudgetBar => ({
    label: String(at + 1),
    parts: [['prompt', at % 90]],
    isCut: at % 90 > 80,
    room: at === 500 ? 1_000_000 : 80,
  }))
  const { svg } = drawBudget({ ...facts, of: 'message', bars })
  expect(svg).toContain('a column is the fullest of up to 5')
  expect(svg).toContain('budget, where it is on the scale')
  expect(svg).toContain('room for 80 to 1,000,000 tokens')
  const none = drawBudget({ ...facts, bars: bars.map((bar) => ({ ...bar, room: 1_000_000 })) }).svg
  expect(none).not.toContain('stroke-dasharray="5 3"')
})

function columnsOf(
  primary: readonly number[],
  alone: readonly number[],
  names: number,
): ReplayColumns {
  const zero = primary.map(() => 0)
  const none = primary.map(() => -1)
  const config = { preset: 'recommended', domains: 'default', profile: null, classify: null }
  return {
    config,
    turns: primary.length,
    seq: primary.map((_, turn) => turn),
    domains: Array.from({ length: names }, (_, at) => `domain ${at}`),
    primary,
    scoredPrimary: alone,
    momentum: zero,
    event: zero.map(() => EVENT_CODES.length - 1),
    secondary: none,
    resisted: none,
    primaryScore: zero,
    secondaryScore: zero,
    rule: zero,
    enriched: zero,
    scoreStart: [0, ...zero],
    scorePairs: [],
    threshold: 3,
    cutOffs: [],
    warnings: [],
  }
}

test('[U155] sessions by themselves tell their breaks, not flips of a side that is not there', () => {
  const strip = stripOf('', columnsOf([0, 0, 1, 1], [0, 0, 1, 1], 2), [])
  const { svg, told } = drawSessions({ ...about, strips: [strip], unread: 0, left: 0 })
  expect(svg).toContain('without a title')
  expect(svg).not.toContain('flip')
  expect(svg).toContain('n = 4 turns in 1 session')
  expect(told).toContain('1 session with 4 turns.')
  const empty = drawSessions({ ...about, strips: [], unread: 0, left: 0 })
  expect(empty.svg).toContain('n = 0 turns in 0 sessions')
  expect(empty.svg).not.toMatch(/NaN|Infinity|undefined/u)
})

test('[U155] of sessions beside another side one without a flip says that', () => {
  const strip = stripOf('calm', columnsOf([0, 1], [0, 1], 2), [])
  const { svg } = drawSessions({ ...about, against: side, strips: [strip], unread: 0, left: 0 })
  expect(svg).toContain('n = 2 · 0 flips')
  expect(svg).toContain('0 flips (0 %)')
})

test('[U153] a cell says how many turns more or fewer the other side has, also where it has none', () => {
  const columns = columnsOf([0, 0, 0, 1], [0, 0, 1, 1], 2)
  const other = columnsOf([0, 1, 1, 1], [0, 0, 1, 1], 2)
  const { svg } = drawTransitions({ ...about, against: side, columns, range: null, other })
  for (const change of ['>+1<', '>−1<']) expect(svg).toContain(change)
  const same = drawTransitions({ ...about, against: side, columns, range: null, other: columns })
  expect(same.svg).not.toMatch(/>[+−]\d/u)
})

test('[U153] nothing that momentum changed is said, and many domains are put together', () => {
  const calm = columnsOf([0, 1], [0, 1], 2)
  expect(drawTransitions({ ...about, columns: calm, range: null, other: null }).told).toContain(
    '2 turns',
  )
  const all = Array.from({ length: 40 }, (_, at) => at)
  const many = drawTransitions({
    ...about,
    columns: columnsOf(all, all, 40),
    range: null,
    other: null,
  })
  expect(many.svg).toContain('28 others')
})
