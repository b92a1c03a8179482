import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeFolder } from '../../../fixtures/host.ts'
import { runHere } from '../../../fixtures/run-here.ts'

const path = join(makeFolder(), 'quoted.jsonl')
writeFileSync(
  path,
  [
    { type: 'session', schemaVersion: 1, id: 's', title: 's' },
    { kind: 'user', text: '> debug the crash\n\nthanks, that worked\n```\nTypeError: x\n```' },
    {
      kind: 'user',
      text: 'Rename the title.\nError: a\nError: b\nTraceback (most recent call last):',
    },
  ]
    .map((line) => JSON.stringify(line))
    .join('\n'),
)

it('[B26] a message is decided by its own words, and explain counts what it quotes', async () => {
  const { out } = await runHere(['explain', `${path}#1`, '--preset', 'field'])
  expect(out).toMatch(/^Turn 1: conversation/u)
  expect(out).toContain('37 quoted and not scored (1 quotation, 1 fenced block)')
  const log = await runHere(['explain', `${path}#2`, '--preset', 'field'])
  expect(log.out).toContain('43 quoted and not scored (1 pasted log)')
  expect(log.out).toContain('error-noun matched "Error"')
})

it('[B26] recommended leaves quotations out, and no fences and logs', async () => {
  const { out } = await runHere(['explain', `${path}#1`])
  expect(out).toContain('17 quoted and not scored (1 quotation)')
})

it('[B26] literal scores all of it', async () => {
  const { out } = await runHere(['explain', `${path}#1`, '--preset', 'literal'])
  expect(out).toMatch(/^Turn 1: bugfix/u)
  expect(out).not.toContain('quoted and not scored')
})
