import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeFolder } from '../../../fixtures/host.ts'
import { runHere } from '../../../fixtures/run-here.ts'

const ESC = '\u001b'
const RED = `${ESC}[1;31m`
const END = `${ESC}[0m`

const WORDS: ReadonlyArray<readonly [plain: string, coloured: string]> = [
  ['error: cannot find the module', `${RED}error${END}: cannot find the module`],
  ['FAIL src/one.test.ts', `\u009b31mFAIL\u009b0m src/one.test.ts`],
  ['git push was rejected', `${RED}git${END} ${ESC}[4mpush${ESC}[24m was rejected`],
  [
    'Traceback of the crash',
    `${ESC}]8;;https://a.b/c${ESC}\\Traceback${ESC}]8;;${ESC}\\ of the crash`,
  ],
]

function fileOf(name: string, texts: readonly string[]): string {
  const path = join(makeFolder(), `${name}.jsonl`)
  const head = { type: 'session', schemaVersion: 1, id: 's', title: 's' }
  const events = texts.map((text, at) => ({ kind: at % 2 === 0 ? 'user' : 'tool_result', text }))
  writeFileSync(path, [head, ...events].map((line) => JSON.stringify(line)).join('\n'))
  return path
}

const plain = fileOf(
  'plain',
  WORDS.map(([text]) => text),
)
const coloured = fileOf(
  'coloured',
  WORDS.map(([, text]) => text),
)

async function tableOf(path: string, preset: string): Promise<string> {
  const { out } = await runHere(['replay', path, '--preset', preset])
  return out.split('\n').slice(1).join('\n')
}

it.each(['recommended', 'field'])(
  '[B25] coloured output is decided and listed as the plain text is, under %s',
  async (preset) => {
    const table = await tableOf(coloured, preset)
    expect(table).toBe(await tableOf(plain, preset))
    expect(table).toContain('git push was rejected')
    expect(table).not.toMatch(/\\x1b|\\x9b|\[0m/u)
  },
)

it('[B25] literal scores the codes as the document does', async () => {
  expect(await tableOf(coloured, 'literal')).not.toBe(await tableOf(plain, 'literal'))
})

it('[B25] explain says how much was taken out, and quotes without codes', async () => {
  const { out } = await runHere(['explain', `${coloured}#1`])
  expect(out).toContain('11 of terminal codes taken out')
  expect(out).toContain('matched "error"')
  const found = await runHere(['find', 'error', coloured])
  expect(found.out).toContain('error: cannot find')
})
