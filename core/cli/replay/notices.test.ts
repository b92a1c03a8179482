import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeFolder } from '../../../fixtures/host.ts'
import { runHere } from '../../../fixtures/run-here.ts'

const path = join(makeFolder(), 'notices.jsonl')
writeFileSync(
  path,
  [
    { type: 'session', schemaVersion: 1, id: 's', title: 's' },
    { kind: 'user', text: 'go on' },
    { kind: 'tool_result', text: 'Error: (none)' },
    { kind: 'tool_result', text: '' },
    { kind: 'tool_result', text: 'Found 42 files' },
    { kind: 'tool_result', text: 'Command: ls\nStdout: a.ts\nError: (none)' },
  ]
    .map((line) => JSON.stringify(line))
    .join('\n'),
)

const turnsUnder = async (...options: readonly string[]): Promise<readonly string[]> => {
  const { out } = await runHere(['replay', path, ...options])
  return out
    .trim()
    .split('\n')
    .slice(2)
    .map((line) => line.trim().split(/\s{2,}/u)[2] ?? '')
}

it.each([['recommended'], ['field'], ['recommended', '--classify', 'user,tool']])(
  '[B27] notices of clients are neither turns nor scored under %s',
  async (preset, ...options) => {
    const decided = await turnsUnder('--preset', preset, ...options)
    expect(decided).toHaveLength(2)
    expect(decided.join()).not.toContain('bugfix')
  },
)

it('[B27] literal classifies every result', async () => {
  expect(await turnsUnder('--preset', 'literal')).toHaveLength(5)
})
