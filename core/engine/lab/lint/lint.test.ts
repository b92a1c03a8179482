import { describe, expect, it } from 'vitest'
import {
  WORD_DOMAINS,
  corpusOf,
  finish,
  labelsOf,
  rescoreFromScratch,
  scoreFromScratch,
} from '../../../../fixtures/lab-corpus.ts'
import { compileFixture, loadPreset, must } from '../../../../fixtures/load.ts'
import { loadDomains } from '../../matcher/load-domains.ts'
import { unguarded } from '../../matcher/scan.ts'
import { createPipeline } from '../../pipeline.ts'
import type { BeliefOptions } from '../../schema/preset.ts'
import type { ModelProfile } from '../../schema/profile.ts'
import type { CorpusLabels } from '../corpus/corpus.ts'
import { lintCorpus, lintStatic, type Finding } from './lint.ts'
import type { OtherDomains } from './lint-gates.ts'
import { adviceSteps } from './lint-static.ts'

const recommended = loadPreset('recommended')
const many = (count: number, text: string): readonly string[] =>
  Array.from({ length: count }, () => text)

interface Setting {
  readonly options?: Partial<BeliefOptions>
  readonly profile?: ModelProfile
  readonly others?: readonly OtherDomains[]
}

function make(domains: readonly unknown[], { options = {}, profile }: Setting = {}) {
  const preset = { ...recommended, belief: { ...recommended.belief, ...options } }
  return must(createPipeline(compileFixture(domains), preset, profile ?? null))
}

function still(domains: readonly unknown[], setting: Setting = {}): readonly Finding[] {
  const file = must(loadDomains({ name: 'fixture', domains }, 'fixture'))
  return lintStatic(file, make(domains, setting), setting.others ?? [])
}

/** Every text is a separate session, so that momentum has no effect. */
function over(
  domains: readonly unknown[],
  texts: readonly string[],
  labels: CorpusLabels = new Map(),
): readonly Finding[] {
  const scored = scoreFromScratch(corpusOf(texts.map((text) => [text])), make(domains))
  return finish(lintCorpus(scored, labels, { guard: unguarded, rescore: rescoreFromScratch }))
}

function only(findings: readonly Finding[], rule: Finding['rule']): readonly Finding[] {
  return findings.filter((finding) => finding.rule === rule)
}

const places = (findings: readonly Finding[]) =>
  findings.map(({ domain, signal, severity }) => [domain, signal, severity])

describe('[L39] lessons that a corpus shows', () => {
  const domains = [
    { name: 'investigation', signals: ['inv1', 'inv2'] },
    { name: 'file_ops', signals: ['ls1'] },
    { name: 'conversation', signals: ['hello'] },
  ]

  it('[L1] a compound that momentum held, with its turns and what the texts said', () => {
    const texts = [...many(4, 'inv1'), ...many(6, 'ls1'), 'inv1', ...many(2, 'ls1')]
    const scored = scoreFromScratch(corpusOf([texts, many(20, 'inv1')]), make(domains))
    const found = only(
      finish(lintCorpus(scored, new Map(), { guard: unguarded, rescore: null })),
      'momentum-lock',
    )
    expect(found).toHaveLength(1)
    expect(found[0]).toMatchObject({ domain: 'investigation', count: 6, severity: 'info' })
    expect(found[0]?.evidence[0]).toEqual([0, 4])
    expect(found[0]?.what).toMatch(/on 6 turns in a row .*turns 5 to 10\).*said file_ops/u)
  })

  it('[L12] enrichment that went with no better outcomes; too few sessions say nothing', () => {
    const sessions = [...many(5, 'inv1'), ...many(5, 'hello')].map((text) => [text])
    const scored = scoreFromScratch(corpusOf(sessions), make(domains))
    const about = (pass: (session: number) => boolean, among = 10) => {
      const outcomes = new Map(
        sessions
          .slice(0, among)
          .map((_, session) => [session, { type: 'outcome' as const, pass: pass(session) }]),
      )
      const found = finish(
        lintCorpus(scored, new Map(), { guard: unguarded, rescore: null, outcomes }),
      )
      return only(found, 'enrichment-no-help').map(({ domain }) => domain)
    }
    expect(about((session) => session >= 5)).toEqual(['investigation'])
    expect(about((session) => session < 5)).not.toContain('investigation')
    expect(about((session) => session >= 5, 9)).toEqual([])
  })
})

