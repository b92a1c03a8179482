import { expect, it } from 'vitest'
import { DEFAULT_COACH } from '../../../wire/defaults.ts'
import { createCeiling } from './ceiling.ts'
import { MAX_OUTPUT_TOKENS } from './model-client.ts'

const PRICED = { ...DEFAULT_COACH, inputPrice: 1, outputPrice: 10 }
/** Dollars that a call of 1,000 tokens in may cost at most. */
const MOST = (1000 + 10 * MAX_OUTPUT_TOKENS) / 1_000_000

it('[V42] a call is booked at the most it may use; what was used replaces it', async () => {
  const ceiling = createCeiling({ ...PRICED, maxCost: MOST * 2 })
  expect(await ceiling.reserve(1000)).toBeNull()
  expect(await ceiling.reserve(1000)).toBeNull()
  // Nothing fits while both are on their way; it does once one of them needed less.
  const third = ceiling.reserve(1000)
  ceiling.settle(1000, { inputTokens: 1000, outputTokens: 10 })
  ceiling.settle(1000, null)
  expect(await third).toBeNull()
  expect(ceiling.said()).toBe('0.0011 dollars, 1010 tokens')
})

it('[V42] the refusal says the ceiling and what was used', async () => {
  const ceiling = createCeiling({ ...DEFAULT_COACH, maxTokens: 3000 })
  expect(await ceiling.reserve(1000)).toBeNull()
  ceiling.settle(1000, { inputTokens: 1000, outputTokens: 50 })
  expect((await ceiling.reserve(1000))?.what).toContain(
    '3000 tokens; used: 1050 tokens, prices unknown',
  )
})

it('[V42] a server that does not say what was used counts as the most', async () => {
  const ceiling = createCeiling({ ...DEFAULT_COACH, maxTokens: 4000 })
  await ceiling.reserve(1000)
  ceiling.settle(1000, { inputTokens: null, outputTokens: null })
  expect(ceiling.said()).toContain(`${1000 + MAX_OUTPUT_TOKENS} tokens`)
})

it('[V42] dollars without prices count nothing: the run does not begin, unless tokens are bounded too', async () => {
  const { problem } = createCeiling({ ...DEFAULT_COACH, maxCost: 1 })
  expect(problem).toMatchObject({ kind: 'ceiling' })
  expect(problem?.do).toContain('--max-tokens-total')
  expect(createCeiling({ ...DEFAULT_COACH, maxCost: 1, maxTokens: 9000 }).problem).toBeNull()
  expect(await createCeiling(DEFAULT_COACH).reserve(1e9)).toBeNull()
})
