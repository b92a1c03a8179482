import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { withoutModifiers } from './gitleaks.ts'
import { GITLEAKS } from './gitleaks-table.ts'

const matched = (pattern: string, text: string) => {
  const found = new RegExp(pattern, 'y').exec(text)
  // A group that took no part has no text.
  const groups: ReadonlyArray<string | undefined> = found ?? []
  return found === null ? null : groups
}

it.each([
  ['(?i:ab)c', '(?:[aA][bB])c'],
  ['(?i:[a-f0-9]{2}(?-i:Q)x)(y)', '(?:[a-fA-F0-9]{2}(?:Q)[xX])(y)'],
  [String.raw`(?i:\x41\d[\w-])`, String.raw`(?:\x41\d[\w-])`],
  ['(?<v>(?i:(k|[^x])))', '(?<v>(?:([kK]|[^xX])))'],
])('%s is %s', (pattern, plain) => expect(withoutModifiers(pattern)).toBe(plain))

it('no rule needs more of a regular expression than Node 20 knows', () => {
  const modified = GITLEAKS.filter(({ shape }) => /\(\?-?i:/u.test(shape))
  expect(modified.length).toBeGreaterThan(50)
  for (const { shape } of modified) expect(withoutModifiers(shape)).not.toMatch(/\(\?-?[ims]/u)
})

/**
 * The results of Node's own groups, from a separate process. In a process that had run thousands of other patterns
 * before, V8 (13.6, Node 24.21) was seen to miss matches that it otherwise finds.
 */
function asked(pairs: readonly Pair[]): ReadonlyArray<ReadonlyArray<string | null> | null> {
  const script = `
    const pairs = JSON.parse(require('node:fs').readFileSync(0, 'utf8'))
    const all = pairs.map(([pattern, text]) => new RegExp(pattern, 'y').exec(text))
    process.stdout.write(JSON.stringify(all))`
  const input = JSON.stringify(pairs)
  const out = execFileSync(process.execPath, ['-e', script], { input, maxBuffer: 64_000_000 })
  return JSON.parse(out.toString('utf8')) as ReturnType<typeof asked>
}

type Pair = readonly [pattern: string, text: string]

it('[F123] every rule without modifiers matches what it matches with them', () => {
  const shapes = GITLEAKS.map(({ shape }) => shape).filter((shape) => shape.includes('(?'))
  const pairs: Pair[] = []
  for (const shape of shapes) {
    // Texts that the rule matches, in any case, and variants with a few letters changed.
    const texts = fc.tuple(
      fc.stringMatching(new RegExp(withoutModifiers(shape))),
      fc.boolean(),
      fc.nat(),
    )
    for (const [text, isUpper, at] of fc.sample(texts, { numRuns: 5, seed: 20_261_126 })) {
      const cased = isUpper ? text.toUpperCase() : text.toLowerCase()
      const place = at % (text.length + 1)
      const changed = `${text.slice(0, place)}%${text.slice(place + 1)}`
      for (const each of [text, cased, changed]) pairs.push([shape, each])
    }
  }
  const wanted = asked(pairs)
  // JSON has no undefined: a group that took no part is null there.
  const own = pairs.map(
    ([shape, text]) => matched(withoutModifiers(shape), text)?.map((part) => part ?? null) ?? null,
  )
  expect(own).toEqual(wanted)
  expect(wanted.filter((found) => found !== null).length).toBeGreaterThan(300)
  expect(wanted.filter((found) => found === null).length).toBeGreaterThan(100)
})
