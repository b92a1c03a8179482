import { describe, expect, it } from 'vitest'
import { compileFixture, loadPreset, must } from '../../../fixtures/load.ts'
import { promptPreset } from '../../../fixtures/prompt-vectors.ts'
import { createPipeline, initialBeliefState, stepTurn, type TurnOutcome } from '../pipeline.ts'
import { type BeliefOptions, Preset } from '../schema/preset.ts'
import type { ModelProfile } from '../schema/profile.ts'
import { BELIEF_OPTIONS, isReadAt, optionsKey, recommendedOptions } from './options.ts'

/** Signals are words, so that a test text reads as its scores: "inv1 inv2 cod1". */
const WORDS = {
  investigation: ['inv1', 'inv2', 'inv3'],
  bugfix: ['fix1', 'fix2', 'fix3'],
  coding: ['cod1', 'cod2', 'cod3'],
  planning: ['pla1', 'pla2'],
  system_admin: ['sys1', 'sys2'],
  config_edit: ['conf1'],
  git_ops: ['git1'],
  file_ops: ['ls1', 'ls2'],
  conversation: ['hello', 'thanks'],
}
const domains = Object.entries(WORDS).map(([name, signals]) => ({
  name,
  signals,
  enrichment_template: `Do ${name}.`,
  brief_description: `Mind ${name}.`,
}))
const set = compileFixture(domains)
const { selfSignal, query, prompt } = promptPreset('recommended')
const parts = { selfSignal, query, prompt }

interface Under {
  readonly options?: Partial<BeliefOptions>
  readonly profile?: ModelProfile | null
  readonly among?: typeof set
}

function presetWith(options: Partial<BeliefOptions>): Preset {
  const belief = { ...recommendedOptions, ...options }
  return { name: 'test', title: '', help: '', belief, ...parts }
}

function play(texts: readonly string[], { options = {}, profile = null, among = set }: Under = {}) {
  const pipeline = must(createPipeline(among, presetWith(options), profile))
  let state = initialBeliefState
  return texts.map((text): TurnOutcome => {
    const outcome = stepTurn(pipeline, state, text)
    state = outcome.state
    return outcome
  })
}

function last(texts: readonly string[], under: Under = {}): TurnOutcome {
  return play(texts, under).at(-1)!
}

const INV_COD = 'inv1 inv2 cod1'
const STRONG = [INV_COD, INV_COD, INV_COD]
const ONLY_INV = ['inv1', 'inv1', 'inv1']

describe('presets are files of options', () => {
  it.each(['literal', 'recommended', 'field'] as const)('%s parses and spells out all', (name) =>
    expect(Object.keys(loadPreset(name).belief).sort()).toEqual(Object.keys(BELIEF_OPTIONS).sort()),
  )

  it('recommended is what the program takes for it', () =>
    expect(loadPreset('recommended').belief).toEqual(recommendedOptions))

  it('literal is the document’s code, bugs included', () =>
    expect(loadPreset('literal').belief).toEqual({
      ...recommendedOptions,
      breakMinSignals: null,
      heldConfidenceFromScores: false,
      widenMinSignals: null,
      defaultDomainYields: false,
      keepPrimaryWhenResisting: false,
      primaryDisabledStopsSecondary: false,
      belowThresholdStopsSecondary: false,
      injectSkipNotices: true,
      tolerant: false,
      maxChars: null,
      stripCodes: false,
      stripQuoted: { quotation: false, fence: false, log: false, notice: false },
      classify: { user: true, agent: false, tool: true, notices: true },
    }))

  it('every option has its line of help', () =>
    expect(Object.values(BELIEF_OPTIONS).filter(({ help }) => help === '')).toEqual([]))

  it('field only adds lessons to recommended', () => {
    const { belief } = loadPreset('field')
    const changed = Object.keys(BELIEF_OPTIONS).filter(
      (name) =>
        JSON.stringify(belief[name as keyof BeliefOptions]) !==
        JSON.stringify(recommendedOptions[name as keyof BeliefOptions]),
    )
    expect(changed.sort()).toEqual([
      'antiSignals',
      'challengerWinsTies',
      'classify',
      'decayAfterTurns',
      'maxChars',
      'maxResistedTurns',
      'minSignals',
      'stripQuoted',
      'stripThinking',
    ])
    must(createPipeline(set, loadPreset('field'), null))
  })

  it('says at which stage an option is read first, and keys answers by stage', () => {
    expect(isReadAt('text', 'maxChars')).toBe(true)
    expect(isReadAt('decide', 'maxChars')).toBe(false)
    const key = optionsKey(recommendedOptions, 'text')
    const later: BeliefOptions = { ...recommendedOptions, momentumThreshold: 9 }
    expect(optionsKey(later, 'text')).toBe(key)
    expect(optionsKey({ ...recommendedOptions, stripThinking: true }, 'text')).not.toBe(key)
  })

  it('a preset with a missing or unknown option is refused by name', () => {
    const rest: Partial<BeliefOptions> = {
      ...recommendedOptions,
      momentumThreshold: undefined as never,
    }
    const bad = Preset.safeParse({
      name: 'x',
      title: '',
      help: '',
      ...parts,
      belief: { ...rest, turbo: true },
    })
    const where = bad.error?.issues.map(({ path }) => path.join('.')) ?? []
    expect(where).toEqual(['belief.momentumThreshold', 'belief'])
  })
})

