import { describe, expect, it } from 'vitest'
import { createAlphabet, createSetList, END } from './alphabet.ts'
import { addHead, beginHeads, createHeads, takeTail } from './heads.ts'
import { createMachine } from './machine.ts'
import { addState, type State } from './nfa.ts'
import { packStates } from './packed-states.ts'
import { beginStream, columnsFor, createStream, nextInStream } from './stream.ts'

/** An automaton for the words, each an event by its number. */
function automatonOf(words: readonly string[]) {
  const sets = createSetList()
  const states: State[] = []
  const roots = words.map((word, event) =>
    Array.from(word).reduceRight(
      (next, char) => {
        const code = char.codePointAt(0) ?? 0
        const ranges = [[code, code]] as const
        const set = sets.add({ negate: false, ranges, categories: [], ignoreCase: true }, false)
        return addState(states, { kind: 'read', set, next })
      },
      addState(states, { kind: 'event', event }),
    ),
  )
  const alphabet = createAlphabet(sets)
  const placedEvents = words.map((_, event) => event % 2 === 0)
  const machine = createMachine({ states: packStates(states), roots, alphabet, placedEvents })
  return { alphabet, stream: createStream(machine, columnsFor(alphabet)) }
}

/** Events that are met in the text. */
function eventsIn({ stream, alphabet }: ReturnType<typeof automatonOf>, text: string): number[] {
  const found: number[] = []
  let state = beginStream(stream)
  for (const char of [...Array.from(text), null]) {
    const kind = char === null ? END : alphabet.classOf(char.codePointAt(0) ?? 0)
    const known = stream.table[state * stream.columns + kind] ?? 0
    state = known === 0 ? nextInStream(stream, state, kind) : known
    const { reports, reportStarts } = stream
    const own = reports.subarray(reportStarts[state], reportStarts[state + 1])
    found.push(...Array.from(own, (report) => report >>> 8))
  }
  return found
}

const WORDS = ['alpha', 'alert', 'beta', 'bet', 'gamma']
const TEXTS = ['alert', 'beta', 'gamma', 'alpha']
const FOUND = [[1], [3, 2], [4], [0]]

function cut(): never {
  throw new Error('cut off')
}

describe('[C11] what a watchdog cuts off', () => {
  it('leaves no states behind whose reports were not written', () => {
    const whole = automatonOf(WORDS)
    eventsIn(whole, 'al')
    const { reports } = whole.stream
    reports.set = cut
    expect(() => eventsIn(whole, 'alpha')).toThrow('cut off')
    reports.set = Uint32Array.prototype.set.bind(reports)
    expect(TEXTS.map((text) => eventsIn(whole, text))).toEqual(FOUND)
  })

  it('leaves no old entries behind when an automaton that grew too large was being emptied', () => {
    const whole = automatonOf(WORDS)
    eventsIn(whole, 'alpha')
    const { starts } = whole.stream.machine
    whole.stream.growing = true
    starts.fill = cut
    expect(() => eventsIn(whole, 'beta')).toThrow('cut off')
    starts.fill = Uint32Array.prototype.fill.bind(starts)
    // The words lead through other states than before: old entries would mix them up.
    expect(TEXTS.map((text) => eventsIn(whole, text))).toEqual(FOUND)
  })

  it('leaves a stream without the states of the machine that was emptied under it', () => {
    const whole = automatonOf(WORDS)
    eventsIn(whole, 'alpha')
    whole.stream.machine.growing = true
    expect(TEXTS.map((text) => eventsIn(whole, text))).toEqual(FOUND)
  })
})

/** A column whose growing the watchdog cuts off. */
class Cut extends Int32Array {
  constructor(length: number) {
    if (length > 256) throw new Error('cut off')
    super(length)
  }
}

describe('[C11] room for heads', () => {
  it('is made in all columns, also where it was cut off between two', () => {
    const heads = createHeads(1)
    beginHeads(heads)
    const { end } = heads
    heads.end = new Cut(256)
    for (let from = 0; from < 256; from += 1) addHead(heads, 0, from, from)
    expect(() => addHead(heads, 0, 256, 256)).toThrow('cut off')
    heads.end = end
    beginHeads(heads)
    const begins = Array.from({ length: 300 }, (_, from) => from)
    for (const from of begins) addHead(heads, 0, from, 1000 + from)
    expect(takeTail(heads, 0, 1299, 1000).toReversed()).toEqual(begins)
  })
})
