import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { caseCount, SEED } from '../../../fixtures/cases.ts'
import { z } from 'zod'
import { FAMILIES } from '../../../fixtures/fuzz/families.ts'

// Cases that once failed, and a few of each family that is not a transcript format. If the generator changes, the same
// numbers give different cases, so each finding also has its own test.

const Kept = z.array(
  z.object({ family: z.string(), seed: z.int(), index: z.int(), found: z.string().min(1) }),
)
const kept = Kept.parse(
  JSON.parse(
    readFileSync(new URL('../../../fixtures/fuzz/kept-seeds.json', import.meta.url), 'utf8'),
  ),
)
const RUNS = caseCount('fuzz: families without a format')

describe.each(['rpc', 'workspace', 'archives', 'exports'])('family %s', (name) => {
  const family = FAMILIES.find((each) => each.name === name)
  if (family === undefined) throw new Error(`there is no family ${name}`)

  it('[I62] [I66] its first cases, and those that were found to fail, are all answered', async () => {
    const cases = [
      ...Array.from({ length: RUNS }, (_, index) => ({ seed: SEED, index })),
      ...kept.filter((each) => each.family === name),
    ]
    for (const seed of new Set(cases.map((each) => each.seed))) {
      const fuzzer = await family.open(seed)
      for (const { index } of cases.filter((each) => each.seed === seed)) {
        const failure = await fuzzer.run(index)
        const again = `npm run fuzz -- --family ${name} --seed ${seed} --only ${index}`
        if (failure !== null) expect.fail(`${failure.seed}: ${failure.what}\n${again}`)
      }
      await fuzzer.close?.()
    }
  })
})

it('[I66] a case that was kept belongs to a family that there is', () => {
  const names = FAMILIES.map(({ name }) => name)
  expect(kept.filter(({ family }) => !names.includes(family))).toEqual([])
})
