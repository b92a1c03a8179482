import { describe, expect, it } from 'vitest'
import { compiled, compiledAs } from '../../../../fixtures/signals.ts'
import { prepareScan, scanText, warmUp } from '../scan.ts'
import { testSignal, type CompiledSignal } from '../signal.ts'
import { createTextFacts } from '../text-facts.ts'

/** Signals that record where they are parsed. Only building an automaton reads a pattern's tree. */
function watched(patterns: readonly string[]) {
  const making: string[] = []
  const at = { where: '' }
  const signals = patterns.map((one) => {
    const signal = compiled(one)
    const { source, literals, ascii, wide, flags, identity } = signal.programs
    if (source === null) throw new Error('no pattern of Python')
    const noting = {
      flags: source.flags,
      get root() {
        making.push(at.where)
        return source.root
      },
    }
    return { ...signal, programs: { ascii, wide, literals, source: noting, flags, identity } }
  })
  return { signals, making, at }
}

function exactly(signals: readonly CompiledSignal[], message: string): readonly number[] {
  const facts = createTextFacts(message)
  return signals.flatMap((signal, number) => (testSignal(signal, facts) ? [number] : []))
}

const fired = (signals: readonly CompiledSignal[], message: string) =>
  scanText(signals, createTextFacts(message)).fired

const PATTERNS = [
  'alpha',
  'beta',
  'gamma',
  'delta',
  'epsilon',
  'zeta',
  'eta',
  'theta',
  'nine',
  'find.{0,9}book',
  'fix\\s+it',
]
const TEXTS = [
  'alpha and theta',
  'find the book, nine of them; fix  it',
  'b\u00e4ta, beta \u{1f600} find a book',
  'nothing at all',
  '',
]

describe('[C10] the automaton of a list', () => {
  it('is made before the watchdog looks on, and once', () => {
    const { signals, making, at } = watched(PATTERNS.map((one) => `${one} made once|${one}`))
    const read = (times: number) => {
      for (let time = 0; time < times; time += 1) {
        at.where = 'before it'
        prepareScan(signals)
        at.where = 'under the watchdog'
        expect(fired(signals, `${'nine '.repeat(2000)}alpha`)).toEqual([0, 8])
      }
    }
    read(4)
    expect(making).toEqual([])
    read(30)
    expect(new Set(making)).toEqual(new Set(['before it']))
    const made = making.length
    read(10)
    expect(making).toHaveLength(made)
  })

  it('is not made in a slice that reads more than it takes to be worth one', () => {
    const { signals, making } = watched(PATTERNS.map((one) => `${one} in one slice|${one}`))
    prepareScan(signals)
    const long = `${'nine '.repeat(20_000)}alpha`
    for (let time = 0; time < 4; time += 1) expect(fired(signals, long)).toEqual([0, 8])
    expect(making).toEqual([])
    prepareScan(signals)
    expect(making).not.toEqual([])
  })
})

describe('[C12] one automaton for lists that are much alike', () => {
  function shared(change: (signals: readonly CompiledSignal[]) => readonly CompiledSignal[]) {
    const { signals, making } = watched(PATTERNS)
    warmUp(signals)
    making.length = 0
    const other = change(signals)
    prepareScan(other)
    const found = TEXTS.map((text) => fired(other, text))
    expect(found).toEqual(TEXTS.map((text) => exactly(other, text)))
    expect(found.flat()).not.toEqual([])
    return making
  }

  it('a preset with the same signals in a list of its own', () =>
    expect(shared((signals) => [...signals])).toEqual([]))

  it('a preset that adds signals of its own', () =>
    expect(shared((signals) => [...signals, compiled('all'), compiledAs('THEM', 'js')])).toEqual(
      [],
    ))

  it('signals in another order, some of them twice, some of them left out', () =>
    expect(shared((signals) => [...signals.toReversed().slice(3), ...signals.slice(0, 2)])).toEqual(
      [],
    ))

  it('a list in which a signal was switched off', () => {
    const never = compiledAs('(?!)', 'js').programs
    const without = (signals: readonly CompiledSignal[]) =>
      signals.map((one, at) => (at === 0 ? { ...one, programs: never } : one))
    expect(shared(without)).toEqual([])
  })

  it('a list in which a signal was edited', () =>
    expect(
      shared((signals) => signals.map((one, at) => (at === 0 ? compiled('noth.ng') : one))),
    ).toEqual([]))

  it('not a list that shares few signals: it has an automaton of its own when it has read enough', () => {
    warmUp(PATTERNS.map((one) => compiled(one)))
    const { signals, making } = watched(PATTERNS.map((one) => `${one}|other`))
    prepareScan(signals)
    expect(making).toEqual([])
    for (const text of TEXTS) expect(fired(signals, text)).toEqual(exactly(signals, text))
    for (let time = 0; time < 4; time += 1) fired(signals, 'nine '.repeat(20_000))
    prepareScan(signals)
    expect(making).not.toEqual([])
    for (const text of TEXTS) expect(fired(signals, text)).toEqual(exactly(signals, text))
  })
})
