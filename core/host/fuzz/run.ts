import { checkAny } from './check.ts'
import { checkLines, wholeOf } from './check-lines.ts'
import type { Whole } from './check-lines.ts'
import { mutate } from './mutate.ts'
import { createRandom, mixed } from './random.ts'
import { isPacked } from './seeds.ts'
import type { Seed } from './seeds.ts'

/** One case: a number that makes the same mutation of the same fixture again. */
export interface Failure {
  readonly index: number
  readonly seed: string
  readonly what: string
  readonly bytes: Buffer
}

/** Runs cases of one family. */
export interface Fuzzer {
  /** Null when all holds. */
  readonly run: (index: number) => Promise<Failure | null>
}

/** Every fourth case is damage that must cost nothing else, the rest are mutations of every kind. */
export async function createFuzzer(seeds: readonly Seed[], start: number): Promise<Fuzzer> {
  const wholes: Whole[] = []
  for (const seed of seeds) {
    const whole = isPacked(seed) ? null : await wholeOf(seed)
    if (whole !== null) wholes.push(whole)
  }
  return {
    async run(index) {
      const random = createRandom(mixed(start, index))
      if (index % 4 === 0 && wholes.length > 0) {
        const whole = random.pick(wholes)
        const what = await guarded(() => checkLines(whole, random))
        return what === null
          ? null
          : { index, seed: whole.seed.name, what, bytes: whole.seed.bytes }
      }
      const seed = random.pick(seeds)
      const bytes = mutate(seed.bytes, random, isPacked(seed))
      const what = await guarded(() => checkAny(bytes, random))
      return what === null ? null : { index, seed: seed.name, what, bytes }
    },
  }
}

async function guarded(check: () => Promise<string | null>): Promise<string | null> {
  try {
    return await check()
  } catch (error) {
    return `threw ${error instanceof Error ? (error.stack ?? error.message).slice(0, 800) : String(error)}`
  }
}

const MAX_TRIES = 400

/** A smaller file that fails in the same way: pieces are left out for as long as it still does. */
export async function smallest(failure: Failure, onTry: () => void): Promise<Buffer> {
  const sameAs = failure.what.slice(0, 30)
  const fails = async (bytes: Buffer): Promise<boolean> => {
    onTry()
    const what = await guarded(() => checkAny(bytes, createRandom(failure.index)))
    return what !== null && what.slice(0, 30) === sameAs
  }
  let bytes = failure.bytes
  if (!(await fails(bytes))) return bytes
  let tries = 0
  for (let size = bytes.length >> 1; size > 0 && tries < MAX_TRIES; size >>= 1) {
    for (let at = 0; at < bytes.length && tries < MAX_TRIES; tries += 1) {
      const shorter = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + size)])
      if (await fails(shorter)) bytes = shorter
      else at += size
    }
  }
  return bytes
}
