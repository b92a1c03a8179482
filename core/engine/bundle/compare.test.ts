import { expect, it } from 'vitest'
import { type MeasuredStep, compareProvenance, overflowWords } from './compare.ts'

const file = (path: string, sha256: string) => ({ path, sha256, size_bytes: 1 })

it('[A6] files are same, changed or new against the run before; gone ones come last', () => {
  const before = [file('a', '1'), file('b', '1'), file('d', '1')]
  const after = [file('b', '2'), file('a', '1'), file('c', '1')]
  expect(compareProvenance(before, after).map(({ path, change }) => [path, change])).toEqual([
    ['b', 'changed'],
    ['a', 'same'],
    ['c', 'new'],
    ['d', 'gone'],
  ])
})

type Measure = MeasuredStep['measures'][number]
// The code under test reads only the tiers over budget from a measure.
const measure = (estimator: string, over: readonly string[], overContext = false) =>
  ({ estimator, over, overContext }) as unknown as Measure
const step = (label: string, parts: Partial<MeasuredStep>): MeasuredStep => ({
  label,
  cut: [],
  tier0OverContext: false,
  measures: [],
  ...parts,
})

it('[A10] says in words what is cut, and what overflows only by the real tokenizer', () => {
  const real = [measure('words13', []), measure('o200k_base', ['tier1'], true)]
  const steps = [
    step('1', { measures: real }),
    step('3', { cut: ['tier1'], measures: real }),
    step('Chapter 13', { tier0OverContext: true, cut: ['tier1'] }),
    step('4', {
      measures: [measure('words13', ['tier1'], true), measure('o200k_base', ['tier1'], true)],
    }),
  ]
  const words = overflowWords(steps, 'words13')
  expect(words[0]).toBe('tier 0 alone does not fit at Chapter 13')
  expect(words[1]).toMatch(/is cut at steps 3 and Chapter 13$/u)
  expect(words[2]).toMatch(/really overflows at steps 1 and 3$/u)
  expect(words[3]).toBe('the prompt really exceeds the context at steps 1 and 3')
  expect(overflowWords(steps, 'o200k_base')).toHaveLength(2)
  expect(overflowWords([], 'words13')).toEqual([])
})