describe('decisions', () => {
  it.each([
    ['file_ops', 'ls1 ls2', 'resist'],
    ['git_ops', 'git1', 'resist'],
    ['config_edit', 'conf1', 'resist'],
    ['system_admin with 1', 'sys1', 'resist'],
    ['system_admin with 2', 'sys1 sys2', 'break'],
    ['planning', 'pla1', 'break'],
  ])('[B1] %s against a substantive compound', (_, text, event) =>
    expect(last([...STRONG, text]).event).toBe(event),
  )

  it('[B1] a resisted turn keeps the signature, adds 1 and says what it resisted', () =>
    expect(last([...STRONG, 'ls1'])).toMatchObject({
      rule: 'B1',
      signature: 'coding+investigation',
      resisted: { domain: 'file_ops', confidence: 1 },
      state: { momentum: 4, resistedRun: 1 },
    }))

  it('[B1] protects substantive compounds only', () =>
    expect(last(['ls1', 'ls1', 'ls1', 'git1'])).toMatchObject({
      event: 'break',
      signature: 'git_ops',
    }))

  it('[B1] a domain may set its own minimum', () => {
    const own = compileFixture(
      domains.map((domain) =>
        domain.name === 'planning' ? { ...domain, breakMinSignals: 2 } : domain,
      ),
    )
    expect(last([...STRONG, 'pla1'], { among: own }).event).toBe('resist')
    expect(last([...STRONG, 'pla1 pla2'], { among: own }).event).toBe('break')
  })

  it('[B2] a turn without evidence does not break', () => {
    expect(last([...STRONG, 'hmm'])).toMatchObject({ event: 'resist', rule: 'B2' })
    expect(last([...STRONG, 'thanks'])).toMatchObject({ event: 'resist', rule: 'B2' })
    expect(last([...STRONG, 'hmm'], { options: { breakMinSignals: null } }).event).toBe('break')
  })

  it('[B3] a held secondary has this turn’s number', () => {
    const texts = [...STRONG, 'inv1 inv2 inv3 fix1 fix2 cod1']
    expect(last(texts)).toMatchObject({
      event: 'hold',
      secondary: { domain: 'coding', confidence: 1 },
    })
    expect(last(texts, { options: { heldConfidenceFromScores: false } }).secondary).toEqual({
      domain: 'coding',
      confidence: 0,
      signals: [],
    })
  })

  it('[B4] a strong single domain widens for two signals of a substantive one', () => {
    expect(last([...ONLY_INV, 'inv1 inv2 cod1 cod2'])).toMatchObject({
      event: 'widen',
      rule: 'B4',
      signature: 'coding+investigation',
      state: { momentum: 4 },
    })
    expect(last([...ONLY_INV, 'inv1 inv2 cod1']).event).toBe('hold')
    expect(last([...ONLY_INV, 'inv1 inv2 inv3 ls1 ls2']).event).toBe('hold')
    const literal = { options: { widenMinSignals: null } }
    expect(last([...ONLY_INV, 'inv1 inv2 cod1 cod2'], literal).event).toBe('hold')
  })

  it('[B5] the default domain yields to any other match', () => {
    const texts = ['hello thanks inv1']
    expect(last(texts)).toMatchObject({ primary: { domain: 'investigation' }, secondary: null })
    expect(last(texts, { options: { defaultDomainYields: false } }).primary.domain).toBe(
      'conversation',
    )
    expect(last(['hello']).primary.confidence).toBe(1)
  })

  it('[B6] a resisted turn keeps the primary in force, numbers from this turn', () => {
    expect(last([...STRONG, 'ls1 ls2 cod1'])).toMatchObject({
      primary: { domain: 'investigation', confidence: 0 },
      secondary: { domain: 'coding', confidence: 1 },
    })
    const off = last([...STRONG, 'ls1 ls2'], { options: { keepPrimaryWhenResisting: false } })
    expect(off.primary).toEqual({ domain: 'coding', confidence: 0, signals: [] })
  })

  it('[B7] a disabled primary stops the secondary line', () => {
    const profile = { disabled_domains: ['investigation'] }
    expect(last([INV_COD], { profile })).toMatchObject({
      enrichment: '',
      plan: { reason_secondary_skipped: 'primary_disabled' },
    })
    const off = { profile, options: { primaryDisabledStopsSecondary: false } }
    expect(last([INV_COD], off).enrichment).toBe('[BST] Secondary context: coding — Mind coding.')
  })

  it('[B8] a held secondary without evidence gets no line', () => {
    const texts = [...STRONG, 'inv1 inv2']
    expect(last(texts).plan).toMatchObject({
      secondary_enrichment: false,
      reason_secondary_skipped: 'below_threshold',
    })
    const off = { options: { belowThresholdStopsSecondary: false } }
    expect(last(texts, off).plan.secondary_enrichment).toBe(true)
  })

  it('[B9] skip notices are injected by option only', () => {
    const profile = { disabled_domains: ['investigation', 'coding'] }
    expect(last([INV_COD], { profile }).enrichment).toBe('')
    const on = { profile, options: { injectSkipNotices: true } }
    expect(last([INV_COD], on).enrichment).toBe(
      "[BST] Primary domain 'investigation' enrichment skipped: disabled_in_profile\n" +
        "[BST] Secondary domain 'coding' enrichment skipped: disabled_in_profile",
    )
  })

  it('[B10] a missing configuration is empty, or the document’s KeyError', () => {
    const among = compileFixture([{ name: 'coding', signals: ['cod1'] }])
    expect(last(['hmm'], { among })).toMatchObject({ enrichment: '', enrichmentError: null })
    expect(last(['hmm'], { among, options: { tolerant: false } }).enrichmentError).toEqual({
      error: 'KeyError',
      key: 'conversation',
    })
  })

  it('[B10] "disabled_domains": null disables nothing', () =>
    expect(last([INV_COD], { profile: { disabled_domains: null } }).plan.primary_enrichment).toBe(
      true,
    ))

  it('[B11] signatures are alphabetical whichever comes first', () => {
    expect(last(['inv1 inv2 cod1']).signature).toBe('coding+investigation')
    expect(last(['cod1 cod2 inv1']).signature).toBe('coding+investigation')
  })

  it('[B14] the same signature follows the new order, unless stickyPrimary', () => {
    const texts = ['inv1 inv2 cod1', 'cod1 cod2 inv1']
    expect(last(texts)).toMatchObject({ event: 'same', rule: 'M1', primary: { domain: 'coding' } })
    expect(last(texts, { options: { stickyPrimary: true } })).toMatchObject({
      rule: 'B14',
      primary: { domain: 'investigation', confidence: 1 },
      secondary: { domain: 'coding', confidence: 2 },
    })
  })

  it('[B15] starts from no signature: the first turn is accepted', () =>
    expect(last(['inv1'])).toMatchObject({ event: 'accept', rule: 'M2', state: { momentum: 1 } }))

  it('[B16] long texts are cut in the middle', () => {
    const text = `inv1 ${'x '.repeat(200)} cod1 ${'x '.repeat(200)} fix1`
    const cut = last([text], { options: { maxChars: 100 } })
    expect(cut.scored.scores.map((score) => score.domain)).toEqual(['investigation', 'bugfix'])
    expect(last([text]).scored.scores).toHaveLength(3)
  })
})