describe('lint without a corpus', () => {
  it('[T15] [L9] cannot-match and dialect come with the column in the pattern', () => {
    const findings = still([{ name: 'coding', signals: ['fine', '\\b \\.env', '(?P<a>x)y\\Z'] }])
    const [never] = only(findings, 'cannot-match')
    expect(never).toMatchObject({ domain: 'coding', signal: 1, source: 'domains' })
    expect(only(findings, 'dialect').map((one) => [one.signal, one.patternColumn])).toEqual([
      [2, 1],
      [2, 10],
    ])
  })

  it('[T15] advice comes signal by signal, so that nothing waits for hundreds of them', () => {
    const domains = [
      { name: 'a', signals: ['\\bone\\b', 'two'] },
      { name: 'b', signals: ['three'] },
    ]
    const file = must(loadDomains({ domains }, 'd'))
    const steps = [...adviceSteps(file, { asciiBoundaries: false })]
    expect(steps).toEqual([1, 2, 3].map((done) => ({ done, total: 3 })))
  })

  it('[T15] super-linear names the place in the pattern', () => {
    const [found] = only(
      still([{ name: 'coding', signals: ['fine', { id: 'slow', pattern: 'x(?:a+)+b' }] }]),
      'super-linear',
    )
    expect(found).toMatchObject({ domain: 'coding', signal: 1, id: 'slow' })
    expect(found?.patternColumn).toBeGreaterThan(1)
  })

  it('[T15] [L9] a pattern written twice is a duplicate, flags and dialect considered', () => {
    const findings = still([
      { name: 'coding', signals: ['a1', { id: 'twin', pattern: 'a1' }] },
      { name: 'bugfix', signals: ['a1', { pattern: 'a1', dialect: 'js' }] },
    ])
    const twins = only(findings, 'duplicate')
    expect(places(twins)).toEqual([
      ['coding', 1, 'warning'],
      ['bugfix', 0, 'warning'],
    ])
    expect(twins.map((one) => one.what)).toEqual([
      'It is the same pattern as coding/1: one piece of evidence counts twice.',
      'It is the same pattern as coding/1, so the two domains always rise together.',
    ])
  })

  it('[T15] [L10] unknown names of profile and preset, and a gate that gates nothing', () => {
    const options = {
      breakMinSignals: { coding: 1, codegen: null },
      minSignals: { bugfix: 2 },
      antiSignals: [{ pattern: 'x', domains: ['coding', 'docs'], factor: 0.5 }],
    }
    const findings = still(WORD_DOMAINS, {
      options,
      profile: { bst: { disabled_domains: ['codegen'] } },
    })
    expect(only(findings, 'unknown-domain').map((one) => [one.source, one.domain])).toEqual([
      ['profile', 'codegen'],
      ['preset', 'codegen'],
      ['preset', 'docs'],
    ])
    expect(only(findings, 'gates-nothing')).toMatchObject([{ severity: 'error' }])
  })

  it('[T15] the default domain may be named without being configured (B10)', () => {
    const options = { breakMinSignals: { conversation: null, memory: null } }
    const findings = still(WORD_DOMAINS.slice(0, 2), { options })
    expect(only(findings, 'unknown-domain').map((one) => one.domain)).toEqual(['memory'])
  })

  it('[T15] [L10] an alias is a name, an empty list is a choice, no profile is none', () => {
    const alias = { disabled_domains: ['codegen'], aliases: { codegen: 'coding' } }
    const about = (setting: Setting) =>
      still(WORD_DOMAINS, setting)
        .filter((one) => one.source === 'profile')
        .map((one) => [one.rule, one.severity])
    expect(about({ profile: alias })).toEqual([])
    expect(about({ profile: { disabled_domains: [] } })).toEqual([['gates-nothing', 'info']])
    expect(about({})).toEqual([])
    expect(about({ profile: alias, options: { tolerant: false } })).toEqual([
      ['unknown-domain', 'error'],
      ['gates-nothing', 'error'],
    ])
  })

  it('[T15] [L11] drift is said in both directions, and an alias is no drift', () => {
    const others = [
      {
        name: 'other',
        domains: [
          { name: 'code', aliases: ['coding'] },
          { name: 'bugfix' },
          { name: 'conversation' },
          { name: 'memory' },
        ],
      },
    ]
    const findings = only(still(WORD_DOMAINS, { others }), 'drift')
    expect(findings.map((one) => one.what)).toEqual([
      '"file_ops" is in "fixture" and not in "other" (L11).',
      '"memory" is in "other" and not in "fixture" (L11).',
    ])
  })
})

