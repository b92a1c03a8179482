import { expect, it } from 'vitest'
import { partsFor } from './plan.ts'

const MB = 1024 * 1024

it.each([
  [0, 1],
  [1, 1],
  [16 * MB, 1],
  [16 * MB + 1, 2],
  [1034 * MB, 65],
  [4096 * MB, 256],
  [8192 * MB, 256],
  [8192 * MB + 1, 257],
  [1024 * 1024 * MB, 1024],
])('[F116] %i bytes of input are divided into %i parts', (bytes, parts) => {
  expect(partsFor(bytes)).toBe(parts)
})
