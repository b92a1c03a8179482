import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { must } from '../../../../fixtures/load.ts'
import { MAX_COUNT, compileSignal, findSpans, testSignal } from '../signal.ts'
import { createTextFacts } from '../text-facts.ts'

/**
 * `python-cases.json`: answers of `re.search(pattern, text, re.IGNORECASE)` of Python 3.11, spans in
 * UTF-16 units; `error` = Python refuses the pattern. 112 were picked by hand (Unicode borders and
 * case, `$` before a newline, classes, quantifiers, escapes, flags, refusals), the rest come from a
 * fuzz of 90,000 patterns from a grammar on 440,000 texts rich in Unicode, in which every pattern
 * that we accept gave Python's truth and span, and every one that Python refuses was refused.
 */
type Case =
  | readonly [pattern: string, kind: 'error', message: string]
  | readonly [
      pattern: string,
      kind: 'ok',
      texts: ReadonlyArray<readonly [string, readonly number[] | null]>,
    ]

const url = new URL('python-cases.json', import.meta.url)
const cases = JSON.parse(readFileSync(url, 'utf8')) as readonly Case[]
const UNICODE = { asciiBoundaries: false }

/** Valid in Python, but with no exact translation. */
const UNTRANSLATABLE =
  /repeats a part|may be unset|named character|conditional|look-behind with|not matched reliably|cannot change between|cannot be translated/

function search(pattern: string, text: string): readonly number[] | null {
  const signal = must(compileSignal(pattern, 'case', UNICODE))
  const facts = createTextFacts(text)
  const [span] = findSpans(signal, facts, 1).spans
  expect(testSignal(signal, facts)).toBe(span !== undefined)
  return span ?? null
}

function problem(pattern: string): { what: string; where: string } {
  const result = compileSignal(pattern, 'signal', UNICODE)
  if (result.ok) throw new Error(`${pattern} was accepted`)
  expect(result.error.do).not.toBe('')
  return result.error
}

describe('[C5] patterns of Python answer as in Python', () => {
  it('on every recorded case', () => {
    let compared = 0
    let refused = 0
    for (const entry of cases) {
      const compiled = compileSignal(entry[0], 'case', UNICODE)
      if (entry[1] === 'error') expect([entry[0], compiled.ok]).toEqual([entry[0], false])
      else if (!compiled.ok) {
        expect([entry[0], compiled.error.what]).toEqual([
          entry[0],
          expect.stringMatching(UNTRANSLATABLE),
        ])
        refused += 1
      } else
        for (const [text, span] of entry[2]) {
          expect([entry[0], text, search(entry[0], text)]).toEqual([entry[0], text, span])
          compared += 1
        }
    }
    expect(compared).toBeGreaterThan(600)
    expect(refused).toBeLessThan(15)
  })

  it.each([
    ['a**', 'multiple repeat', 3],
    ['x|*a', 'nothing to repeat', 3],
    ['ab(c', 'missing ), unterminated subpattern', 3],
    ['ab)', 'unbalanced parenthesis', 3],
    ['a[bc', 'unterminated character set', 2],
    ['a\\q', 'bad escape \\q', 2],
    ['x[z-a]', 'bad character range z-a', 3],
    ['a(?<=b*)c', 'look-behind requires fixed-width pattern', 2],
    ['a(?i)b', 'global flags not at the start of the expression', 2],
    ['a{3,2}', 'min repeat greater than max repeat', 2],
    ['(?:(a)|b)\\1', 'group 1 may be unset or stem from another repetition here', 10],
    ['(?:|a)*', 'repeats a part that can match nothing', 7],
    ['é(?(1)a|b)', 'conditional groups (?(…)…) are not supported', 2],
    ['(a)(?P=b)', 'unknown group name "b"', 4],
  ])('[B16] refuses %s with its column', (pattern, what, column) =>
    expect(problem(pattern)).toMatchObject({ what, where: `signal, column ${column}` }),
  )

  it('runs JavaScript patterns as they are, with flag i by default', () => {
    const js = must(compileSignal({ pattern: '\\bÉtat$', dialect: 'js' }, 's', UNICODE))
    expect(js.programs.ascii.regex.flags).toBe('i')
    const cased = must(compileSignal({ pattern: 'A', dialect: 'js', flags: '' }, 's', UNICODE))
    expect(testSignal(cased, createTextFacts('a'))).toBe(false)
    const bad = compileSignal({ pattern: '(', dialect: 'js' }, 's', UNICODE)
    expect(bad.ok ? '' : bad.error.where).toBe('s, column 1')
    expect(compileSignal({ pattern: 'a', dialect: 'js', flags: 'g' }, 's', UNICODE).ok).toBe(false)
  })

  it('[C5] refuses what no engine can hold, and does not run what surely fits', () => {
    expect(problem('(?:a|b?c)'.repeat(7_000)).what).toContain('cannot be compiled')
    for (const large of ['(?:a|b?c)'.repeat(500), '(?:(?:ab?c){999}){999}'])
      expect(search(large, 'nothing of it')).toBeNull()
  })

  it('takes flags of Python patterns', () => {
    const signal = must(compileSignal({ pattern: '^b c$', flags: 'mx' }, 's', UNICODE))
    expect(testSignal(signal, createTextFacts('a\nbc\nd'))).toBe(true)
    expect(compileSignal({ pattern: 'a', flags: 'z' }, 's', UNICODE).ok).toBe(false)
  })

  it('[C5] asciiBoundaries sees words in text without spaces', () => {
    const ascii = must(compileSignal('\\bdebug\\b', 's', { asciiBoundaries: true }))
    const facts = createTextFacts('请debug这个timeout')
    expect(testSignal(ascii, facts)).toBe(true)
    expect(findSpans(ascii, facts, 5).spans).toEqual([[1, 6]])
    expect(search('\\bdebug\\b', '请debug这个timeout')).toBeNull()
  })

  it('gives spans in UTF-16 units and counts up to a limit', () => {
    const signal = must(compileSignal('\\bx+', 's', UNICODE))
    expect(findSpans(signal, createTextFacts('😀 xx é x'), 50).spans).toEqual([
      [3, 5],
      [8, 9],
    ])
    const many = findSpans(signal, createTextFacts('x '.repeat(2000)), 50)
    expect([many.spans.length, many.count]).toEqual([50, MAX_COUNT])
  })
})
