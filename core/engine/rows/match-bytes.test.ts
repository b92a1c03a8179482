import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createMatchWriter, readMatches } from './match-bytes.ts'

const fired = fc
  .uniqueArray(fc.nat(400), { maxLength: 30 })
  .map((all) => all.toSorted((a, b) => a - b))
const sessions = fc.array(fc.array(fired, { minLength: 1, maxLength: 12 }), { maxLength: 12 })

function written(all: ReadonlyArray<ReadonlyArray<readonly number[]>>): Uint8Array {
  const writer = createMatchWriter()
  for (const session of all) {
    for (const turn of session) writer.turn(turn)
    writer.endSession()
  }
  return writer.bytes()
}

test('[F145] matches come back as they were written', () => {
  fc.assert(
    fc.property(sessions, (all) => {
      const read = readMatches(written(all), 401)
      if (!read.ok) throw new Error(read.error)
      const { firsts, starts, numbers } = read.value
      const back = [...firsts]
        .slice(0, -1)
        .map((first, session) =>
          Array.from({ length: (firsts[session + 1] ?? 0) - first }, (_, at) => [
            ...numbers.subarray(starts[first + at], starts[first + at + 1]),
          ]),
        )
      expect(back).toEqual(all)
    }),
  )
})

test('[F145] bytes that were cut off, or that are others, are damage or other numbers, and never an endless loop', () => {
  fc.assert(
    fc.property(sessions, fc.nat(), fc.nat(255), (all, place, byte) => {
      const bytes = written(all)
      const cut = bytes.slice(0, place % bytes.length)
      expect(readMatches(cut, 401).ok).toBe(false)
      const other = bytes.slice()
      other[place % bytes.length] = byte
      const read = readMatches(other, 401)
      if (read.ok) expect(read.value.numbers.every((number) => number < 401)).toBe(true)
      expect(readMatches(Uint8Array.of(...bytes, 0), 401).ok).toBe(false)
    }),
  )
  // A session of four billion turns, of which none is there.
  expect(readMatches(Uint8Array.of(0x54, 0x53, 0x4d, 1, 255, 255, 255, 255, 15), 401).ok).toBe(
    false,
  )
})
