import fc from 'fast-check'
import { expect, test } from 'vitest'
import { processorMs } from '../../../fixtures/processor.ts'
import { diffTexts } from './text-diff.ts'

const joined = (parts: ReturnType<typeof diffTexts>, without: string) =>
  parts.flatMap(({ op, text }) => (op === without ? [] : [text])).join('')

const text = fc
  .array(fc.constantFrom('a', 'b', 'the lock ', 'run\n', '\n', ' ', '# Head\n', '😀', 'é'))
  .map((parts) => parts.join(''))

test('parts give both texts back, whatever they are; equal neighbours are one part', () =>
  fc.assert(
    fc.property(text, text, (before, after) => {
      const parts = diffTexts(before, after)
      expect(joined(parts, 'added')).toBe(before)
      expect(joined(parts, 'removed')).toBe(after)
      expect(parts.every(({ op }, index) => op !== parts[index - 1]?.op)).toBe(true)
    }),
  ))

test('inside a changed line only the changed words differ; unlike lines differ as a whole', () => {
  const base = 'one\nthe lock is held for 900 seconds\nthree\n'
  expect(diffTexts(base, base.replace('900', '600'))).toEqual([
    { op: 'same', text: 'one\nthe lock is held for ' },
    { op: 'removed', text: '900' },
    { op: 'added', text: '600' },
    { op: 'same', text: ' seconds\nthree\n' },
  ])
  expect(diffTexts('one\na b\n', 'one\nsomething else entirely\n')).toEqual([
    { op: 'same', text: 'one\n' },
    { op: 'removed', text: 'a b\n' },
    { op: 'added', text: 'something else entirely\n' },
  ])
})

test('texts without a common line end in bounded time, as a whole', () => {
  const lines = (name: string) =>
    Array.from({ length: 40_000 }, (_, line) => `${name} ${line}\n`).join('')
  const left = lines('left')
  const right = lines('right')
  let ops: readonly string[] = []
  const used = processorMs(() => {
    ops = diffTexts(left, right).map(({ op }) => op)
  })
  expect(used).toBeLessThan(3000)
  expect(ops).toEqual(['removed', 'added'])
})
