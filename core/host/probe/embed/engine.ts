import type { AbortSignalLike } from '../../../engine/probe/ports.ts'
import { type Problem, type Result, err, ok } from '../../../engine/result.ts'

/** An opened embedder without its settings. */
export interface Engine {
  readonly id: string
  /** Null until the first answer, where only the model knows. */
  readonly dimensions: number | null
  readonly remote: boolean
  embed(texts: readonly string[], signal: AbortSignalLike): Promise<Result<readonly Float32Array[]>>
  close(): Promise<void>
}

/** [D22] A vector of length 1. Null if it has no direction, because a value is not finite or all values are 0. */
export function unit(values: ArrayLike<number>): Float32Array | null {
  const vector = Float32Array.from(values)
  let squares = 0
  for (const value of vector) squares += value * value
  const length = Math.sqrt(squares)
  if (!Number.isFinite(length) || length === 0) return null
  return vector.map((value) => value / length)
}

/** [D22] Vectors as an embedder may hand them out: one a text, each of length 1, all of one size. */
export function checked(
  vectors: ReadonlyArray<ArrayLike<number>>,
  expected: { readonly count: number; readonly dimensions: number | null; readonly where: string },
): Result<readonly Float32Array[]> {
  const refuse = (what: string) => err(wrong(what, expected.where))
  if (vectors.length !== expected.count) {
    return refuse(`${vectors.length} vectors came for ${expected.count} texts`)
  }
  const dimensions = expected.dimensions ?? vectors[0]?.length ?? 0
  const units: Float32Array[] = []
  for (const vector of vectors) {
    if (vector.length !== dimensions) {
      return refuse(`a vector has ${vector.length} numbers where ${dimensions} belong`)
    }
    const made = unit(vector)
    if (made === null)
      return refuse('a vector has no direction: a number in it is none, or all are 0')
    units.push(made)
  }
  return ok(units)
}

function wrong(what: string, where: string): Problem {
  return { what, where, do: 'Choose another embedder, or check this one' }
}