describe('lessons', () => {
  it('[L2] after maxResistedTurns the challenger is accepted', () => {
    const options = { maxResistedTurns: 2 }
    const events = play([...STRONG, 'ls1', 'ls1', 'ls1'], { options }).map((turn) => turn.event)
    expect(events.slice(3)).toEqual(['resist', 'resist', 'break'])
    expect(last([...STRONG, 'ls1', 'ls1', 'ls1'], { options })).toMatchObject({
      rule: 'L2',
      signature: 'file_ops',
      state: { momentum: 1, resistedRun: 0 },
    })
  })

  it('[L2] silence is no challenger', () => {
    const turns = play([...STRONG, 'ls1', 'hmm', 'hmm', 'hmm'], {
      options: { maxResistedTurns: 1 },
    })
    expect(turns.slice(3).map((turn) => turn.event)).toEqual([
      'resist',
      'resist',
      'resist',
      'resist',
    ])
  })

  it('[L3] momentum halves when the compound is silent, until another is accepted', () => {
    const options = { decayAfterTurns: 2 }
    const texts = [...STRONG, ...STRONG, 'ls1', 'ls1', 'ls1', 'ls1', 'ls1']
    const turns = play(texts, { options })
    expect(turns.map((turn) => turn.state.momentum).slice(5)).toEqual([6, 7, 8, 4, 1, 2])
    expect(turns.at(-2)).toMatchObject({ rule: 'L3', event: 'accept', signature: 'file_ops' })
    expect(turns.at(-3)).toMatchObject({ rule: 'B1', decayed: true })
  })

  it('[L3] a signal of the compound starts the count again', () => {
    const options = { decayAfterTurns: 2 }
    const turns = play([...STRONG, 'ls1', 'ls1', 'inv1', 'ls1', 'ls1'], { options })
    expect(turns.some((turn) => turn.decayed)).toBe(false)
  })

  it('[L4] an outside domain that ties with the best inside one breaks', () => {
    const texts = [...STRONG, 'inv1 inv2 pla1 pla2']
    expect(last(texts)).toMatchObject({ event: 'hold', primary: { domain: 'investigation' } })
    expect(last(texts, { options: { challengerWinsTies: true } })).toMatchObject({
      event: 'break',
      rule: 'L4',
      primary: { domain: 'planning' },
      secondary: { domain: 'investigation' },
      state: { momentum: 1 },
    })
  })

  it('[L4] does not lift [B1]', () => {
    const options = { challengerWinsTies: true }
    expect(last([...STRONG, 'ls1 ls2'], { options }).event).toBe('resist')
    expect(last([...STRONG, 'inv1 ls1'], { options }).event).toBe('hold')
  })

  it('[L5] minSignals is what a domain needs to be primary; as a secondary it is not lost', () => {
    const options = { minSignals: { planning: 2 } }
    expect(last(['pla1'], { options })).toMatchObject({
      primary: { domain: 'conversation', confidence: 0 },
      secondary: { domain: 'planning', confidence: 1 },
    })
    expect(last(['pla1 fix1'], { options })).toMatchObject({
      primary: { domain: 'bugfix' },
      secondary: { domain: 'planning', confidence: 1 },
    })
    // Also if it has more signals than the primary, and if a challenger takes over (L4).
    const three = { minSignals: { planning: 3 } }
    expect(last(['pla1 pla2 fix1'], { options: three })).toMatchObject({
      primary: { domain: 'bugfix', confidence: 1 },
      secondary: { domain: 'planning', confidence: 2 },
    })
    expect(last(['pla1 pla2'], { options }).primary.domain).toBe('planning')
  })

  it('[L6] anti-signals multiply, and fractions are shown as such', () => {
    const antiSignals = [{ pattern: '\\boverall\\b', domains: ['investigation'], factor: 0.5 }]
    const outcome = last(['overall inv1 cod1'], { options: { antiSignals } })
    expect(outcome.scored.scores.map(({ domain, score }) => [domain, score])).toEqual([
      ['coding', 1],
      ['investigation', 0.5],
    ])
    expect(outcome.secondary).toBeNull()
    const bad = createPipeline(
      set,
      presetWith({ antiSignals: [{ ...antiSignals[0]!, pattern: '(' }] }),
      null,
    )
    expect(bad.ok ? '' : bad.error[0]?.where).toBe('preset "test", anti-signal 1, column 1')
  })

  it('[L7] thinking is left out', () => {
    const text = '<think>inv1 inv2</think>cod1'
    expect(last([text]).primary.domain).toBe('investigation')
    expect(last([text], { options: { stripThinking: true } }).primary.domain).toBe('coding')
  })
})
