import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { must } from '../../../fixtures/load.ts'
import { parseGrammar, type Grammar, type GrammarNode } from './gbnf.ts'

const FOLDER = join(import.meta.dirname, '../../../prompts/steps/grammars')
const shipped = (name: string) => must(parseGrammar(readFileSync(join(FOLDER, name), 'utf8'), name))

/** Ends of all matches of a node at a place: slow and plain, for the tests only. */
function ends(
  grammar: Grammar,
  node: GrammarNode,
  points: readonly number[],
  at: number,
): number[] {
  const each = (starts: readonly number[], item: GrammarNode) => [
    ...new Set(starts.flatMap((start) => ends(grammar, item, points, start))),
  ]
  switch (node.kind) {
    case 'literal':
      return node.points.every((point, index) => points[at + index] === point)
        ? [at + node.points.length]
        : []
    case 'class': {
      const point = points[at]
      const hit = node.ranges.some(([low, high]) => point! >= low && point! <= high)
      return point !== undefined && hit !== node.negated ? [at + 1] : []
    }
    case 'any':
      return at < points.length ? [at + 1] : []
    case 'rule':
      return ends(grammar, grammar.rules.get(node.name)!, points, at)
    case 'sequence':
      return node.items.reduce<number[]>((starts, item) => each(starts, item), [at])
    case 'choice':
      return [...new Set(node.options.flatMap((option) => ends(grammar, option, points, at)))]
    case 'repeat':
      return repeats(grammar, node, points, at)
  }
}

function repeats(
  grammar: Grammar,
  { item, min, max }: Extract<GrammarNode, { kind: 'repeat' }>,
  points: readonly number[],
  at: number,
): number[] {
  let now = [at]
  const found = min === 0 ? [at] : []
  for (let count = 1; now.length > 0 && count <= (max ?? points.length); count += 1) {
    now = [...new Set(now.flatMap((start) => ends(grammar, item, points, start)))]
    if (count >= min) found.push(...now)
  }
  return [...new Set(found)]
}

function accepts(grammar: Grammar, value: unknown): boolean {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const points = Array.from(text, (char) => char.codePointAt(0)!)
  return ends(grammar, grammar.rules.get('root')!, points, 0).includes(points.length)
}

const decision = { success: true, confidence: 0.84, decision: 'proceed', reasoning: 'a "b"\n{' }
const sieve = {
  success: false,
  confidence: 1,
  interpretation: 'x',
  convergence: 'stalled',
  recommendation: 'restart',
  concerns: ['few trials', 'luck'],
}
const chapter = {
  drift_detected: true,
  confidence: 0,
  trigger_action: 'watch',
  retrain_recommended: false,
  reasoning: '漂移',
  affected_steps: [5, 1],
}

describe('[A16] shipped grammars', () => {
  it.each(readdirSync(FOLDER))('[A16] %s parses, and every rule is used', (name) =>
    expect(shipped(name).unused).toEqual([]),
  )

  it.each([
    ['agent_decision.gbnf', decision, { ...decision, decision: 'stop' }],
    ['agent_decision.gbnf', { ...decision, parameters: { a: [1, -2.5e3, null] } }, { success: 1 }],
    ['sieve_analysis.gbnf', sieve, { ...sieve, concerns: 'none' }],
    ['chapter_13.gbnf', chapter, { ...chapter, affected_steps: [7] }],
    ['chapter_13.gbnf', JSON.stringify(chapter, null, 2), { ...chapter, confidence: 1.5 }],
    ['json_generic.gbnf', { a: { b: [] }, c: 'é' }, [1]],
  ])('[A16] %s takes an answer of its schema and no other', (name, good, bad) => {
    expect(accepts(shipped(name), good)).toBe(true)
    expect(accepts(shipped(name), bad)).toBe(false)
  })
})

