import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { casesOf } from '../../fixtures/cases.ts'
import { compileFixture, loadPreset, must } from '../../fixtures/load.ts'
import { replay } from '../../fixtures/replays.ts'
import { createPipeline, initialBeliefState, stepTurn, type Pipeline } from './pipeline.ts'
import { replayTurns } from './replay.ts'
import { ReplayColumns } from './schema/replay.ts'
import { TurnTrace, type BeliefState } from './schema/trace.ts'
import { traceTurn } from './trace.ts'

const domains = [
  { name: 'investigation', signals: ['inv1', { id: 'i2', pattern: 'inv2', note: 'second' }, 'i+'] },
  {
    name: 'coding',
    signals: ['cod1', 'cod2'],
    enrichment_template: 'Code.',
    brief_description: 'B.',
  },
  { name: 'planning', signals: ['pla1', 'pla2'] },
  { name: 'data_ops', signals: ['dat1'] },
  { name: 'other_ops', signals: ['oth1'] },
  { name: 'file_ops', signals: ['ls1'] },
  { name: 'system_admin', signals: ['sys1', 'sys2'] },
  { name: 'conversation', signals: ['hello'] },
]
const set = compileFixture(domains)
const PRESETS = ['literal', 'recommended', 'field'] as const
const pipelines = new Map(
  PRESETS.map((name) => [name, must(createPipeline(set, loadPreset(name), null))]),
)

const config = { preset: 'recommended', domains: 'x', profile: null, classify: null }
const word = fc.constantFrom(
  'inv1',
  'inv2',
  'cod1',
  'cod2',
  'pla1',
  'pla2',
  'dat1',
  'oth1',
  'ls1',
  'sys1',
  'sys2',
  'hello',
  'é',
  'overall',
)
const message = fc.array(word, { maxLength: 6 }).map((words) => words.join(' '))
const session = fc.array(message, { minLength: 1, maxLength: 25 })
const anyPreset = fc.constantFrom(...PRESETS)

function turnsOf(texts: readonly string[]) {
  return texts.map((text, seq) => ({ seq, kind: 'user' as const, text }))
}

function get(name: (typeof PRESETS)[number]): Pipeline {
  return pipelines.get(name)!
}

describe('properties', () => {
  it('[M1] momentum is never negative, and at least 1 after any turn unless it decayed', () =>
    fc.assert(
      fc.property(anyPreset, session, (name, texts) => {
        for (const { outcome } of replayTurns(get(name), turnsOf(texts))) {
          expect(outcome.state.momentum).toBeGreaterThanOrEqual(outcome.decayed ? 0 : 1)
        }
      }),
    ))

  it('[M5] the signature names the primary and secondary, all of them known', () => {
    const known = new Set(set.domains.map((domain) => domain.name))
    fc.assert(
      fc.property(anyPreset, session, (name, texts) => {
        for (const { outcome } of replayTurns(get(name), turnsOf(texts))) {
          const parts = [outcome.primary, outcome.secondary].flatMap((part) => part?.domain ?? [])
          expect(parts.sort().join('+')).toBe(outcome.signature)
          for (const domain of parts) expect(known).toContain(domain)
        }
      }),
    )
  })

  it('[B1] only substantive compounds resist', () => {
    const operational = new Set(['file_ops', 'git_ops', 'config_edit', 'conversation'])
    fc.assert(
      fc.property(session, (texts) => {
        for (const { state, outcome } of replayTurns(get('recommended'), turnsOf(texts)))
          if (outcome.event === 'resist')
            expect(state.signature.split('+').some((domain) => !operational.has(domain))).toBe(true)
      }),
    )
  })

  it('stepping and tracing agree, and tracing twice gives the same', () =>
    fc.assert(
      fc.property(anyPreset, session, (name, texts) => {
        const pipeline = get(name)
        for (const { turn, seq, state, outcome } of replayTurns(pipeline, turnsOf(texts))) {
          const input = { turn, seq, kind: 'user', text: texts[turn]!, state } as const
          const trace = traceTurn(pipeline, input)
          expect(traceTurn(pipeline, input)).toEqual(trace)
          expect([trace.primary, trace.secondary, trace.signature, trace.plan]).toEqual([
            outcome.primary,
            outcome.secondary,
            outcome.signature,
            outcome.plan,
          ])
          expect(trace.momentum).toMatchObject({
            event: outcome.event,
            rule: outcome.rule,
            after: outcome.state,
          })
          expect(trace.enrichment).toBe(outcome.enrichment)
          const fired = trace.domains
            .flatMap((domain) => domain.signals)
            .flatMap((signal, index) => (signal.fired ? [index] : []))
          expect(fired).toEqual(outcome.fired.filter((number) => number < set.signals.length))
        }
      }),
      casesOf('pipeline: step and trace'),
    ))

  it('[C2] the order of the configuration matters to ties of equal priority only', () => {
    const reversed = must(
      createPipeline(compileFixture(domains.toReversed()), loadPreset('recommended'), null),
    )
    fc.assert(
      fc.property(message, (text) => {
        const scores = stepTurn(get('recommended'), initialBeliefState, text).scored.scores
        const other = stepTurn(reversed, initialBeliefState, text).scored.scores
        const keys = scores.map(({ score, priority }) => [score, priority])
        expect(other.map(({ score, priority }) => [score, priority])).toEqual(keys)
        const distinct = new Set(keys.map(String)).size === keys.length
        if (distinct)
          expect(other.map(({ domain }) => domain)).toEqual(scores.map(({ domain }) => domain))
      }),
    )
  })
})

