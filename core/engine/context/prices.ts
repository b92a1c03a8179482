import { z } from 'zod'
import type { Immutable } from '../schema/immutable.ts'
import type { ModelCall } from '../schema/context.ts'

const price = z.number().min(0)

/** Prices of one model per million tokens. Cached tokens cost as much as input if they have no price. */
const ModelPrice = z.strictObject({
  input: price,
  output: price,
  cacheRead: price.optional(),
  cacheWrite: price.optional(),
})

/** [X10] A file of prices, which the user writes: none ships, because prices change. */
export const PriceFile = z.looseObject({
  /** Shown behind each cost, for example `USD`. */
  currency: z.string().min(1).max(10),
  /** Prices per million tokens by model. A name also counts for all models that begin with it. */
  models: z.record(z.string().min(1), ModelPrice),
})
export type PriceFile = Immutable<z.infer<typeof PriceFile>>

const MILLION = 1_000_000

/** [X10] The cost of a call; null if the file has no price for its model. The longest fitting name counts. */
export function costOf(
  call: ModelCall,
  model: string | null,
  { models }: PriceFile,
): number | null {
  if (model === null) return null
  const names = Object.keys(models).filter((name) => model === name || model.startsWith(name))
  const name = names.toSorted((a, b) => b.length - a.length)[0]
  const prices = name === undefined ? undefined : models[name]
  if (prices === undefined) return null
  const { input, output, cacheRead = input, cacheWrite = input } = prices
  const sum =
    call.input * input +
    call.cacheRead * cacheRead +
    call.cacheWrite * cacheWrite +
    call.output * output
  return sum / MILLION
}
