import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import type { TurnscopeContract } from '../../../wire/contract.ts'
import { type Client, connect } from '../../../wire/rpc.ts'
import type { Host } from '../../entries/host.ts'
import { portPair } from '../../../../fixtures/port-pair.ts'
import { collect, CONFIG, makeFolder, openIn, REPOSITORY } from '../../../../fixtures/host.ts'
import { makeHostHere } from '../../../../fixtures/host-here.ts'

const FIXTURES = join(REPOSITORY, 'fixtures', 'lab')
const LAB_CONFIG = { ...CONFIG, domains: 'lab' }
const side = { kind: 'config', config: LAB_CONFIG } as const
const hosts: Host[] = []

afterEach(async () => {
  await Promise.all(hosts.splice(0).map((host) => host.close()))
})

/** A window over the fixtures of the lab, with further labels in the workspace. */
async function openLab(
  cases: ReadonlyArray<{ readonly text: string; readonly primary: string }> = [],
) {
  const root = makeFolder({})
  cpSync(join(FIXTURES, 'domains.yaml'), join(root, 'profiles', 'domains', 'lab.yaml'))
  for (const name of ['session.jsonl', 'session.labels.jsonl'])
    cpSync(join(FIXTURES, name), join(root, name))
  mkdirSync(join(root, 'labels'))
  const lines = cases.map((one) => `${JSON.stringify(one)}\n`)
  writeFileSync(join(root, 'labels', 'cases.jsonl'), lines.join(''))
  const host = makeHostHere({ workspace: root })
  hosts.push(host)
  const { left, right } = portPair()
  host.mount(right)
  const client = connect<TurnscopeContract>(left)
  const { key } = await openIn(client, { kind: 'path', path: join(root, 'session.jsonl') })
  const folders: string[] = []
  const asked = { keys: [key], folders, samples: false, config: LAB_CONFIG }
  const ready = (await collect(client, 'lab.open', asked)).findLast(({ kind }) => kind === 'ready')
  if (ready?.kind !== 'ready') throw new Error('the corpus did not open')
  return { root, client, key, corpus: ready.corpus }
}

type List = 'queue' | 'random' | 'disagreements'

async function listOf(client: Client<TurnscopeContract>, corpus: string, list: List = 'queue') {
  const steps = await collect(client, 'queue.turns', { corpus, side, list, most: 50 })
  const found = steps.at(-1)
  if (found?.kind !== 'queue') throw new Error('no list came')
  return found
}

test('[L81] without labels enough the queue is ordered by the rules alone, and says so; a label shortens it', async () => {
  const { client, corpus, key } = await openLab()
  const before = await listOf(client, corpus)
  expect(before.opinion.labels).toBe(0)
  expect(before.opinion.note).toContain('4 of 20 labels')
  expect(before.items.length).toBeGreaterThan(0)
  expect(before.items.every(({ item }) => item.reasons.length > 0)).toBe(true)
  const [first] = before.items
  if (first === undefined) throw new Error('the queue is empty')
  const { seq } = first.turn
  const via = { list: 'queue', nth: 1, said: first.item.decided } as const
  await client.call('labels.set', { key, session: 0, seq, label: { primary: 'planning', via } })
  const after = await listOf(client, corpus)
  expect(after.total).toBe(before.total - 1)
  expect(after.items.map(({ turn }) => turn.seq)).not.toContain(seq)
  expect(after.precision.queue).toMatchObject({
    hits: first.item.decided === 'planning' ? 0 : 1,
    of: 1,
  })
  expect(after.precision.labelled).toEqual({ queue: 1, random: 0 })
})