describe('traces', () => {
  const strong: BeliefState = {
    signature: 'coding+investigation',
    momentum: 5,
    primary: 'investigation',
    resistedRun: 0,
    unsupportedRun: 0,
  }

  function trace(text: string, state: BeliefState = initialBeliefState) {
    return traceTurn(get('recommended'), { turn: 3, seq: 7, kind: 'user', text, state })
  }

  it('fits its schema', () =>
    expect(TurnTrace.safeParse(trace('inv1 cod1 ls1', strong)).error).toBeUndefined())

  it('has every signal, with spans, id and note', () => {
    const [investigation] = trace('x inv2 inv2').domains
    expect(investigation).toMatchObject({ matched: 2, score: 2, rank: 1, excluded: null })
    expect(investigation?.signals[1]).toEqual({
      index: 1,
      id: 'i2',
      pattern: 'inv2',
      dialect: 'python',
      note: 'second',
      fired: true,
      spans: [
        [2, 6],
        [7, 11],
      ],
      count: 2,
      cutOff: false,
      weight: 1,
      excludes: false,
    })
    expect(investigation?.signals[0]).toMatchObject({ fired: false, spans: [], count: 0 })
  })

  it('[C2] tells margin and tie-break', () => {
    expect(trace('cod1 pla1').scored).toMatchObject({
      margin: 0,
      tieBreak: { between: ['coding', 'planning'], winner: 'coding', by: 'priority' },
    })
    expect(trace('dat1 oth1').scored.tieBreak?.by).toBe('order')
    expect(trace('cod1').scored).toMatchObject({ margin: null, tieBreak: null })
    expect(trace('cod1 cod2 pla1').scored).toMatchObject({ margin: 1, tieBreak: null })
  })

  it('[B5] says why a domain with matches took no part', () => {
    const conversation = trace('hello cod1').domains.find(({ domain }) => domain === 'conversation')
    expect(conversation).toMatchObject({ matched: 1, rank: null, excluded: 'default_yields' })
  })

  it('[E4] [B12] writes the document’s log lines', () => {
    expect(trace('inv1 inv2 cod1', { ...strong, momentum: 3 }).log).toEqual([
      '[BST] investigation (3 signals) + coding (1 signal) | sig=coding+investigation | momentum=4 | enrichment: primary=ON secondary=ON',
    ])
    expect(trace('ls1', strong).log[1]).toBe(
      '[BST] Momentum held: coding+investigation (5 turns) resisted file_ops (1 signal)',
    )
    expect(trace('pla1 pla2', { ...strong, momentum: 5 }).log[1]).toBe(
      '[BST] Momentum break: coding+investigation (5 turns) → planning (2 signals, not in compound)',
    )
  })

  it('gives the reason of momentum in a sentence', () => {
    expect(trace('ls1', strong).momentum.reason).toBe(
      'coding+investigation held for 5 turns; file_ops (1 signal) is outside and may never break strong momentum.',
    )
    expect(trace('inv1').momentum.reason).toBe('First turn: investigation is accepted.')
  })

  it('[E5] writes _bst_compound as to_dict does', () =>
    expect(trace('cod1 inv2').written).toMatchObject({
      _bst_domain: 'investigation',
      _bst_compound: {
        primary: { domain: 'investigation', confidence: 2, matched_signals: ['inv2', 'i+'] },
        secondary: { domain: 'coding', confidence: 1, matched_signals: ['cod1'] },
        compound_signature: 'coding+investigation',
        momentum_turns: 1,
      },
    }))

  it('[L6] names the factors and shows fractions', () => {
    const input = {
      turn: 0,
      seq: 0,
      kind: 'user',
      text: 'overall cod1',
      state: initialBeliefState,
    } as const
    const field = traceTurn(get('field'), input)
    const coding = field.domains.find(({ domain }) => domain === 'coding')
    expect(coding).toMatchObject({ score: 0.5, matched: 1, factors: [{ factor: 0.5 }] })
    expect(field.warnings).toContain('coding counts 0.5 signals of 1 (L6)')
  })

  it('[B16] shows what the watchdog cut off', () => {
    let calls = 0
    const guard = (run: () => void): boolean => {
      calls += 1
      if (calls > 1) run()
      return calls > 1
    }
    const input = {
      turn: 0,
      seq: 0,
      kind: 'user',
      text: 'inv1 inv2',
      state: initialBeliefState,
    } as const
    const cut = traceTurn(get('recommended'), input, guard)
    expect(cut.domains[0]?.signals[0]).toMatchObject({ fired: false, cutOff: true })
    expect(cut.domains[0]).toMatchObject({ matched: 2 })
    expect(cut.warnings[0]).toContain('pattern inv1 of investigation was cut off on 9 characters')
  })
})

