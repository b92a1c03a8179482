import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeFolder, makeHost, makeSession, windowOf } from '../../../fixtures/host.ts'
import { runCli } from '../../../fixtures/run-cli.ts'
import { MAY_LACK_ROWS } from '../../engine/schema/results.ts'
import { Manifest } from '../batch/manifest-schema.ts'

const folder = makeFolder({ 'session.jsonl': makeSession(30) })
const host = makeHost()
const client = windowOf(host)
afterAll(() => host.close())

/** A copy of the results with another manifest. */
function withManifest(name: string, change: (manifest: Manifest) => object): string {
  const copy = join(folder, name)
  cpSync(join(folder, 'out'), copy, { recursive: true })
  const path = join(copy, 'manifest.json')
  const manifest = Manifest.parse(JSON.parse(readFileSync(path, 'utf8')))
  writeFileSync(path, JSON.stringify(change(manifest)))
  return copy
}

const older = ({ plan, ...rest }: Manifest) => ({ ...rest, plan: { ...plan, layout: undefined } })

beforeAll(async () => {
  const args = ['batch', join(folder, 'session.jsonl'), '--out', join(folder, 'out')]
  expect(await runCli(args)).toMatchObject({ code: 0 })
}, 60_000)

test('[F166] results of the older layout say that rows may be missing: in the window, and in every command that asks them', async () => {
  const path = withManifest('older', (manifest) => ({ ...older(manifest), rows: 20_000 }))
  expect(await client.call('results.open', { path })).toMatchObject({
    mayLackRows: true,
    editable: false,
  })
  for (const args of [
    ['results', path],
    ['results', path, '--list', 'turns', '--json'],
    ['results', path, '--edit', 'preset:literal'],
    ['sql', 'SELECT count(*) AS n FROM turns', '--results', path],
  ]) {
    const { code, err } = await runCli(args)
    expect([args, code]).toEqual([args, 0])
    expect(err).toContain(`turnscope: ${path}: ${MAY_LACK_ROWS}\n`)
  }
}, 60_000)

test('[F166] nothing is said of those of this layout, and of so few rows that none can be missing', async () => {
  const many = withManifest('many', (manifest) => ({ ...manifest, rows: 1_000_000 }))
  const few = withManifest('few', (manifest) => ({ ...older(manifest), rows: 19_999 }))
  for (const path of [many, few]) {
    expect(await client.call('results.open', { path })).toMatchObject({ mayLackRows: false })
    expect((await runCli(['results', path])).err).toBe('')
    expect((await runCli(['sql', 'SELECT 1', '--results', path])).err).toBe('')
  }
}, 60_000)
