import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TurnscopeContract } from '../../wire/contract.ts'
import { type Client, connect, RpcError } from '../../wire/rpc.ts'
import type { Host } from './host.ts'
import { portPair } from '../../../fixtures/port-pair.ts'
import {
  collect,
  CONFIG,
  makeFolder,
  makeHost,
  makeSession,
  openIn,
} from '../../../fixtures/host.ts'

const DOMAINS = `domains:
  - name: coding
    signals: [python, test]
  - name: conversation
    signals: [thanks]
`
const folder = makeFolder({
  's.jsonl': makeSession(6),
  'profiles/domains/mine.yaml': DOMAINS,
  'elsewhere.yaml': DOMAINS,
})
let host: Host
let client: Client<TurnscopeContract>
let key: string

beforeAll(async () => {
  host = makeHost({ workspace: folder })
  const { left, right } = portPair()
  host.mount(right)
  client = connect<TurnscopeContract>(left)
  ;({ key } = await openIn(client, { kind: 'path', path: join(folder, 's.jsonl') }))
})
afterAll(() => host.close())

/** The code of a failure; null if the call succeeded. */
async function codeOf(answer: Promise<unknown>): Promise<string | null> {
  return answer.then(
    () => null,
    (error: unknown) => (error instanceof RpcError ? error.code : String(error)),
  )
}

const LONG = 'x'.repeat(5_000)

describe('names that end up in the list of what needs trust', () => {
  it('[I62] a variable of 401 characters is refused where it is named, and the list can be told', async () => {
    const embedder = { kind: 'openai', title: 'x', url: 'https://x.example', model: 'm' } as const
    const { probe } = await client.call('settings.get', {})
    const named = (keyEnv: string) => ({
      probe: { ...probe, embedders: { x: { ...embedder, keyEnv } } },
    })
    expect(await codeOf(client.call('settings.set', named('A'.repeat(401))))).toBe('BAD_INPUT')
    expect(await codeOf(client.call('settings.set', named('A'.repeat(400))))).toBe(null)
    const state = await client.call('trust.state', {})
    expect(state.items.map(({ variables }) => variables[0]?.length)).toEqual([400])
    await client.call('settings.set', { probe })
  })

  it('[I62] the same for a file of the workspace', async () => {
    const store = `{ kind: pgvector, urlEnv: ${'A'.repeat(401)}, table: t }`
    const root = makeFolder({
      'profiles/collections.yaml': `collections:\n  - name: a\n    paths: []\n    store: ${store}\n`,
    })
    const own = makeHost({ workspace: root })
    const { left, right } = portPair()
    own.mount(right)
    const state = await connect<TurnscopeContract>(left).call('trust.state', {})
    expect(state.problem).toContain('urlEnv')
    await own.close()
  })
})

describe('names and paths over the wire', () => {
  it.each([
    ['a NUL', 'a\0b'],
    ['5,000 characters', LONG],
    ['a path', join(folder, 'elsewhere.yaml')],
  ])(
    '[I64] a domain file, preset or profile whose name is %s is refused, not a fault',
    async (_, name) => {
      const named = { ...CONFIG, domains: name }
      expect(await codeOf(client.call('draft.load', { config: named }))).toBe('REFUSED')
      for (const config of [named, { ...CONFIG, preset: name }]) {
        const draft = { config, domainsText: DOMAINS, options: {} }
        const marks = { key, session: 0, from: 0, to: 2, draft }
        expect(await codeOf(client.call('lab.marks', marks))).toBe('REFUSED')
      }
    },
  )

  it('[I64] an export to a name that no file can have is refused with what to do', async () => {
    const write = (path: string) =>
      collect(client, 'export.write', { key, sessions: null, kinds: [], keep: [], path })
    expect(await codeOf(write(join(folder, 'a\0b')))).toBe('BAD_INPUT')
    await expect(write(join(folder, 'x'.repeat(300)))).rejects.toMatchObject({
      code: 'REFUSED',
      do: 'Check the path, its rights and the space that is left',
    })
  })

  it('[I62] what the system refuses while it is written is a refusal too', async () => {
    symlinkSync('circle', join(folder, 'circle'))
    const path = join(folder, 'circle')
    const answer = collect(client, 'export.write', {
      key,
      sessions: null,
      kinds: [],
      keep: [],
      path,
    })
    expect(await codeOf(answer)).toBe('REFUSED')
  })
})

describe('names that every object has', () => {
  it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])(
    '[I63] an embedder called %s leaves the list of embedders whole',
    async (title) => {
      const config = { kind: 'folder', title, path: '/nothing/here' } as const
      const { name } = await client.call('probe.addEmbedder', { config })
      const { embedders } = await client.call('probe.embedders', {})
      expect(embedders.find((each) => each.name === name)).toMatchObject({ title, threshold: null })
      await client.call('probe.removeEmbedder', { name })
      expect((await client.call('probe.embedders', {})).embedders).toHaveLength(
        embedders.length - 1,
      )
    },
  )
})

it('[I62] an ablation under the preset field, whose anti-signals are compiled anew, has its rows', async () => {
  const config = { ...CONFIG, preset: 'field', domains: 'mine' }
  const ready = (
    await collect(client, 'lab.open', { keys: [key], folders: [], samples: false, config })
  ).at(-1)
  if (ready?.kind !== 'ready') throw new Error('no corpus')
  const side = { kind: 'config', config } as const
  const last = (await collect(client, 'lab.ablation', { corpus: ready.corpus, side })).at(-1)
  expect(last?.kind === 'ablation' && last.rows.some(({ fired }) => fired > 0)).toBe(true)
})

it('[I62] rows that are asked for while their session closes are answered or refused', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { key: own } = await openIn(client, { kind: 'path', path: join(folder, 's.jsonl') })
    const asked = { key: own, session: 0, from: 0, to: 6, maxChars: 100, config: CONFIG }
    const rows = codeOf(client.call('session.rows', asked))
    await client.call('session.close', { key: own })
    expect([null, 'REFUSED']).toContain(await rows)
  }
})
