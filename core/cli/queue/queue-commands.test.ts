import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder, REPOSITORY } from '../../../fixtures/host.ts'
import { runHere } from '../../../fixtures/run-here.ts'

/** The fixtures of the lab in a separate folder, with their signals as its domain file. */
function makeLab(): string {
  const root = makeFolder({})
  cpSync(join(REPOSITORY, 'fixtures/lab'), root, { recursive: true })
  mkdirSync(join(root, 'profiles/domains'), { recursive: true })
  cpSync(join(root, 'domains.yaml'), join(root, 'profiles/domains/lab.yaml'))
  return root
}

const linesOf = (rows: readonly object[]): string =>
  rows.map((row) => `${JSON.stringify(row)}\n`).join('')

test('[L81] queue lists turns with their reasons, and says that the rules alone ordered them', async () => {
  const root = makeLab()
  const args = ['queue', join(root, 'session.jsonl'), '--workspace', root, '--domains', 'lab']
  const text = await runHere([...args])
  expect(text.code).toBe(0)
  expect(text.out).toMatch(/second opinion {5}none \(4 of 20 labels/u)
  expect(text.out).toMatch(/no signal at all|by one: |a tie at |momentum holds /u)
  const json = await runHere([...args, '--json', '--list', 'random', '--rules-only'])
  const found = JSON.parse(json.out) as {
    list: string
    items: Array<{ turn: { turn: number } }>
  }
  expect(found.list).toBe('random')
  expect(found.items.every(({ turn }) => turn.turn >= 1)).toBe(true)
})

test('[L87] agreement reads label files alone; without names the files are the readers', async () => {
  const root = makeFolder({})
  const texts = Array.from({ length: 10 }, (_, at) => `text ${at}`)
  const write = (name: string, primary: (at: number) => string) =>
    writeFileSync(
      join(root, name),
      linesOf(texts.map((text, at) => ({ text, primary: primary(at) }))),
    )
  write('ada.jsonl', (at) => (at < 5 ? 'coding' : 'bugfix'))
  write('bo.jsonl', (at) => (at < 4 ? 'coding' : 'bugfix'))
  const paths = ['ada.jsonl', 'bo.jsonl'].map((name) => join(root, name))
  const { code, out } = await runHere(['agreement', ...paths])
  expect(code).toBe(1)
  expect(out).toContain('ada.jsonl and bo.jsonl: 9 of 10 (90 %, 95 % interval 60 to 98)')
  expect(out).toMatch(/kappa {12}0\.80/u)
  expect(out).toContain('ada.jsonl coding, bo.jsonl bugfix: text 4')
  const one = await runHere(['agreement', paths[0] ?? ''])
  expect(one.code).toBe(2)
  expect(one.err).toContain('one reader')
})

test('[L90] [L91] propose names what wins where it was not made from, by the sources of text labels', async () => {
  const root = makeLab()
  const rows = ['a', 'b', 'c', 'd', 'e'].flatMap((source) =>
    Array.from({ length: 3 }, (_, at) => [
      { text: `squash it ${source}${at}`, primary: 'git_ops', source },
      { text: `good evening ${source}${at}`, primary: 'conversation', source },
    ]).flat(),
  )
  writeFileSync(join(root, 'labels.jsonl'), linesOf(rows))
  const args = ['--labels', join(root, 'labels.jsonl'), '--workspace', root, '--domains', 'lab']
  const { code, out } = await runHere(['propose', ...args, '--rules-only'])
  expect(code).toBe(0)
  expect(out).toContain('30 of 5 sources')
  expect(out).toMatch(/git_ops: .*squash/u)
  expect(out).toContain('right 15, broken 0 of 30 labelled turns in 5 held folds')
  // [L100] The basis of the figures.
  expect(out).toContain('5 folds of whole sources: right')
  expect(out).toContain('reader agreement unknown')
  const none = await runHere(['propose', '--workspace', root])
  expect(none.code).toBe(2)
})

test('[L96] [L97] weights says on folds whether they win, and writes them only then', async () => {
  const root = makeLab()
  const domains = join(root, 'profiles/domains/two.yaml')
  writeFileSync(
    domains,
    'domains:\n  - name: first\n    priority: 1\n    signals: [loud]\n  - name: second\n    priority: 2\n    signals: [true_word]\n',
  )
  const rows = (loudIs: string) =>
    ['a', 'b', 'c', 'd', 'e'].flatMap((source) =>
      [0, 1, 2, 3].map((at) => ({
        text: `loud true_word ${source}${at}`,
        primary: loudIs,
        source,
      })),
    )
  const args = ['weights', '--workspace', root, '--domains', 'two', '--labels']
  const [good, none] = ['good.jsonl', 'none.jsonl'].map((name) => join(root, name))
  writeFileSync(good ?? '', linesOf(rows('second')))
  writeFileSync(none ?? '', linesOf(rows('first')))
  const target = join(root, 'weighed.yaml')
  const won = await runHere([...args, good ?? '', '--write', target])
  expect(won.err).toContain('2 weights')
  expect(won.out).toContain('5 folds of whole sources: right')
  expect(won.out).toMatch(/20 become right, 0 wrong; 5 .* weights win beyond chance/u)
  expect(won.out).toMatch(/0\.\d\d \(1\) +0 of 20 +first\/loud/u)
  const written = readFileSync(target, 'utf8')
  expect(written).toMatch(/"pattern": loud, "weight": 0\.\d/u)
  expect(written).toContain('madeFrom: ["a","b","c","d","e"]')
  const lost = await runHere([...args, none ?? '', '--write', join(root, 'no.yaml')])
  expect(lost.code).toBe(2)
  expect(lost.err).toContain('not better beyond chance')
  expect(existsSync(join(root, 'no.yaml'))).toBe(false)
  expect((await runHere(['weights', '--workspace', root])).code).toBe(2)
})
