import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { fieldWords, issueWords } from './issue-words.ts'

const Shape = z.strictObject({
  names: z.array(z.string().max(5)).max(2),
  weight: z.number().min(0).lt(10),
  count: z.int().optional(),
  mode: z.enum(['cosine', 'hybrid']).optional(),
  kind: z.literal('x').optional(),
  id: z
    .string()
    .regex(/^[a-z]+$/u)
    .optional(),
  own: z
    .string()
    .refine((text) => text !== 'no', 'Say yes.')
    .optional(),
  either: z.union([z.string(), z.number()]).optional(),
})
const good = { names: [], weight: 1 }

const CASES: ReadonlyArray<readonly [given: unknown, words: string]> = [
  [{ weight: 1 }, '"names" is missing: a list belongs here'],
  [{ ...good, names: 'a' }, '"names" must be a list'],
  [{ ...good, names: ['a', 'b', 'c'] }, '"names" must have at most 2 entries'],
  [{ ...good, names: ['abcdef'] }, '"names.0" must have at most 5 characters'],
  [{ ...good, weight: -1 }, '"weight" must be at least 0'],
  [{ ...good, weight: 10 }, '"weight" must be less than 10'],
  [{ ...good, count: 'three' }, '"count" must be a number'],
  [{ ...good, count: 1.5 }, '"count" must be a whole number'],
  [{ ...good, mode: 'exact' }, '"mode" must be one of "cosine", "hybrid"'],
  [{ ...good, kind: 'y' }, '"kind" must be "x"'],
  [{ ...good, id: 'A!' }, '"id" has characters or a form that this field does not take'],
  [{ ...good, own: 'no' }, '"own": Say yes.'],
  [{ ...good, either: null }, '"either" has none of the forms that this field takes'],
  [{ ...good, more: 1, most: 2 }, 'the file has unknown fields "more", "most"'],
  [{ ...good, more: 1 }, 'the file has an unknown field "more"'],
  [null, 'the file must be an object with named fields'],
]

describe('[U174] what is wrong with a value', () => {
  it.each(CASES)('%j', (given, words) => {
    const [issue] = Shape.safeParse(given).error?.issues ?? []
    expect(fieldWords(issue, 'the file')).toBe(words)
    // Never the library's own words.
    expect(issue && issueWords(issue)).not.toMatch(
      /Invalid input|received|Unrecognized|Too (?:big|small)/u,
    )
  })
})
