import { lengthOf } from '../../candidates.ts'
import { type QueryCodes, paddedOf, strideOf } from './segment.ts'

/** Largest code of a row. */
const MOST = 127
/** Maximum error of 32-bit floats in the kernel: a few roundings of numbers not much above 1. */
const ROUNDING = 1e-6

function largestOf(vector: Float32Array): number {
  let largest = 0
  for (const value of vector) largest = Math.max(largest, Math.abs(value))
  return largest
}

/**
 * [D31] One row as the kernel reads it: codes of the unit vector, their scale, and how far scale times
 * codes is off in length: measured, not assumed, and rounded up. A vector without direction is all zero.
 */
export function quantiseRow(vector: Float32Array, into: Uint8Array): void {
  const padded = paddedOf(vector.length)
  const view = new DataView(into.buffer, into.byteOffset, strideOf(vector.length))
  into.fill(0)
  const length = lengthOf(vector)
  if (length === 0) return
  const scale = Math.fround(largestOf(vector) / length / MOST)
  const codes = new Int8Array(into.buffer, into.byteOffset, padded)
  let error = 0
  for (let index = 0; index < vector.length; index += 1) {
    const unit = (vector[index] ?? 0) / length
    const code = Math.max(-MOST, Math.min(MOST, Math.round(unit / scale)))
    codes[index] = code
    const off = unit - scale * code
    error += off * off
  }
  view.setFloat32(padded, scale, true)
  view.setFloat32(padded + 4, Math.sqrt(error) * (1 + ROUNDING), true)
}

/** [D31] A query in 16-bit codes, as many as the sum of products with row codes has room for in 32 bits. */
export function quantiseQuery(vector: Float32Array): QueryCodes {
  const codes = new Int16Array(paddedOf(vector.length))
  const length = lengthOf(vector)
  if (length === 0) return { codes, scale: 0, error: ROUNDING }
  const most = Math.min(32_767, Math.floor((2 ** 31 - 1) / MOST / codes.length))
  const scale = Math.fround(largestOf(vector) / length / most)
  let error = 0
  vector.forEach((value, index) => {
    const unit = value / length
    const code = Math.max(-most, Math.min(most, Math.round(unit / scale)))
    codes[index] = code
    error += (unit - scale * code) ** 2
  })
  return { codes, scale, error: Math.sqrt(error) * (1 + ROUNDING) + ROUNDING }
}
