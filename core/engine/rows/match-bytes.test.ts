import fc from 'fast-check'
import { expect, test } from 'vitest'
import { casesOf } from '../../../fixtures/cases.ts'
import { initialBeliefState } from '../belief/momentum.ts'
import { MATCHES_MAGIC, createSessionMatches, readMatches } from './match-bytes.ts'
import { createMatchWriter } from './match-writer.ts'

const SIGNALS = 401
const fired = fc
  .uniqueArray(fc.nat(SIGNALS - 1), { maxLength: 30 })
  .map((all) => all.toSorted((a, b) => a - b))
const state = fc.record({
  signature: fc.constantFrom('', 'a', 'a+ü'),
  momentum: fc.nat(300),
  primary: fc.constantFrom(null, 'a', 'ü'),
  resistedRun: fc.nat(3),
  unsupportedRun: fc.nat(3),
})
const turn = fc.record({ fired, state })
const sessions = fc.array(fc.array(turn, { minLength: 1, maxLength: 12 }), { maxLength: 12 })

type Turns = ReadonlyArray<{ fired: readonly number[]; state: typeof initialBeliefState }>

function written(all: readonly Turns[]): Uint8Array {
  const writer = createMatchWriter(SIGNALS)
  for (const turns of all) {
    for (const { fired, state } of turns) writer.turn(fired, state)
    writer.endSession()
  }
  return writer.bytes()
}

/** All sessions, read one after the other into the same room; null: something is damaged. */
function readAll(bytes: Uint8Array) {
  const stored = readMatches(bytes, SIGNALS)
  if (!stored.ok) return null
  const { firsts, states, read, has } = stored.value
  const room = createSessionMatches()
  const all: Turns[] = []
  for (let session = 0; session + 1 < firsts.length; session += 1) {
    if (!read(session, room).ok) return null
    all.push(
      Array.from({ length: room.turns }, (_, at) => ({
        fired: [...room.numbers.subarray(room.starts[at], room.starts[at + 1])],
        state: states[room.states[at] ?? -1] ?? initialBeliefState,
      })),
    )
  }
  return { all, has, turns: stored.value.turns }
}

test('[F145] matches and states come back as they were written, and the directory says where a signal matched', () => {
  fc.assert(
    fc.property(sessions, (all) => {
      const back = readAll(written(all))
      expect(back?.all).toEqual(all)
      expect(back?.turns).toBe(all.flat().length)
      for (const [session, turns] of all.entries()) {
        const matched = new Set(turns.flatMap(({ fired }) => fired))
        for (let signal = 0; signal < SIGNALS; signal += 1)
          expect(back?.has(session, signal)).toBe(matched.has(signal))
      }
    }),
    casesOf('rows: matches written'),
  )
})

test('[F145] bytes that were cut off, or that are others, are damage or other numbers, and never an endless loop', () => {
  fc.assert(
    fc.property(sessions, fc.nat(), fc.nat(255), (all, place, byte) => {
      const bytes = written(all)
      expect(readAll(bytes.slice(0, place % bytes.length))).toBeNull()
      const other = bytes.slice()
      other[place % bytes.length] = byte
      const read = readAll(other)
      for (const { fired } of read?.all.flat() ?? [])
        expect(fired.every((number) => number < SIGNALS)).toBe(true)
      expect(readAll(Uint8Array.of(...bytes, 0))).toBeNull()
    }),
  )
  const enormous = [255, 255, 255, 255, 15]
  // Four billion sessions, of which none is there, and states that are longer than the file.
  expect(readAll(Uint8Array.of(...MATCHES_MAGIC, 2, 0x5b, 0x5d, ...enormous))).toBeNull()
  expect(readAll(Uint8Array.of(...MATCHES_MAGIC, ...enormous))).toBeNull()
  const badStates = Uint8Array.of(...MATCHES_MAGIC, 2, 0x5b, 0x7b, 0)
  expect(readMatches(badStates, SIGNALS)).toEqual({
    ok: false,
    error: 'the states from byte 5 on are damaged',
  })
  // Ten bytes that go on as one number.
  expect(readAll(Uint8Array.of(...MATCHES_MAGIC, ...Array<number>(10).fill(255)))).toBeNull()
})

test('[F145] the form of before, without states, is refused', () => {
  const read = readMatches(Uint8Array.of(0x54, 0x53, 0x4d, 1, 0), SIGNALS)
  expect(read).toEqual({ ok: false, error: 'no matches of this version' })
})
