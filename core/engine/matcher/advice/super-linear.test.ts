import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { atLeast, casesOf, someCases } from '../../../../fixtures/cases.ts'
import { parse } from 'yaml'
import { plainSuperLinear } from '../../../../fixtures/plain-super-linear.ts'
import { parsePattern } from '../python/python-parser.ts'
import { superLinear } from './super-linear.ts'

const FLAGS = { ignoreCase: true, multiline: false, dotAll: false, verbose: false, ascii: false }

/** The results of the fast and the plain implementation; null for an invalid pattern. */
function bothOf(pattern: string) {
  const parsed = parsePattern(pattern, FLAGS)
  return parsed.ok
    ? { fast: superLinear(parsed.value), plain: plainSuperLinear(parsed.value) }
    : null
}

interface Shipped {
  readonly domains: ReadonlyArray<{
    readonly signals: ReadonlyArray<string | { readonly pattern: string }>
  }>
}

const url = new URL('../../../../profiles/domains/default.yaml', import.meta.url)
// The file's own tests say that it has this form.
const SHIPPED = (parse(readFileSync(url, 'utf8')) as Shipped).domains
  .flatMap(({ signals }) => signals)
  .map((signal) => (typeof signal === 'string' ? signal : signal.pattern))

const atom = fc.constantFrom('a', 'b', '\\w', '\\s', '.', '[ab]', '[^a]', '\\b', 'é', '(?=a)', 'ab')
const repeat = fc.constantFrom('', '', '*', '+', '?', '{2,}', '{0,2000}', '*?')
const part = fc
  .tuple(atom, repeat)
  .map(([one, times]) => (one === '\\b' ? one : `(?:${one})${times}`))
const sequence = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(''))
const pattern = fc
  .array(
    fc
      .tuple(fc.array(sequence, { minLength: 1, maxLength: 3 }), repeat)
      .map(([branches, times]) => `(?:${branches.join('|')})${times}`),
    { minLength: 1, maxLength: 3 },
  )
  .map((parts) => parts.join(''))

describe('[C9] the search says what the plain one says', () => {
  it('of the signals that ship', () => {
    expect(SHIPPED.length).toBeGreaterThan(300)
    const chosen = someCases('matcher: super-linear, shipped', SHIPPED)
    const both = chosen.flatMap((one) => bothOf(one) ?? [])
    expect(both).toHaveLength(chosen.length)
    expect(both.map(({ fast }) => fast)).toEqual(both.map(({ plain }) => plain))
  })

  it.each([
    `(${'(a*)*'.repeat(4)})*b`,
    `${'.*x'.repeat(6)}y`,
    `(?:${Array.from({ length: 40 }, (_, at) => `a*b{${at + 1}}`).join('|')})c`,
    `(?:\\w+\\s*)*${'[a-z]*'.repeat(5)}!`,
    `(?:(?:a|b|ab)*c*)*${'(?:ab?)*'.repeat(3)}d`,
    'x'.repeat(4000),
  ])('of a hostile pattern: %s', (hostile) => {
    const both = bothOf(hostile)
    expect(both).not.toBeNull()
    expect(both?.fast).toEqual(both?.plain)
  })

  it('of patterns from a grammar', () => {
    const found = { ambiguous: 0 }
    fc.assert(
      fc.property(pattern, (made) => {
        const both = bothOf(made)
        expect(both?.fast).toEqual(both?.plain)
        if (both?.plain) found.ambiguous += 1
      }),
      casesOf('matcher: super-linear, grammar'),
    )
    expect(found.ambiguous).toBeGreaterThan(atLeast('matcher: super-linear, grammar', 15))
  })
})
