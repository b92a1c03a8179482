import { describe, expect, it } from 'vitest'
import { compiled } from '../../../../fixtures/signals.ts'
import type { FrozenMachine } from './frozen.ts'
import { freezeReading, shareReading, thawReading } from './readings.ts'
import { prepareScan, scanText, warmUp } from '../scan.ts'
import { testSignal, type CompiledSignal } from '../signal.ts'
import { createTextFacts } from '../text-facts.ts'

/** Lists whose signals no list of another test has. */
const listOf = (name: string): readonly CompiledSignal[] =>
  [
    'alpha',
    'beta',
    'gamma',
    '\\bdelta\\b',
    '^epsilon',
    'zeta$',
    'eta(?=s)',
    'the?ta',
    'find.{0,9}book',
    'fix\\s+it',
    '[\u00e4\u00f6\u00fc]{2}',
    'never(?!more)',
    '\\w+ing\\b',
    '(new|old) (file|folder)',
    'a.{0,60}z',
  ].map((one) => compiled(`${name}${one}|${one}`))

const LEARNED = [
  'alpha and theta',
  'find the book; fix  it',
  '\u00e4\u00f6\nepsilon',
  'doing, etas',
]
const UNSEEN_TEXTS = [
  '',
  '\n',
  'beta',
  'gamma delta',
  'deltas',
  'epsilon at the start',
  'ends with zeta',
  'b\u{1f600}ta beta',
  'new folder, old file',
  'a long way to go until the z',
  'NEVER more',
  '\u00fc\u00fc',
  'nevermore',
  '\u{20000}\u{20001}ing walking',
  'the find\r\nbook',
  'theta\n',
]

const exactly = (signals: readonly CompiledSignal[], text: string): readonly number[] =>
  signals.flatMap((signal, at) => (testSignal(signal, createTextFacts(text)) ? [at] : []))
const fired = (signals: readonly CompiledSignal[], text: string): readonly number[] =>
  scanText(signals, createTextFacts(text)).fired

/** An automaton that has read some texts, as plain data. */
function learned(name: string) {
  const signals = listOf(name)
  warmUp(signals)
  for (const text of LEARNED) fired(signals, text)
  const frozen = freezeReading(signals)
  if (frozen === null) throw new Error('nothing was frozen')
  return frozen
}

