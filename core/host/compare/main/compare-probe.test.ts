import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import {
  collect,
  CONFIG,
  makeFolder,
  makeSession,
  openIn,
  REPOSITORY,
  windowOf,
} from '../../../../fixtures/host.ts'
import { makeHostHere } from '../../../../fixtures/host-here.ts'

const recommended = readFileSync(
  join(REPOSITORY, 'profiles', 'presets', 'recommended.yaml'),
  'utf8',
)
/** The preset under another name, with another section for the probe. */
const preset = (name: string, change: (text: string) => string) => ({
  [`profiles/presets/${name}.yaml`]: change(
    recommended.replace('name: recommended', `name: ${name}`),
  ),
})
const off = (words: number) => (text: string) =>
  text.replace(/^( {2}enabled: )true(\n {2}minWords: )3/mu, `$1false$2${words}`)

const workspace = makeFolder({
  'session.jsonl': makeSession(3),
  ...preset('unsaid', (text) => text.replace(/^probe:\n(?:(?: .*)?\n)+/mu, '')),
  ...preset('off', off(3)),
  ...preset('off-too', off(9)),
})
const host = makeHostHere({ workspace })
const client = windowOf(host)
afterAll(() => host.close())

test.each([
  ['a preset that says nothing of the probe, and one that says the same', 'recommended', 'unsaid'],
  ['two presets that have it off', 'off', 'off-too'],
])('[L51] in the window, too, %s probe alike', async (_, own, other) => {
  const path = join(workspace, 'session.jsonl')
  const { key } = await openIn(client, { kind: 'path', path })
  const compare = { ...CONFIG, preset: other }
  const input = { key, session: 0, config: { ...CONFIG, preset: own }, compare }
  const last = (await collect(client, 'session.compare', input)).at(-1)
  if (last?.kind !== 'compared') throw new Error('no comparison')
  expect(last.diff.uncompared).toContainEqual({ stage: 'persona', why: 'same_probe' })
})
