import { describe, expect, it } from 'vitest'
import { compileFixture, must } from '../../../fixtures/load.ts'
import { compileDomains, defaultPriority } from './domains.ts'
import { loadDomains } from './load-domains.ts'
import { scanSpans, scanText } from './scan.ts'
import { createTextFacts } from './text-facts.ts'

function problemsOf(domains: unknown): ReadonlyArray<{ what: string; where: string }> {
  const loaded = loadDomains({ domains }, 'my.yaml')
  return loaded.ok ? [] : loaded.error
}

describe('domain files', () => {
  it('[B13] refuses "+" in a name, blank and duplicate names, and says where', () => {
    expect(problemsOf([{ name: 'a+b', signals: [] }])[0]?.where).toBe(
      'my.yaml, domain "a+b", domains.0.name',
    )
    expect(problemsOf([{ name: ' ', signals: [] }])).toHaveLength(1)
    const twice = problemsOf([
      { name: 'a', signals: [] },
      { name: 'a', signals: [] },
    ])
    expect(twice[0]?.what).toContain('defined twice')
  })

  it('refuses unknown keys and aliases with two meanings', () => {
    expect(problemsOf([{ name: 'a', signals: [], sginals: [] }])).toHaveLength(1)
    const shared = problemsOf([
      { name: 'coding', signals: [], aliases: ['codegen'] },
      { name: 'bugfix', signals: [], aliases: ['codegen'] },
    ])
    expect(shared[0]?.what).toBe('alias "codegen" already means domain "coding"')
  })

  it('[B13] keeps configuration order even for integer-like names', () => {
    const set = compileFixture([
      { name: 'zeta', signals: ['a'] },
      { name: '10', signals: ['b'] },
      { name: '2', signals: ['c'] },
    ])
    expect(set.domains.map((domain) => domain.name)).toEqual(['zeta', '10', '2'])
    expect(set.domains.map((domain) => domain.firstSignal)).toEqual([0, 1, 2])
  })

  it('[C2] [B13] takes missing priorities from the document, else 99', () => {
    expect(['investigation', 'file_ops', 'conversation', 'data_ops'].map(defaultPriority)).toEqual([
      1, 10, 99, 99,
    ])
    const set = compileFixture([{ name: 'coding', signals: [], priority: 42 }])
    expect(set.domains[0]?.priority).toBe(42)
  })

  it('[B16] lists every bad pattern with domain, signal and column', () => {
    const file = must(
      loadDomains(
        { domains: [{ name: 'a', signals: ['ok', 'x**', { id: 'q', pattern: '(' }] }] },
        'f',
      ),
    )
    const compiled = compileDomains(file, { asciiBoundaries: false })
    expect(compiled.ok ? [] : compiled.error.map((problem) => problem.where)).toEqual([
      'domain "a", signal 2, column 3',
      'domain "a", signal 3 (q), column 1',
    ])
  })
})

describe('scanning', () => {
  const set = compileFixture([{ name: 'a', signals: ['one', 'two', 'three', 'two|three'] }])
  const facts = createTextFacts('one two three')

  it('lists the signals that fired, in order', () =>
    expect(scanText(set.signals, createTextFacts('three!')).fired).toEqual([2, 3]))

  it('[B16] names the culprit when the watchdog cuts off, and goes on after it', () => {
    let calls = 0
    // Cuts off the first call at the signal that reads the text for the 2nd time.
    const guard = (run: () => void): boolean => {
      calls += 1
      if (calls > 1) {
        run()
        return true
      }
      return false
    }
    const scan = scanText(set.signals, facts, guard)
    expect(scan).toEqual({ fired: [1, 2, 3], cutOff: [0] })
    expect(calls).toBe(2)
  })

  it('calls the guard once a text', () => {
    let calls = 0
    const guard = (run: () => void): boolean => {
      calls += 1
      run()
      return true
    }
    scanText(set.signals, facts, guard)
    expect(calls).toBe(1)
    scanSpans(set.signals, facts, 5, guard)
    expect(calls).toBe(2)
  })

  it('ends even if every signal is cut off', () =>
    expect(scanText(set.signals, facts, () => false)).toEqual({ fired: [], cutOff: [0, 1, 2, 3] }))
})
