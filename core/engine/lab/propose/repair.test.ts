import { describe, expect, it } from 'vitest'
import { compileFixture, loadPreset, must } from '../../../../fixtures/load.ts'
import {
  corpusOf,
  finish,
  labelsOf,
  rescoreFromScratch,
  scoreFromScratch,
} from '../../../../fixtures/lab-corpus.ts'
import { createPipeline } from '../../pipeline.ts'
import { addition } from './repair-candidates.ts'
import { proposeRepairs } from './repair.ts'

const DOMAINS = [
  {
    name: 'coding',
    priority: 1,
    signals: ['\\bcode\\b', { id: 'heavy', pattern: '\\bwrite\\b', weight: 3 }],
  },
  {
    name: 'bugfix',
    priority: 2,
    signals: ['\\bcrash\\b', { id: 'mute', pattern: '\\bbroken\\b', weight: 0 }],
  },
  { name: 'git_ops', priority: 3, minSignals: 2, signals: ['\\bcommit\\b', '\\bbranch\\b'] },
  { name: 'conversation', priority: 9, signals: ['\\bhello\\b'] },
] as const
const pipeline = must(createPipeline(compileFixture(DOMAINS), loadPreset('recommended'), null))

interface Asked {
  readonly domain: string
  readonly wanted: readonly string[]
  readonly unwanted?: readonly string[]
  /** Labelled texts that repairs are held against; left out: there are none. */
  readonly labelled?: ReadonlyArray<readonly [text: string, primary: string]>
  readonly patterns?: readonly string[]
}

function repair({ domain, wanted, unwanted = [], labelled, patterns }: Asked) {
  const scoredOf = (texts: readonly string[]) =>
    scoreFromScratch(corpusOf(texts.map((text) => [text])), pipeline)
  const examples = {
    scored: scoredOf([...wanted, ...unwanted]),
    domain,
    wanted: [...wanted.keys()],
    unwanted: [...unwanted.keys()].map((at) => at + wanted.length),
  }
  const evidence =
    labelled === undefined
      ? null
      : {
          scored: scoredOf(labelled.map(([text]) => text)),
          labels: labelsOf(Object.fromEntries(labelled.map(([, primary], at) => [at, primary]))),
          rescore: rescoreFromScratch,
        }
  const only = patterns?.flatMap((pattern) => addition(examples, [pattern]) ?? []) ?? null
  return finish(proposeRepairs(examples, { rescore: rescoreFromScratch, evidence }, only))
}

describe('[F160] repairs', () => {
  it('find a new signal of words that wanted texts have and unwanted ones have not', () => {
    const { repairs, rightBefore } = repair({
      domain: 'bugfix',
      wanted: ['the parser explodes on tabs', 'it explodes again'],
      unwanted: ['the parser reads tabs'],
      labelled: [
        ['it explodes at once', 'bugfix'],
        ['hello it is', 'conversation'],
      ],
    })
    expect(rightBefore).toBe(0)
    expect(repairs[0]).toEqual({
      edits: [{ kind: 'add', domain: 'bugfix', pattern: '\\bexplodes\\b' }],
      right: 2,
      spoilt: 0,
      fixed: 1,
      broken: 0,
      flips: 1,
    })
    const patterns = repairs
      .flatMap(({ edits }) => edits)
      .map((edit) => ('pattern' in edit ? edit.pattern : ''))
    expect(patterns).not.toContain('\\bparser\\b')
  })

  it('put first what breaks no label, and say what the others break', () => {
    const { repairs } = repair({
      domain: 'bugfix',
      wanted: ['strange noise'],
      labelled: [['noise is good', 'conversation']],
    })
    const broken = repairs.map((one) => one.broken ?? 0)
    expect(broken).toEqual(broken.toSorted((a, b) => a - b))
    expect([broken[0], broken.at(-1)]).toEqual([0, 1])
  })

  it('set a weight back, lower a least number of signals, change a priority, drop a signal of the winner', () => {
    const edits = (asked: Asked) => repair(asked).repairs.flatMap((one) => one.edits)
    expect(edits({ domain: 'bugfix', wanted: ['broken'] })).toContainEqual({
      kind: 'weight',
      domain: 'bugfix',
      signal: 2,
      weight: 1,
    })
    expect(edits({ domain: 'git_ops', wanted: ['commit'] })).toContainEqual({
      kind: 'minSignals',
      domain: 'git_ops',
      value: 1,
    })
    const tie = edits({ domain: 'bugfix', wanted: ['code crash'] })
    expect(tie).toContainEqual({ kind: 'priority', domain: 'bugfix', priority: 0 })
    expect(tie).toContainEqual({ kind: 'priority', domain: 'coding', priority: 3 })
    expect(tie).toContainEqual({ kind: 'remove', domain: 'coding', signal: 1 })
  })

  it('bring several signals together where one is not enough', () => {
    const { repairs } = repair({ domain: 'git_ops', wanted: ['squash everything quickly'] })
    expect(repairs.length).toBeGreaterThan(0)
    expect(repairs.every(({ edits }) => edits.length >= 2)).toBe(true)
  })

  it('measure a given pattern whatever comes out, and refuse none that is there to be looked at', () => {
    const asked = { domain: 'bugfix', wanted: ['it stalls'], unwanted: ['he stalls'] }
    const { repairs, tried } = repair({ ...asked, patterns: ['stalls'] })
    expect([tried, repairs]).toEqual([
      1,
      [
        {
          edits: [{ kind: 'add', domain: 'bugfix', pattern: 'stalls' }],
          right: 1,
          spoilt: 1,
          fixed: null,
          broken: null,
          flips: null,
        },
      ],
    ])
    expect(repair({ ...asked, patterns: ['('] }).tried).toBe(0)
  })

  it('are none where the texts are right already', () => {
    const { repairs, rightBefore } = repair({ domain: 'bugfix', wanted: ['a crash'] })
    expect([repairs, rightBefore]).toEqual([[], 1])
  })
})
