/** Texts as vectors of one length, with the class (from 0) of each. */
export interface Examples {
  readonly vectors: readonly Float32Array[]
  readonly classes: readonly number[]
  /** Number of classes. */
  readonly size: number
}

/** Shares of the classes for a vector; they add up to 1. */
export type Head = (vector: Float32Array) => readonly number[]

/** Unit vectors of hundreds of dimensions differ little in each: scaled, a step of descent is worth taking. */
const SCALE = 4
/** Weight of the shrinkage, in examples: few labels give a head that says little more than base rates. */
const SHRINKAGE = 1
const STEPS = 60
const RATE = 0.2
const INERTIA = 0.9

function meanOf(vectors: readonly Float32Array[], length: number): Float64Array {
  const mean = new Float64Array(length)
  for (const vector of vectors)
    for (let at = 0; at < length; at += 1) mean[at] = (mean[at] ?? 0) + (vector[at] ?? 0)
  return mean.map((sum) => sum / Math.max(1, vectors.length))
}

/** Centred and scaled, with a last 1 for the base rate of the class. */
function inputOf(vector: Float32Array, mean: Float64Array): Float64Array {
  const input = new Float64Array(mean.length + 1)
  for (let at = 0; at < mean.length; at += 1)
    input[at] = ((vector[at] ?? 0) - (mean[at] ?? 0)) * SCALE
  input[mean.length] = 1
  return input
}

function sharesOf(weights: readonly Float64Array[], input: Float64Array): number[] {
  const sums = weights.map((row) => {
    let sum = 0
    for (let at = 0; at < input.length; at += 1) sum += (row[at] ?? 0) * (input[at] ?? 0)
    return sum
  })
  const largest = Math.max(...sums)
  const powers = sums.map((sum) => Math.exp(sum - largest))
  const total = powers.reduce((a, b) => a + b, 0)
  return powers.map((power) => power / total)
}

/** Adds the gradient of one example: the predicted share of each class minus the actual one. */
function addGradient(
  gradient: readonly Float64Array[],
  input: Float64Array,
  shares: readonly number[],
  is: number,
): void {
  for (const [place, row] of gradient.entries()) {
    const off = (shares[place] ?? 0) - (place === is ? 1 : 0)
    for (let at = 0; at < input.length; at += 1) row[at] = (row[at] ?? 0) + off * (input[at] ?? 0)
  }
}

const EMPTY = new Float64Array(0)

interface Step {
  readonly slope: Float64Array
  /** Mutated: the decayed sum of earlier steps. */
  readonly speed: Float64Array
  /** Examples. */
  readonly count: number
}

/** One step down; the last weight is the base rate of the class, which is not shrunk. */
function descend(row: Float64Array, { slope, speed, count }: Step): void {
  const last = row.length - 1
  for (let at = 0; at <= last; at += 1) {
    const pull = at < last ? SHRINKAGE * (row[at] ?? 0) : 0
    speed[at] = INERTIA * (speed[at] ?? 0) + ((slope[at] ?? 0) + pull) / count
    row[at] = (row[at] ?? 0) - RATE * (speed[at] ?? 0)
  }
}

/**
 * [L80] Softmax regression over sentence vectors, by plain gradient descent from zero with a fixed number
 * of steps: the same examples in the same order give the same head, to the last bit. All weights but the
 * base rates are shrunk. Yields the number of the step it has done.
 */
export function* trainHead({
  vectors,
  classes,
  size,
}: Examples): Generator<number, Head, undefined> {
  const length = vectors[0]?.length ?? 0
  const mean = meanOf(vectors, length)
  const inputs = vectors.map((vector) => inputOf(vector, mean))
  const rows = () => Array.from({ length: size }, () => new Float64Array(length + 1))
  const weights = rows()
  const speed = rows()
  const count = Math.max(1, inputs.length)
  for (let step = 0; step < STEPS; step += 1) {
    const gradient = rows()
    for (const [place, input] of inputs.entries())
      addGradient(gradient, input, sharesOf(weights, input), classes[place] ?? -1)
    for (const [place, row] of weights.entries())
      descend(row, { slope: gradient[place] ?? EMPTY, speed: speed[place] ?? EMPTY, count })
    yield step + 1
  }
  return (vector) => sharesOf(weights, inputOf(vector, mean))
}

export const HEAD_STEPS = STEPS

/** The cosine of two vectors of length 1. */
export function similarity(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let at = 0; at < a.length; at += 1) sum += (a[at] ?? 0) * (b[at] ?? 0)
  return sum
}