describe('[C13] an automaton that was kept', () => {
  it('is null for a list that has none', () => {
    expect(freezeReading(listOf('none'))).toBeNull()
  })

  it('tells the same of every text, and grows on', () => {
    const frozen = learned('kept')
    expect(thawReading(frozen)).toBe(true)
    const signals = listOf('kept')
    prepareScan(signals)
    for (const text of [...LEARNED, ...UNSEEN_TEXTS, ...LEARNED])
      expect(fired(signals, text), text).toEqual(exactly(signals, text))
    const grown = freezeReading(signals)
    expect(grown?.streams[0].lists.ends.length).toBeGreaterThan(frozen.streams[0].lists.ends.length)
  })

  it('shares nothing with the data that it was made from', () => {
    const frozen = learned('apart')
    const before = structuredClone(frozen)
    thawReading(frozen)
    const signals = listOf('apart')
    expect(shareReading(signals)).toBe(true)
    for (const text of UNSEEN_TEXTS) fired(signals, text)
    expect(frozen).toEqual(before)
  })

  it('is what was frozen: the same data again', () => {
    const frozen = learned('again')
    thawReading(frozen)
    const signals = listOf('again')
    expect(shareReading(signals)).toBe(true)
    expect(freezeReading(signals)).toEqual(frozen)
  })

  it('reads for a list with other signals beside the same ones (C12)', () => {
    thawReading(learned('beside'))
    const signals = [compiled('walk'), ...listOf('beside').toReversed()]
    expect(shareReading(signals)).toBe(true)
    for (const text of [...LEARNED, ...UNSEEN_TEXTS])
      expect(fired(signals, text), text).toEqual(exactly(signals, text))
  })

  it.each(['reportEnds', 'reports'] as const)('is refused where %s have one more', (part) => {
    const frozen = learned(`torn ${part}`)
    const [narrow, wide] = frozen.streams
    const torn = { ...narrow, [part]: Uint32Array.from([...narrow[part], 9]) }
    expect(thawReading({ ...frozen, streams: [torn, wide] })).toBe(false)
  })

  it('is refused where a list of lists has no end', () => {
    const frozen = learned('torn lists')
    const [narrow, wide] = frozen.streams
    const lists = { ...narrow.lists, ends: narrow.lists.ends.slice(0, -1) }
    expect(thawReading({ ...frozen, streams: [{ ...narrow, lists }, wide] })).toBe(false)
  })

  it('is refused where one of steps leads nowhere', () => {
    const frozen = learned('torn steps')
    const [narrow, wide] = frozen.streams
    const targets = narrow.steps.targets.slice()
    targets[0] = 1_000_000
    const torn = { ...narrow, steps: { ...narrow.steps, targets } }
    expect(thawReading({ ...frozen, streams: [torn, wide] })).toBe(false)
  })

  /** Invalid machines: one number too many, a list without an end, a move to a missing state. */
  const TORN: ReadonlyArray<readonly [string, (machine: FrozenMachine) => FrozenMachine]> = [
    [
      'kinds of states',
      (one) => ({ ...one, states: { ...one.states, kinds: one.states.kinds.map(() => 9) } }),
    ],
    [
      'lengths of states',
      (one) => ({ ...one, states: { ...one.states, first: one.states.first.slice(1) } }),
    ],
    [
      'next states',
      (one) => ({ ...one, states: { ...one.states, second: one.states.second.map(() => 1e6) } }),
    ],
    ['ways', (one) => ({ ...one, states: { ...one.states, ways: Uint32Array.of(1e6) } })],
    ['root', (one) => ({ ...one, root: Uint32Array.of(1e6) })],
    ['starts', (one) => ({ ...one, starts: Uint32Array.from([...one.starts, 9]) })],
    ['placing', (one) => ({ ...one, placing: one.placing.slice(1) })],
    ['known', (one) => ({ ...one, known: { ...one.known, ends: one.known.ends.slice(0, -1) } })],
    [
      'moves',
      (one) => ({ ...one, moves: { ...one.moves, targets: one.moves.targets.map(() => 1e6) } }),
    ],
  ]

  it.each(TORN)('is refused where %s of a machine do not belong to the rest', (part, tear) => {
    const frozen = learned(`torn machine ${part}`)
    const [narrow, wide] = frozen.streams
    const torn = { ...narrow, machine: tear(narrow.machine) }
    expect(thawReading({ ...frozen, streams: [torn, wide] })).toBe(false)
    expect(thawReading({ ...frozen, anchored: tear(frozen.anchored) })).toBe(false)
  })

  it('is refused where its events, slots, looks or sets are none', () => {
    const frozen = learned('torn parts')
    for (const part of ['events', 'slots', 'looks'] as const) {
      const numbers = frozen[part]
      expect(thawReading({ ...frozen, [part]: Int32Array.of(...numbers, 1) }), part).toBe(false)
      expect(thawReading({ ...frozen, [part]: numbers.map(() => 1e6) }), part).toBe(
        numbers.length === 0,
      )
    }
    const members = Int32Array.of(...frozen.alphabet.members, 1, 1)
    expect(thawReading({ ...frozen, alphabet: { ...frozen.alphabet, members } })).toBe(false)
  })

  it('is refused where the alphabet does not belong to its sets', () => {
    const frozen = learned('torn alphabet')
    const inside = frozen.alphabet.inside.slice(1)
    expect(thawReading({ ...frozen, alphabet: { ...frozen.alphabet, inside } })).toBe(false)
  })
})