test('[L80] with labels enough the shipped sentence model gives a second opinion with its evidence', async () => {
  const cases = [
    'save this',
    'put it on the server',
    'share my work',
    'send what we have',
    'upload the change',
    'store it for the others',
    'hand it in',
    'deliver this',
    'keep this version',
    'publish it',
  ].map((text) => ({ text, primary: 'git_ops' }))
  const others = [
    'it is broken',
    'that fails again',
    'an error appears',
    'it does not start',
    'wrong result',
    'it hangs',
    'the screen stays white',
    'nothing loads',
    'it stopped',
    'it crashes at once',
  ].map((text) => ({ text, primary: 'bugfix' }))
  const { client, corpus } = await openLab([...cases, ...others])
  const steps = await collect(client, 'queue.turns', { corpus, side, list: 'random', most: 50 })
  expect(steps.some((step) => step.kind === 'progress' && step.phase === 'embedding')).toBe(true)
  const found = steps.at(-1)
  if (found?.kind !== 'queue') throw new Error('no list came')
  expect(found.opinion.note).toBeNull()
  expect(found.opinion.labels).toBe(24)
  for (const { item } of found.items) {
    expect(item.opinion?.nearest).toHaveLength(3)
    expect(item.opinion?.share).toBeGreaterThan(0)
  }
  // Vectors are kept: the second question embeds nothing.
  const again = await collect(client, 'queue.turns', { corpus, side, list: 'queue', most: 50 })
  expect(again.some((step) => step.kind === 'progress' && step.phase === 'embedding')).toBe(false)
}, 120_000)

test('[L85] [L86] two readers label blindly; where they differ they settle it, and that counts', async () => {
  const { root, client, corpus, key } = await openLab()
  const at = { key, session: 0, seq: 2 }
  await client.call('labels.set', { ...at, label: { primary: 'planning', by: 'Ada' } })
  const bo = await client.call('labels.get', { key, session: 0, by: 'Bo' })
  expect(bo.labels.map(({ seq }) => seq)).not.toContain(2)
  await client.call('labels.set', { ...at, label: { primary: 'git_ops', by: 'Bo' } })
  const ada = await client.call('labels.get', { key, session: 0, by: 'Ada' })
  expect(ada.labels.find(({ seq }) => seq === 2)?.label.primary).toBe('planning')
  const open = await listOf(client, corpus, 'disagreements')
  expect(open.items.map(({ turn, item }) => [turn.seq, item.readings])).toEqual([
    [
      2,
      [
        { by: 'Ada', primary: 'planning' },
        { by: 'Bo', primary: 'git_ops' },
      ],
    ],
  ])
  expect(open.readers).toMatchObject({ open: 1, settled: 0, pairs: [{ same: { hits: 0, of: 1 } }] })
  await client.call('labels.set', { ...at, label: { primary: 'planning', by: 'consensus' } })
  expect((await listOf(client, corpus, 'disagreements')).readers).toMatchObject({
    open: 0,
    settled: 1,
  })
  const counting = await client.call('labels.get', { key, session: 0 })
  expect(counting.labels.find(({ seq }) => seq === 2)?.label.primary).toBe('planning')
  // A reader who removes a label removes only their own.
  await client.call('labels.set', { ...at, label: null, by: 'Bo' })
  const text = readFileSync(join(root, 'session.labels.jsonl'), 'utf8')
  expect([...text.matchAll(/"by":"(\w+)"/gu)].map(([, by]) => by)).toEqual(['Ada', 'consensus'])
})

test('[L88] the codebook is a file of the workspace, the first of the places that is there', async () => {
  const { root, client } = await openLab()
  const none = await client.call('codebook.get', {})
  expect(none).toMatchObject({ file: null, text: '' })
  expect(none.places).toEqual(['labels/CODEBOOK.md', 'CODEBOOK.md', 'docs/CODEBOOK.md'])
  writeFileSync(join(root, 'CODEBOOK.md'), '# Rules\n<script>x</script>')
  const found = await client.call('codebook.get', {})
  expect(found).toMatchObject({ file: 'CODEBOOK.md', text: '# Rules\n<script>x</script>' })
})
