import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { ExportForm } from '../../../engine/schema/export-form.ts'
import { DEFAULT_KINDS } from '../../../engine/schema/redaction.ts'
import type { TurnscopeContract } from '../../../wire/contract.ts'
import type { Input } from '../../../wire/rpc.ts'
import {
  CONFIG,
  REPOSITORY,
  collect,
  makeFolder,
  openIn,
  windowOf,
} from '../../../../fixtures/host.ts'
import { makeHostHere } from '../../../../fixtures/host-here.ts'
import { runHere } from '../../../../fixtures/run-here.ts'
import { packageVersion } from '../../../version.ts'

const host = makeHostHere({ workers: 1 })
afterAll(() => host.close())
const client = windowOf(host)

const SECRET = ['ghp', 'aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5z'].join('_')
const folder = makeFolder({
  'two.jsonl': [
    { type: 'session', schemaVersion: 1, id: 's1', title: 'For ann@acme.de' },
    { kind: 'user', text: `plan the roadmap with ${SECRET}` },
    { kind: 'tool_call', name: 'Bash', text: '{"command":"ls"}' },
    { kind: 'agent', text: 'wrote to ann@acme.de', model: 'm' },
    { type: 'session', schemaVersion: 1, id: 's2', title: 'Second' },
    { kind: 'user', text: 'debug the crash for bob@acme.de' },
  ]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join(''),
})
const REAL = join(REPOSITORY, 'fixtures/sessions/st-003.jsonl')
const SECRETS = join(folder, 'two.jsonl')
const kinds = [...DEFAULT_KINDS]
const version = packageVersion()

async function write(path: string, input: Partial<Input<TurnscopeContract, 'forms.write'>>) {
  const { key } = await openIn(client, { kind: 'path', path })
  const all = {
    key,
    sessions: null,
    kinds,
    keep: [],
    path: null,
    form: 'csv' as const,
    turns: null,
    config: { ...CONFIG, domains: 'default' },
    compare: null,
    against: null,
    version,
    ...input,
  }
  const steps = await collect(client, 'forms.write', all)
  const text = steps.map((step) => (step.kind === 'chunk' ? step.text : '')).join('')
  const end = steps.at(-1)
  if (end?.kind !== 'written') throw new Error('nothing was written')
  return { text, end, steps }
}

const ARGS = ['--preset', CONFIG.preset, '--domains', 'default']

test.each([REAL, SECRETS])(
  '[U180] the window writes every form of %s byte for byte as the command line',
  async (path) => {
    const out = makeFolder()
    const targets = ExportForm.options.flatMap((form) => [`--${form}`, join(out, form)])
    expect(
      (await runHere(['export', path, ...targets, '--no-probe', '--turns', '1-1', ...ARGS])).code,
    ).toBe(0)
    for (const form of ExportForm.options) {
      const { text, end, steps } = await write(path, { form, turns: [1, 1] })
      const ours = readFileSync(join(out, form), 'utf8')
      expect(text).toBe(ours)
      expect(text).not.toMatch(/acme|ghp_/u)
      expect(end.bytes).toBe(Buffer.byteLength(ours))
      expect(steps.some(({ kind }) => kind === 'progress')).toBe(true)
    }
  },
)

test('[U181] Markdown of the comparison in force is that of the command line', async () => {
  const args = ['export', REAL, '--markdown', '-', '--compare', 'field', ...ARGS]
  const { out } = await runHere(args)
  const compare = { ...CONFIG, domains: 'default', preset: 'field' }
  const { text } = await write(REAL, { form: 'markdown', compare, against: 'field' })
  expect(text).toBe(out)
  expect(text).toContain('of 47 turns')
})

test('[U181] Markdown of neither a turn nor a comparison is refused', async () => {
  await expect(write(REAL, { form: 'markdown' })).rejects.toMatchObject({ code: 'REFUSED' })
})

test('[U180] a form goes to a file whole, only of the sessions that were chosen, and keeps what was kept', async () => {
  const target = join(folder, 'out.csv')
  const { text } = await write(SECRETS, { sessions: [1] })
  expect(text.trim().split('\r\n')).toHaveLength(2)
  await write(SECRETS, { sessions: [1], path: target })
  expect(readFileSync(target, 'utf8')).toBe(text)
  await expect(write(SECRETS, { path: SECRETS })).rejects.toMatchObject({ code: 'REFUSED' })
  const plain = await write(SECRETS, { form: 'jsonl', kinds: [] })
  expect(plain.text).toContain('bob@acme.de')
  expect(plain.end.redacted).toBe(0)
})
