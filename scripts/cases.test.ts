import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { someCases } from '../fixtures/cases.ts'
import { CASES, type CaseName } from '../fixtures/cases-table.ts'
import { dependents, graphOf, readGraph, testsAmong } from './affected.ts'
import { ROOT } from './build.ts'
import { specsOf } from './check-changed.ts'
import { PARTS, touches } from './parts.ts'

const graph = readGraph()
const users = graph.modules.filter(
  (name) => name.endsWith('.test.ts') || name === 'scripts/check.ts',
)
const textOf = (name: string) => readFileSync(join(ROOT, name), 'utf8')
const texts = users.map((name) => [name, textOf(name)] as const)
const own = 'scripts/cases.test.ts'
const usersOf = (name: string) =>
  texts.filter(([file, text]) => file !== own && text.includes(`'${name}'`)).map(([file]) => file)

test('docs/testing.md lists what runs where, with the cases of the table', () => {
  const rows = (Object.keys(CASES) as CaseName[]).map((name) => {
    const { gate, all } = CASES[name]
    return `| ${name} | \`${usersOf(name).join('`, `')}\` | ${gate} | ${all} |`
  })
  // Prettier aligns the columns.
  const page = textOf('docs/testing.md').replaceAll(/ +/gu, ' ')
  expect(rows.filter((row) => !page.includes(row))).toEqual([])
  const listed = page.match(/^\| .* \| \d+ \| (?:\d+|every) \|$/gmu)
  expect(listed).toHaveLength(rows.length)
})

test('each row of the table belongs to one test file', () => {
  const wrong = Object.keys(CASES).filter((name) => usersOf(name).length !== 1)
  expect(wrong).toEqual([])
})

test('no property test writes its number of runs itself', () => {
  const wrong = texts.filter(
    // Samples of gitleaks.test.ts: a fixed seed makes the recorded pairs.
    ([name, text]) => /numRuns: \d/u.test(text) && !/gitleaks\.test|cases\.test/u.test(name),
  )
  expect(wrong.map(([name]) => name)).toEqual([])
})

test('a subset keeps the order, has no case twice, and is the same for the same seed', () => {
  const all = Array.from({ length: 500 }, (_, at) => at)
  const some = someCases('matcher: super-linear, shipped', all)
  const wanted = process.env['TEST_CASES'] === 'full' ? 500 : 60
  expect(some).toHaveLength(wanted)
  expect([...new Set(some)].toSorted((a, b) => a - b)).toEqual(some)
  expect(someCases('matcher: super-linear, shipped', all)).toEqual(some)
})

test('dependents come by imports, nearest first, and by the table of data', () => {
  const small = graphOf([
    ['core/a.ts', ''],
    ['core/b.ts', "import { a } from './a.ts'"],
    ['core/c.ts', "export const c = () => import('./b.ts')"],
    ['fixtures/load.ts', ''],
    ['core/d.ts', "import '../fixtures/load.ts'"],
  ])
  const reached = dependents(small, ['core/a.ts'])
  expect([reached.get('core/b.ts'), reached.get('core/c.ts')]).toEqual([1, 2])
  expect(dependents(small, ['fixtures/vectors/x.json']).has('core/d.ts')).toBe(true)
})

test('a leaf reaches its own test first, and the result type most of the engine', () => {
  const near = testsAmong(dependents(graph, ['core/engine/lab/corpus/branches.ts']))
  expect(near[0]).toBe('core/engine/lab/corpus/branches.test.ts')
  const far = testsAmong(dependents(graph, ['core/engine/result.ts']))
  expect(far.length).toBeGreaterThan(100)
})

test('end-to-end tests of a feature are those that begin with its name', () => {
  const specs = ['e2e/lab.spec.ts', 'e2e/label.spec.ts', 'e2e/electron-double/mutants.spec.ts']
  expect(specsOf(['renderer/features/lab/view.tsx'], specs)).toEqual(['e2e/lab.spec.ts'])
  expect(specsOf(['electron/main.ts'], specs)).toEqual(['e2e/electron-double/mutants.spec.ts'])
})

test('a part runs if its inputs changed or if that is unknown', () => {
  for (const { inputs } of PARTS) {
    expect(touches(inputs, null)).toBe(true)
    expect(touches(inputs, ['package.json'])).toBe(true)
    expect(touches(inputs, ['README.md'])).toBe(false)
  }
})
