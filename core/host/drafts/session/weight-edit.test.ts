import { expect, test } from 'vitest'
import { must } from '../../../../fixtures/load.ts'
import { readDomainText } from '../../workspace/domains/domain-text.ts'
import { createBlockCache } from '../../workspace/domains/domain-pieces.ts'
import { withWeights } from './weight-edit.ts'

const TEXT = `# Mine.
domains:
  - name: coding # the first
    signals:
      - 'a: b' # quoted
      - id: second
        # what it looks for
        pattern: "c"
      - weight: 2 # more
        pattern: d
  - { name: bugfix, signals: [x, { "pattern": "y" }] }
`
const WEIGHTS = [
  { domain: 'coding', index: 0, weight: 0.5 },
  { domain: 'coding', index: 1, weight: 1.55 },
  { domain: 'coding', index: 2, weight: 3 },
  { domain: 'bugfix', index: 0, weight: 0.25 },
  { domain: 'bugfix', index: 1, weight: 2 },
]

test('[L98] weights are written in every form of a signal; all other bytes stay', () => {
  const after = must(withWeights(TEXT, WEIGHTS, []))
  expect(after).toBe(`# Mine.
domains:
  - name: coding # the first
    signals:
      - pattern: 'a: b'
        weight: 0.5 # quoted
      - id: second
        # what it looks for
        weight: 1.55
        pattern: "c"
      - weight: 3 # more
        pattern: d
  - { name: bugfix, signals: [{ "pattern": x, "weight": 0.25 }, { "weight": 2, "pattern": "y" }] }
`)
})

test('[L98] lines keep their ends, and JSON stays JSON', () => {
  const windows = TEXT.replaceAll('\n', '\r\n')
  const after = must(withWeights(windows, WEIGHTS, []))
  expect(after.replaceAll('\r\n', '\n')).toBe(must(withWeights(TEXT, WEIGHTS, [])))
  expect(after).not.toMatch(/[^\r]\n/u)
  const json = JSON.stringify({ domains: [{ name: 'a', signals: ['x', { pattern: 'y' }] }] })
  const [one, two] = [0, 1].map((index) => ({ domain: 'a', index, weight: 1.5 }))
  if (one === undefined || two === undefined) throw new Error('no weights')
  expect(JSON.parse(must(withWeights(json, [one, two], [])))).toEqual({
    domains: [
      {
        name: 'a',
        signals: [
          { pattern: 'x', weight: 1.5 },
          { weight: 1.5, pattern: 'y' },
        ],
      },
    ],
  })
})

test('[L98] [L101] the sources of the labels join the file', () => {
  const after = must(withWeights(TEXT, WEIGHTS.slice(0, 1), ['b', 'a']))
  expect(readDomainText(after, createBlockCache()).value?.madeFrom).toEqual(['a', 'b'])
})

test('[L98] what cannot be written changes nothing and says where', () => {
  const nowhere = withWeights(TEXT, [{ domain: 'nobody', index: 0, weight: 1 }], [])
  expect(nowhere).toMatchObject({ ok: false, error: { where: 'domain "nobody", signal 1' } })
  expect(withWeights(TEXT, [{ domain: 'coding', index: 9, weight: 1 }], []).ok).toBe(false)
  const aliased = 'domains:\n  - name: a\n    signals: [&p x, *p]\n'
  expect(withWeights(aliased, [{ domain: 'a', index: 1, weight: 2 }], []).ok).toBe(false)
})
