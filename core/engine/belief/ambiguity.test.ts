import { describe, expect, it, test } from 'vitest'
import { compileFixture, loadPreset, must } from '../../../fixtures/load.ts'
import { replay } from '../../../fixtures/replays.ts'
import { wordsOfAmbiguous } from '../find/filter-values.ts'
import { createPipeline, initialBeliefState, type Pipeline, stepTurn } from '../pipeline.ts'
import { Preset } from '../schema/preset.ts'
import { traceTurn } from '../trace.ts'
import { ambiguityOf, isWithin, leadOf } from './ambiguity.ts'

const WORDS = {
  investigation: ['inv1', 'inv2'],
  coding: ['cod1', 'cod2', 'cod3'],
  git_ops: ['git1'],
}
const set = compileFixture(
  Object.entries(WORDS).map(([name, signals]) => ({
    name,
    signals,
    brief_description: `Mind ${name}.`,
    enrichment_template: `Do ${name}.`,
  })),
)

function under(abstainMargin: number | null): Pipeline {
  const preset = loadPreset('recommended')
  const belief = { ...preset.belief, abstainMargin }
  return must(createPipeline(set, { ...preset, belief }, null))
}

function play(pipeline: Pipeline, texts: readonly string[]) {
  let state = initialBeliefState
  return texts.map((text) => {
    const outcome = stepTurn(pipeline, state, text)
    state = outcome.state
    return outcome
  })
}

const TEXTS = [
  'inv1 cod1',
  'cod1 cod2 inv1',
  'cod1 cod2 cod3 inv1',
  'nothing',
  'cod1',
  'git1 cod1',
  'cod1 cod2',
  'inv1 inv2 git1',
  'git1',
  'inv1 cod1 git1',
]
const part = (domain: string, score: number) => ({ domain, score })

describe('a margin', () => {
  it('[B20] marks leads below it and ties, never a turn on which nothing competes', () => {
    expect(isWithin(0, 0)).toBe(true)
    expect(isWithin(1, 1)).toBe(false)
    expect(isWithin(0.5, 1)).toBe(true)
    expect(isWithin(null, 9)).toBe(false)
    expect(leadOf({ ranked: [part('a', 3), part('b', 1)] })).toBe(2)
    expect(leadOf({ ranked: [part('a', 3)] })).toBeNull()
    const marked = (margin: number | null) =>
      play(under(margin), TEXTS)
        .map(({ ambiguous }) => (ambiguous === null ? '.' : 'A'))
        .join('')
    expect(marked(0)).toBe('A....A...A')
    expect(marked(2)).toBe('AA...A.A.A')
    expect(marked(null)).toBe('..........')
  })

  it('[B20] is off in the presets that ship, and where a preset does not name it', () => {
    for (const name of ['literal', 'recommended', 'field'] as const) {
      const preset = loadPreset(name)
      expect(preset.belief.abstainMargin).toBeNull()
      const belief: Record<string, unknown> = { ...preset.belief }
      Reflect.deleteProperty(belief, 'abstainMargin')
      expect(Preset.safeParse({ ...preset, belief }).success).toBe(true)
    }
    expect(ambiguityOf({ ranked: [part('a', 1), part('b', 1)] }, {})).toBeNull()
  })

  it('[B21] names all that compete, best first, and the lead', () => {
    const ranked = [part('a', 3), part('b', 2), part('c', 2), part('d', 1)]
    expect(ambiguityOf({ ranked }, { abstainMargin: 2 })).toEqual({
      between: ['a', 'b', 'c'],
      lead: 1,
      margin: 2,
    })
  })

  it('[B22] changes no decision: state, pair, plan and rule are those without it', () => {
    const decided = (margin: number | null) =>
      play(under(margin), TEXTS).map(({ ambiguous: _, enrichment: __, ...rest }) => rest)
    expect(decided(3)).toEqual(decided(null))
  })

  it('[B22] is said in the injected text and in the log, in place of one clean answer', () => {
    const [turn] = play(under(1), ['inv1 cod1'])
    expect(turn?.enrichment.split('\n')[0]).toBe(
      `[BST] Domain ambiguous: ${turn?.ambiguous?.between.join(' or ') ?? ''}`,
    )
    expect(turn?.enrichment).toContain(`Do ${turn?.primary.domain ?? ''}.`)
    const input = { turn: 0, seq: 0, kind: 'user', text: 'inv1 cod1', state: initialBeliefState }
    const trace = traceTurn(under(1), { ...input, kind: 'user' })
    expect(trace.scored.ambiguous).toEqual(turn?.ambiguous)
    expect(trace.log.filter((line) => line.includes('ambiguous'))).toEqual([
      expect.stringMatching(/^\[BST\] Text is ambiguous: .* \(lead 0, margin 1\)$/u),
    ])
    expect(traceTurn(under(null), { ...input, kind: 'user' }).log.join()).not.toContain('ambiguous')
  })

  it('[B22] leaves the injected text alone where momentum keeps a domain that does not compete', () => {
    const texts = ['cod1 cod2', 'cod1 cod2', 'cod1 cod2', 'cod1 cod2']
    const strict = { ...loadPreset('recommended').belief, abstainMargin: 1 }
    const belief = { ...strict, breakMinSignals: { git_ops: null, investigation: null } }
    const pipeline = must(createPipeline(set, { ...loadPreset('recommended'), belief }, null))
    const turn = play(pipeline, [...texts, 'inv1 git1']).at(-1)
    expect(turn).toMatchObject({ event: 'resist', primary: { domain: 'coding' } })
    expect(turn?.ambiguous).not.toBeNull()
    expect(turn?.enrichment.split('\n')[0]).toBe('[BST] Domain: coding')
  })
})

const CONFIG = { preset: 'test', domains: 'test', profile: null, classify: null }
const TURNS = TEXTS.map((text, seq) => ({ seq, kind: 'user' as const, text }))

function columnsUnder(margin: number | null) {
  return replay(under(margin), TURNS, CONFIG).columns
}

test('[B23] a replay keeps the marked turns, and find knows them by domain; no margin is no filter', () => {
  const with2 = columnsUnder(2)
  expect(with2.ambiguous?.map(({ turn }) => turn)).toEqual([0, 1, 5, 7, 9])
  expect(wordsOfAmbiguous(with2)?.bySeq.get(with2.seq[1] ?? -1)).toEqual([
    'any',
    'coding',
    'investigation',
  ])
  const without = columnsUnder(null)
  expect(without.ambiguous).toBeUndefined()
  expect(wordsOfAmbiguous(without)).toBeNull()
})
