import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeFolder, makeSession } from '../../../fixtures/host.ts'
import { runHere } from '../../../fixtures/run-here.ts'

const DOMAINS = `domains:
  - name: coding
    signals:
      - python
      - '^(a+)+[0-9]$'
  - name: conversation
    signals: [hello]
`
const POISON = `${'a'.repeat(40)}b python`
const folder = makeFolder({
  'profiles/domains/bad.yaml': DOMAINS,
  's.jsonl': makeSession(4, (turn) => (turn === 1 ? POISON : 'python aa')),
  'labels.jsonl': `${JSON.stringify({ type: 'text', text: POISON, primary: 'coding' })}\n`,
})
const session = join(folder, 's.jsonl')
const config = ['--workspace', folder, '--domains', 'bad']
/** Reported once, with file, line and consequence. */
const SAID =
  /bad\.yaml:5: pattern \^\(a\+\)\+\[0-9\]\$ of coding was cut off after \d+ ms on a text of 48 characters/u

it.each([
  ['replay', [session], 0],
  ['explain', [`${session}#2`], 0],
  ['stats', [session], 0],
  ['find', ['domain:coding', session], 0],
  ['lint', [session], 2],
  ['diff', [session, '--base', 'recommended', '--head', 'literal'], 2],
  ['check', ['--labels', join(folder, 'labels.jsonl')], 2],
] as const)(
  '[T62] %s says what was cut off, and ends with the right code',
  async (name, args, code) => {
    const ran = await runHere([name, ...args, ...config])
    expect(ran.err).toMatch(SAID)
    expect(ran.code).toBe(code)
  },
)

it('[T62] a check in which nothing was cut off is green', async () => {
  const labels = join(folder, 'labels.jsonl')
  const ran = await runHere(['check', '--labels', labels, '--workspace', folder])
  expect(ran.err).not.toMatch(/cut off/u)
})

it('[T62] eval belief says it too, and the lines after it are answered', async () => {
  const lines = [POISON, POISON, 'python'].map((message) => JSON.stringify({ message }))
  const ran = await runHere(['eval', 'belief', ...config], { input: `${lines.join('\n')}\n` })
  expect(ran.err.match(/was cut off/gu)).toHaveLength(1)
  expect(ran.out.trim().split('\n')).toHaveLength(3)
})

it('[I65] a replay writes as much as it may, says what was left out, and ends with 2', async () => {
  const many = makeFolder({ 'm.jsonl': makeSession(600) })
  const file = join(many, 'm.jsonl')
  const cut = await runHere(['replay', file, '--json', '--max-output', '1'])
  expect(cut.code).toBe(2)
  expect(Buffer.byteLength(cut.out)).toBeLessThanOrEqual(1_000_000)
  expect(cut.err).toMatch(/only \d+ of 600 turns were written/u)
  const lines = cut.out.trimEnd().split('\n')
  for (const line of lines) expect(() => JSON.parse(line) as unknown).not.toThrow()
  const whole = await runHere(['replay', file, '--json', '--max-output', '0'])
  expect(whole.code).toBe(0)
  expect(whole.out.trimEnd().split('\n')).toHaveLength(600)
})