describe('[A16] the parser', () => {
  it('[A16] reads literals, classes, groups, repetitions, comments', () => {
    const grammar = must(
      parseGrammar(
        '# c\nroot ::= a | (\n b # d\n c)\na::="x\\n\\x41\\u00e9"\nb ::= [^a-c\\]-]{2,}\nc ::= .?',
        'g',
      ),
    )
    expect(grammar.rules.get('a')).toEqual({ kind: 'literal', points: [120, 10, 65, 233] })
    expect(grammar.rules.get('b')).toEqual({
      kind: 'repeat',
      min: 2,
      max: null,
      item: {
        kind: 'class',
        negated: true,
        ranges: [
          [97, 99],
          [93, 93],
          [45, 45],
        ],
      },
    })
    expect(grammar.rules.get('c')).toMatchObject({ kind: 'repeat', min: 0, max: 1 })
    expect(accepts(grammar, 'x\nAé')).toBe(true)
    expect(accepts(grammar, 'zz!')).toBe(true)
    expect(accepts(grammar, 'za')).toBe(false)
  })

  it.each([
    ['', 'there is no rule "root"', '1:1'],
    ['a ::= "x"', 'there is no rule "root"', '1:10'],
    ['root ::= b', 'there is no rule "b"', '1:10'],
    ['root = "x"', '"::=" is missing after "root"', '1:6'],
    ['root ::= "x"\nroot ::= "y"', 'rule "root" is defined twice', '2:1'],
    ['root ::= "x', 'the grammar ends inside a literal or class', '1:12'],
    ['root ::= "x\n"', 'a line ends inside a literal or class', '1:12'],
    ['root ::= [a-', 'the grammar ends inside a literal or class', '1:13'],
    ['root ::= []', 'a class is empty', '1:11'],
    ['root ::= [z-a]', 'a range runs backwards', '1:14'],
    ['root ::= ("x"', '")" is missing', '1:14'],
    ['root ::= "x")', 'unexpected ")"', '1:13'],
    ['root ::= "x"{3,1}', 'a repetition runs backwards', '1:14'],
    ['root ::= "x"{a}', 'a repetition is {m}, {m,} or {m,n}', '1:14'],
    ['root ::= "x"{99999}', 'at most 10000 repetitions', '1:14'],
    ['root ::= "\\q"', 'unknown escape \\q', '1:12'],
    ['root ::= "\\x4"', '\\x needs 2 hexadecimal digits', '1:12'],
    ['root ::= "x"\n  "y"', 'a rule name is missing', '2:3'],
    ['root ::= "x"\n| "y"', 'a rule name is missing', '2:1'],
    ['root ::= root "x"', 'rule "root" begins with itself', '1:10'],
    ['root ::= e a\ne ::= "x"?\na ::= e root', 'rule "root" begins with itself', '1:10'],
    [`root ::= ${'('.repeat(200)}"x"${')'.repeat(200)}`, 'groups are nested too deep', '1:111'],
  ])('[A16] refuses %j with its place', (text, what, place) =>
    expect(parseGrammar(text, 'g')).toEqual({
      ok: false,
      error: { what, where: `g:${place}`, do: 'Correct the grammar' },
    }),
  )

  it('[A16] never throws', () => {
    const bits = fc.constantFrom(
      'root ::= ',
      'a',
      ' ',
      '\n',
      '"',
      '[',
      ']',
      '(',
      ')',
      '|',
      '*',
      '{2}',
      '\\',
      '#',
      '::=',
    )
    fc.assert(
      fc.property(fc.array(bits, { maxLength: 30 }), (all) => {
        expect(parseGrammar(all.join(''), 'g')).toHaveProperty('ok')
      }),
    )
  })
})

it.each([
  ['a chain', (at: number) => `r${at} ::= r${at + 1} | "x"`],
  ['a chain of empty rules', (at: number) => `r${at} ::= r${at + 1}?`],
  ['a chain that is empty by its end', (at: number) => `r${at} ::= r${at + 1} r${at + 1}`],
])('[F216] 20,000 rules in %s are checked in time linear in their number', (_, rule) => {
  const rules = Array.from({ length: 20_000 }, (_unused, at) => rule(at))
  const text = `root ::= r0\n${rules.join('\n')}\nr20000 ::= ""\n`
  const begun = performance.now()
  expect(parseGrammar(text, 'g').ok).toBe(true)
  expect(parseGrammar(text.replace('r20000 ::= ""', 'r20000 ::= r0'), 'g')).toMatchObject({
    ok: false,
    error: { what: expect.stringContaining('begins with itself') as string },
  })
  // Squared time took over a minute.
  expect(performance.now() - begun).toBeLessThan(20_000)
})
