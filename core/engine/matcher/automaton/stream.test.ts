import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { casesOf, someCases } from '../../../../fixtures/cases.ts'
import { compiled, EIGHT, exactly } from '../../../../fixtures/signals.ts'
import { END } from './alphabet.ts'
import { DEAD, eventsOf, nextOf, startOf } from './machine.ts'
import { createPrefilter } from './prefilter.ts'
import { scanText, warmUp } from '../scan.ts'
import { beginStream, nextInStream, TOO_LONG, type Stream } from './stream.ts'
import { createTextFacts } from '../text-facts.ts'

const PATTERNS = [
  '\\bab\\b.{0,9}ba',
  'a(?=b)',
  'ab+a',
  'b\\s+a(?!b)',
  '^ab',
  'ba$',
  '\\bb',
  'aba|abba',
  '\\w+ab\\b',
  'a.{0,9}b\\B',
  '(?:a\\s?b){2}',
  'é',
  'b(?=é)é',
  'a\\s{0,3}é.{0,8}\\bb(?<=b)',
]
const PIECES = ['a', 'b', 'ab', 'ba', ' ', '  ', '\n', 'é', '😀', 'x', 'B', 'A']

/**
 * Events with the position where the match began (null if it does not matter) and the character at which they are
 * reached.
 */
type Met = `${number} ${number | 'any'} ${number} ${0 | 1}`

function metByStream(stream: Stream, kinds: readonly number[]): ReadonlySet<Met> {
  const found = new Set<Met>()
  let state = beginStream(stream)
  for (const [at, kind] of kinds.entries()) {
    state = nextInStream(stream, state, kind)
    for (let one = stream.reportStarts[state] ?? 0; one < (stream.reportStarts[state + 1] ?? 0);) {
      const report = stream.reports[one] ?? 0
      const event = report >>> 8
      const late = (report >>> 7) & 1
      const length = report & 127
      expect(length).not.toBe(TOO_LONG)
      const isPlaced = stream.machine.placedEvents[event] === true
      found.add(`${event} ${isPlaced ? at - length : 'any'} ${at} ${late === 1 ? 1 : 0}`)
      one += 1
    }
  }
  return found
}

/** The plain way: the machine is entered at every place of the text. */
function metFromEveryPlace({ machine }: Stream, kinds: readonly number[]): ReadonlySet<Met> {
  const found = new Set<Met>()
  for (const from of kinds.keys()) {
    let state = startOf(machine, from === 0 ? null : (kinds[from - 1] ?? END))
    for (let at = from; at < kinds.length && (at === from || state !== DEAD); at += 1) {
      state = nextOf(machine, state, kinds[at] ?? END)
      for (const event of eventsOf(machine, state)) {
        const isPlaced = machine.placedEvents[event >>> 1] === true
        found.add(`${event >>> 1} ${isPlaced ? from : 'any'} ${at} ${event % 2 === 1 ? 1 : 0}`)
      }
    }
  }
  return found
}

describe('[C16] one pass over a text', () => {
  it('meets what a walk from every place meets', () => {
    const { alphabet, streams } = createPrefilter(PATTERNS.map(compiled))
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 30 }), (pieces) => {
        const text = Array.from(pieces.join(''))
        const kinds = [...text.map((char) => alphabet.classOf(char.codePointAt(0) ?? 0)), END]
        for (const stream of streams)
          expect(metByStream(stream, kinds)).toEqual(metFromEveryPlace(stream, kinds))
      }),
      casesOf('matcher: stream'),
    )
  })

  it('leaves what is longer than it counts to the patterns', () => {
    const patterns = ['find\\s+.{0,9}book', 'fix\\s+(?!not)it', 'fix\\s*;', 'say(?:\\s{1,90}no){2}']
    const signals = [...EIGHT, ...patterns].map(compiled)
    warmUp(signals)
    for (const blanks of [1, 58, 59, 60, 61, 62, 63, 64, 65, 66, 200, 5000])
      for (const text of [
        'find the book',
        'fix it',
        'fix not',
        'fix ;',
        'say no no',
        'say no on',
      ]) {
        const long = text.replaceAll(' ', ' '.repeat(blanks))
        expect(scanText(signals, createTextFacts(long)).fired, `${text} ${blanks}`).toEqual(
          exactly(signals, long),
        )
      }
  })

  it('begins its table anew in the middle of a text that brings more states than it holds', () => {
    // After 16 characters of two kinds, the open states are 65,536 sets of positions.
    const signals = [...EIGHT, 'a[ab]{16}c', 'b[ab]{0,16}d(?!d)'].map(compiled)
    warmUp(signals)
    let seed = 1
    const letters = Array.from({ length: 120_000 }, () => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
      return seed & 0x10000 ? 'a' : 'b'
    }).join('')
    const ends = ['', 'c', 'd', 'dd', `aac b${'a'.repeat(17)}d`, ' alpha']
    for (const end of someCases('matcher: stream, full table', ends))
      expect(scanText(signals, createTextFacts(letters + end)).fired).toEqual(
        exactly(signals, letters + end),
      )
  })
})