describe('lint over a corpus', () => {
  it('[T15] never-fired speaks from 300 turns on', () => {
    const silent = (turns: number) => only(over(WORD_DOMAINS, many(turns, 'cod1')), 'never-fired')
    expect(silent(299)).toEqual([])
    const found = silent(300)
    expect(found).toHaveLength(7)
    expect(found[0]).toMatchObject({ count: 0, what: 'It fired on none of 300 turns.' })
  })

  it('[T15] [L9] fires-everywhere says the share with its counts', () => {
    const texts = [...many(30, 'cod1 x'), ...many(20, 'y'), ...many(20, 'bug1')]
    expect(only(over(WORD_DOMAINS, texts), 'fires-everywhere')).toEqual([])
    const [found] = only(over(WORD_DOMAINS, texts.slice(0, 60)), 'fires-everywhere')
    expect(found).toMatchObject({ domain: 'coding', signal: 0, count: 30 })
    expect(found?.what).toContain('30 of 60 turns (50 %)')
    expect(found?.evidence).toHaveLength(20)
    expect(found?.evidence[1]).toEqual([1, 0])
  })

  it('[T15] other-domains goes by labels where there are five, and by decisions from 30 turns on', () => {
    const everyday = [...many(5, 'ls1 cod1'), ...many(3, 'ls1')]
    const labels = labelsOf(
      Object.fromEntries(everyday.map((_, turn) => [turn, turn < 5 ? 'coding' : 'file_ops'])),
    )
    const [found] = only(over(WORD_DOMAINS, everyday, labels), 'other-domains')
    expect(found).toMatchObject({ domain: 'file_ops', signal: 0, severity: 'warning', count: 5 })
    expect(found?.what).toContain('5 of 8 labelled turns (63 %)')
    expect(found?.what).toContain('coding (5)')

    const unlabelled = many(30, 'ls1 cod1 cod2 bug1 bug2')
    const radar = only(over(WORD_DOMAINS, unlabelled), 'other-domains')
    expect(places(radar)).toEqual([['file_ops', 0, 'info']])
    expect(only(over(WORD_DOMAINS, unlabelled.slice(1)), 'other-domains')).toEqual([])
  })

  it('[T15] a label that accepts the domain is no evidence against its signal', () => {
    const texts = many(6, 'ls1 cod1')
    const labels = labelsOf(
      Object.fromEntries(
        texts.map((_, turn) => [turn, { primary: 'coding', acceptable: ['file_ops'] }]),
      ),
    )
    expect(only(over(WORD_DOMAINS, texts, labels), 'other-domains')).toEqual([])
  })

  it('[T15] [L9] shadowed: always lost to the same domain, or never alone in its own', () => {
    const texts = [...many(10, 'ls1 cod1 cod2 bug1 bug2'), ...many(3, 'bug2 ls1')]
    const lost = over(WORD_DOMAINS, texts.slice(0, 10))
    expect(places(only(lost, 'shadowed'))).toContainEqual(['file_ops', 0, 'warning'])
    expect(places(only(over(WORD_DOMAINS, texts), 'shadowed'))).not.toContainEqual([
      'file_ops',
      0,
      'warning',
    ])
    const helped = [...many(5, 'cod1 cod2'), ...many(5, 'cod1 cod3'), 'cod2', 'cod3']
    expect(places(only(over(WORD_DOMAINS, helped), 'shadowed'))).toEqual([['coding', 0, 'info']])
  })

  it('[T15] duplicate and subsumed by what fires, within a domain, from ten turns on', () => {
    const twins = many(10, 'cod1 cod2 bug1')
    expect(places(only(over(WORD_DOMAINS, twins), 'duplicate'))).toEqual([['coding', 1, 'warning']])
    expect(only(over(WORD_DOMAINS, twins.slice(1)), 'duplicate')).toEqual([])
    const wider = over(WORD_DOMAINS, [...twins, 'cod1'])
    expect(places(only(wider, 'subsumed'))).toEqual([['coding', 1, 'info']])
    expect(only(wider, 'subsumed')[0]?.what).toContain(
      'coding/1 of the same domain fires too (on 11',
    )
  })

  it('[T15] the same pattern twice is said once, by its form', () => {
    const domains = [{ name: 'coding', signals: ['cod1', 'cod1'] }]
    expect(only(still(domains), 'duplicate')).toHaveLength(1)
    expect(only(over(domains, many(20, 'cod1')), 'duplicate')).toEqual([])
  })

  it('[T15] no-word-boundary names the longer words that the corpus has', () => {
    const domains = [
      {
        name: 'coding',
        signals: ['market', 'creditworth', '\\bplan\\b', 'ünd', 'make \\w', '编写'],
      },
    ]
    const texts = [
      'Marketing and marketing',
      'the supermarket',
      'a market',
      'creditworthy',
      'plans plan',
      'gründe',
      'make that',
      '请编写一个脚本',
      'marketmarket',
    ]
    const found = only(over(domains, texts), 'no-word-boundary')
    expect(found.map((one) => [one.signal, one.severity, one.count])).toEqual([
      [0, 'warning', 3],
      [3, 'warning', 1],
      [1, 'info', 1],
    ])
    expect(found[0]?.what).toBe(
      'It matches inside longer words: "marketing" (2), "marketmarket" (2), "supermarket" (1); on 3 of 4 turns looked at.',
    )
    expect(found[1]?.what).toContain('"gründe" (1)')
  })

  it('[T15] [T16] untested: no labelled turn would become right or wrong without it', () => {
    const labelled = [...many(20, 'cod1 cod2'), 'bug1', 'cod1']
    const texts = [...labelled, 'cod2']
    const labels = labelsOf(Object.fromEntries(labelled.map((_, turn) => [turn, 'coding'])))
    const found = only(over(WORD_DOMAINS, texts, labels), 'untested')
    expect(found.map((one) => `${one.domain ?? ''} ${one.signal ?? ''}`)).not.toContain('coding 0')
    expect(found.find((one) => one.domain === 'coding' && one.signal === 1)).toMatchObject({
      count: 21,
      what: 'Without it, none of 22 labelled turns would become right or wrong (1 of all turns would flip).',
    })
    const few = new Map([...labels].slice(0, 19))
    expect(only(over(WORD_DOMAINS, texts, few), 'untested')).toEqual([])
  })

  it('[T15] what the watchdog cut off is said, and nothing that rests on its silence', () => {
    const texts = Array.from({ length: 300 }, () => ['cod1'])
    const scored = scoreFromScratch(corpusOf(texts), make(WORD_DOMAINS))
    const cutOffs = [
      { number: 4, turn: 7, chars: 900 },
      { number: 4, turn: 5, chars: 4000 },
    ]
    const found = finish(
      lintCorpus({ ...scored, cutOffs }, new Map(), { guard: unguarded, rescore: null }),
    )
    const about = found.filter((one) => one.domain === 'bugfix' && one.signal === 1)
    expect(about.map((one) => [one.rule, one.count, one.evidence[0]])).toEqual([
      ['super-linear', 2, [5, 0]],
    ])
    expect(about[0]?.what).toContain('2 texts of up to 4000 characters')
    expect(only(found, 'never-fired')).toHaveLength(6)
  })

  it('[T15] labels of an unknown domain can never be right', () => {
    const found = over(WORD_DOMAINS, ['cod1', 'cod1'], labelsOf({ 1: 'memory' }))
    expect(only(found, 'unknown-domain')).toMatchObject([
      { source: 'labels', domain: 'memory', evidence: [[1, 0]], count: 1 },
    ])
  })

  it('[T15] worst first', () => {
    const severities = over(WORD_DOMAINS, many(300, 'cod1 cod2')).map((one) => one.severity)
    const rank = severities.map((one) => ['error', 'warning', 'info'].indexOf(one))
    expect(rank).toEqual(rank.toSorted((a, b) => a - b))
    expect(new Set(severities).size).toBeGreaterThan(1)
  })
})
