import { readdirSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import {
  CONFIG,
  REPOSITORY,
  makeFolder,
  makeHost,
  makeSession,
  openIn,
  windowOf,
} from '../../../../fixtures/host.ts'
import { createSessionHandlers } from '../../entries/session-handlers.ts'
import { createPriority } from '../../platform/threads/priority.ts'
import { openWorkspace } from '../../workspace/workspace.ts'

const host = makeHost()
const client = windowOf(host)
afterAll(() => host.close())

const IMAGE_BYTES = 37_500_000

test('[I7] [I52] a line of 50 MB, an image in base64, is a stub with type and size; its neighbours are there', async () => {
  const folder = makeFolder()
  const path = join(folder, 'image.jsonl')
  const record = (uuid: string, content: unknown) =>
    JSON.stringify({ type: 'user', sessionId: 's', uuid, message: { role: 'user', content } })
  const data = Buffer.alloc(IMAGE_BYTES, 'pixels').toString('base64')
  const source = { type: 'base64', media_type: 'image/png', data }
  const lines = [
    record('a', 'before it'),
    record('b', [{ type: 'image', source }]),
    record('c', 'after it'),
  ]
  writeFileSync(path, `${lines.join('\n')}\n`)
  const opened = await openIn(client, { kind: 'path', path })
  expect(opened.problems).toBe(0)
  const { key } = opened
  const asked = { key, session: 0, from: 0, to: 9, maxChars: 2000, config: CONFIG }
  const { rows } = await client.call('session.rows', asked)
  expect(rows.map((row) => row.text)).toEqual([
    'before it',
    '[image image/png 37500 kB]',
    'after it',
  ])
  const raw = await client.call('session.raw', { key, session: 0, seq: 1 })
  expect(raw.length).toBe(Buffer.byteLength(lines[1] ?? ''))
  expect([raw.truncated, raw.text.length]).toEqual([true, 256 * 1024])
  await client.call('session.close', { key })
})

/** Temporary files of texts that this process holds open; they have no name any more. */
function textFiles(): number {
  const names = readdirSync('/proc/self/fd').map((fd) => {
    try {
      return readlinkSync(join('/proc/self/fd', fd))
    } catch {
      return ''
    }
  })
  return names.filter((name) => /turnscope-\d+-[0-9a-f]+ \(deleted\)$/.test(name)).length
}

test.runIf(process.platform === 'linux')(
  '[I50] what the library reads and searches gives its temporary file back',
  async () => {
    const path = join(makeFolder({ 'long.jsonl': makeSession(12, longText) }), 'long.jsonl')
    const { signal } = new AbortController()
    const workspace = openWorkspace(REPOSITORY, REPOSITORY)
    const handlers = createSessionHandlers(workspace, createPriority())
    const before = textFiles()
    const asked = { paths: [path], config: CONFIG, compare: null }
    const { readings } = await handlers['library.read'](asked, { signal })
    expect(readings.map(({ kind }) => kind)).toEqual(['read'])
    const query = { path, query: 'needle', config: CONFIG, compare: null, most: 1 }
    const found = await handlers['library.findIn'](query, { signal })
    expect(found.found[0]?.total).toBe(12)
    expect(textFiles()).toBe(before)
    const key = 'k'
    const file = { path, shown: path, name: 'long.jsonl', fixed: null, map: null }
    for await (const step of handlers['session.open']({ key, file }, { signal }))
      expect(step.kind).not.toBe('following')
    expect(textFiles()).toBe(before + 1)
    await handlers['session.close']({ key }, { signal })
    expect(textFiles()).toBe(before)
  },
)

/** Twelve of these are more than what stays in memory. */
function longText(turn: number): string {
  return `needle ${turn} ${'a word and another '.repeat(50_000)}`
}
