import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runHere } from '../../../fixtures/run-here.ts'
import { labelledRows } from './evaluate.ts'

const ROWS = [
  { text: 'fix the crash in the parser', primary: 'bugfix', source: 'a', fold: 0 },
  { text: 'commit and push', primary: 'git_ops', source_repo: 'b', fold: 1 },
  {
    text: 'commit and push',
    primary: 'conversation',
    acceptable: ['git_ops'],
    source: 'b',
    fold: 0,
  },
]

async function labelled(rows: readonly unknown[]): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), 'labels-')), 'labels.jsonl')
  await writeFile(file, rows.map((row) => JSON.stringify(row)).join('\n'))
  return file
}

test('[L70] evaluate prints n, intervals, folds, the most frequent answer; no text of a turn', async () => {
  const file = await labelled([...ROWS, { text: 'no label' }])
  const { code, out } = await runHere(['evaluate', file, '--agreement', '0.9', '--made-from'])
  expect(code).toBe(0)
  expect(out).toContain('n=3, 2 sources')
  expect(out).toMatch(/strict 0\.667 \(2\/3\) \[0\.\d{3}, 0\.\d{3}\]/u)
  expect(out).toContain('with alternatives 1.000 (3/3)')
  expect(out).toContain('most frequent answer: bugfix 0.333 (1/3)')
  expect(out).toContain('ceiling of strict): 0.900')
  expect(out).toContain('made from these turns')
  expect(out).toContain('folds split 1 sources: b')
  expect(out).toContain('skipped: 1 lines')
  expect(out).not.toContain('crash')
})

test('[L101] evaluate marks turns of sources that the domain file was made from, and measures the others', async () => {
  const file = await labelled(ROWS)
  const shipped = await readFile('profiles/domains/default.yaml', 'utf8')
  const domains = join(await mkdtemp(join(tmpdir(), 'domains-')), 'made.yaml')
  await writeFile(domains, shipped.replace(/^madeFrom:[^]*?^domains:/mu, 'madeFrom: [b]\ndomains:'))
  const { out } = await runHere(['evaluate', file, '--domains', domains])
  expect(out).toContain('signals were made from these: 2 of 3 turns (b)')
  expect(out).toMatch(
    /on the sources that they were not made from: right 1 of 1 \(100 %, 95 % interval/u,
  )
})

test('[L70] [L73] evaluate --json has the same figures; a share beyond 1 and a missing file are refused', async () => {
  const file = await labelled(ROWS)
  const { out } = await runHere(['evaluate', file, '--json'])
  expect(JSON.parse(out)).toMatchObject({
    all: { strict: { hits: 2, of: 3 } },
    agreement: null,
    madeFrom: false,
    split: ['b'],
  })
  expect((await runHere(['evaluate', file])).out).toContain('not known, give it with --agreement')
  expect((await runHere(['evaluate', file, '--agreement', '2'])).code).toBe(2)
  expect((await runHere(['evaluate', `${file}.none`])).err).toContain('cannot be read')
})

test('[L95] evaluate --abstain adds risk against coverage, and --json has the same rows', async () => {
  const file = await labelled(ROWS)
  const { out } = await runHere(['evaluate', file, '--abstain'])
  expect(out).toMatch(/ off +1\.000 \(3\/3\) +0\.667 \(2\/3\) \[/u)
  expect(out).toMatch(/ 0 \(ties\) /u)
  expect((await runHere(['evaluate', file])).out).not.toContain('abstaining')
  const json = await runHere(['evaluate', file, '--abstain', '--json'])
  expect(JSON.parse(json.out)).toMatchObject({
    abstain: [{ margin: null, answered: { hits: 3, of: 3 } }, {}, {}, {}, {}],
  })
})

test('[L70] a line without label, text or source is counted, not guessed', () => {
  const { rows, skipped } = labelledRows(
    '{"text":"x","primary":"a"}\n\nnot json\n{"text":"x","primary":"a","source":"s"}',
  )
  expect(rows).toEqual([{ text: 'x', primary: 'a', acceptable: [], source: 's', fold: null }])
  expect(skipped).toBe(2)
})
