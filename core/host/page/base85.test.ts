import fc from 'fast-check'
import { expect, it } from 'vitest'
import { fromBase85, toBase85 } from './base85.ts'

it('[R11] gives every sequence of bytes back, in letters that neither end a script nor escape', () =>
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
      const text = toBase85(bytes)
      expect(text).not.toMatch(/[^!-~]|[<&"'\\]/u)
      expect(text.length).toBe(Math.ceil((bytes.length * 5) / 4))
      expect([...fromBase85(text)]).toEqual([...bytes])
    }),
  ))

it.each([1, 2, 3, 4, 5])('[R11] gives %i bytes of ones back', (length) => {
  const bytes = new Uint8Array(length).fill(255)
  expect(fromBase85(toBase85(bytes))).toEqual(bytes)
})