describe('replays', () => {
  it('builds columns that fit their schema', () => {
    const { columns, states } = replay(
      get('recommended'),
      turnsOf(['inv1 cod1', 'ls1', 'hmm']),
      config,
    )
    expect(ReplayColumns.safeParse(columns).error).toBeUndefined()
    expect(columns).toMatchObject({
      turns: 3,
      seq: [0, 1, 2],
      primary: [0, 5, 7],
      secondary: [1, -1, -1],
      primaryScore: [2, 1, 0],
      momentum: [1, 1, 1],
      event: [1, 1, 1],
      enriched: [3, 1, 1],
      scoreStart: [0, 4, 6, 6],
      scorePairs: [0, 2, 1, 1, 5, 1],
    })
    expect(states).toHaveLength(3)
    expect(states[0]).toEqual(initialBeliefState)
  })

  it('can be stopped between turns', () => {
    const turns = replayTurns(get('recommended'), turnsOf(['inv1', 'inv1', 'inv1']))
    const seen: number[] = []
    for (const { turn } of turns) {
      seen.push(turn)
      if (turn === 1) break
    }
    expect(seen).toEqual([0, 1])
  })

  it('refuses domains compiled with other word borders than the preset’s', () => {
    const made = createPipeline(compileFixture(domains, true), loadPreset('recommended'), null)
    expect(made.ok).toBe(false)
  })
})
