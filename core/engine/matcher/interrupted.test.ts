import { describe, expect, it } from 'vitest'
import { createAlphabet, createSetList, END } from './alphabet.ts'
import { createDfa } from './dfa.ts'
import { DEAD, WITH_EVENTS, type Dfa } from './machine.ts'
import { addHead, beginHeads, createHeads, takeTail } from './heads.ts'
import { addState, type State } from './nfa.ts'

/** An automaton for the words, each an event by its number. */
function automatonOf(words: readonly string[], mostStates: number) {
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
  return { alphabet, dfa: createDfa(states, roots, alphabet, mostStates) }
}

/** Events that are met from the first character on. */
function eventsIn({ dfa, alphabet }: ReturnType<typeof automatonOf>, text: string): number[] {
  dfa.begin()
  const found: number[] = []
  let state = dfa.start(null)
  for (const char of [...Array.from(text), null]) {
    const kind = char === null ? END : alphabet.classOf(char.codePointAt(0) ?? 0)
    const known = dfa.table[state * dfa.columns + kind] ?? 0
    const entry = known === 0 ? dfa.next(state, kind) : known
    if (entry === DEAD) break
    state = entry & ~WITH_EVENTS
    if (entry !== state) found.push(...eventsOf(dfa, state))
  }
  return found
}

function eventsOf({ eventStarts, eventList }: Dfa, state: number): readonly number[] {
  return [...eventList.subarray(eventStarts[state], eventStarts[state + 1])]
}

const WORDS = ['alpha', 'alert', 'beta', 'bet', 'gamma']

describe('[C11] what a watchdog cuts off', () => {
  it('leaves no old entries behind when an automaton that grew too large was being emptied', () => {
    const whole = automatonOf(WORDS, 4)
    eventsIn(whole, 'alpha')
    const fill = whole.dfa.pairs.fill.bind(whole.dfa.pairs)
    whole.dfa.pairs.fill = () => {
      throw new Error('cut off')
    }
    expect(() => eventsIn(whole, 'beta')).toThrow('cut off')
    whole.dfa.pairs.fill = fill
    // The words lead through other states than before: old entries would mix them up.
    expect(['alert', 'beta', 'gamma', 'alpha'].map((word) => eventsIn(whole, word))).toEqual([
      [1],
      [3, 2],
      [4],
      [0],
    ])
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
    for (let from = 0; from < 256; from += 1) addHead(heads, 0, { from, end: from })
    expect(() => addHead(heads, 0, { from: 256, end: 256 })).toThrow('cut off')
    heads.end = end
    beginHeads(heads)
    const begins = Array.from({ length: 300 }, (_, from) => from)
    for (const from of begins) addHead(heads, 0, { from, end: 1000 + from })
    expect(takeTail(heads, 0, 1299, 1000).toReversed()).toEqual(begins)
  })
})
