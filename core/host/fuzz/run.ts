import { checkAny } from './check.ts'
import { checkDocument, documentOf } from './check-documents.ts'
import type { WholeDocument } from './check-documents.ts'
import { checkLines, linesOf } from './check-lines.ts'
import type { WholeLines } from './check-lines.ts'
import { mutate } from './mutate.ts'
import { createRandom, mixed } from './random.ts'
import type { Random } from './random.ts'
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
  const lines: WholeLines[] = []
  const documents: WholeDocument[] = []
  for (const seed of seeds.filter((each) => !isPacked(each))) {
    const whole = await linesOf(seed)
    if (whole !== null) lines.push(whole)
    const document = whole === null ? await documentOf(seed) : null
    if (document !== null) documents.push(document)
  }

  async function damaged(index: number, random: Random): Promise<Failure | null> {
    const at = random.below(lines.length + documents.length)
    const [whole, document] = [lines[at], documents[at - lines.length]]
    const what = await guarded(async () => {
      if (whole !== undefined) return checkLines(whole, random)
      return document === undefined ? null : checkDocument(document, random)
    })
    const seed = whole?.seed ?? document?.seed
    return what === null || seed === undefined
      ? null
      : { index, seed: seed.name, what, bytes: seed.bytes }
  }

  return {
    async run(index) {
      const random = createRandom(mixed(start, index))
      if (index % 4 === 0 && lines.length + documents.length > 0) return damaged(index, random)
      const seed = random.pick(seeds)
      const whole = lines.find((each) => each.seed === seed)
      const from = whole === undefined ? seed.bytes : pieceOf(whole, random)
      const bytes = mutate(from, random, isPacked(seed))
      const what = await guarded(() => checkAny(bytes, random))
      return what === null ? null : { index, seed: seed.name, what, bytes }
    },
  }
}

/** Lines of a piece of a fixture. */
const PIECE = 8

/** Most cases start from a few lines: they fail in the same ways, and many more can be run. */
function pieceOf({ seed, lines }: WholeLines, random: Random): Buffer {
  if (lines.length <= PIECE || random.below(4) === 0) return seed.bytes
  const [first = '', ...rest] = lines
  const at = random.below(rest.length - PIECE + 2)
  const piece = [first, ...rest.slice(at, at + PIECE - 1)]
  return Buffer.from(piece.map((line) => `${line}\n`).join(''))
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
