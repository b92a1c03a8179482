import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { makeFolder } from '../../../fixtures/host.ts'
import { THREADS } from '../../place.ts'
import { type ReceiverPart, createReceiverPart } from './main/receiver.ts'
import { notWritten } from './not-written.ts'

const parts: ReceiverPart[] = []
afterEach(() => Promise.all(parts.splice(0).map((part) => part.stop())))

/** A receiver over a folder, and its log output. */
async function started() {
  const folder = makeFolder()
  const said: string[] = []
  const say = (line: string) => void said.push(line)
  const part = createReceiverPart({ url: THREADS.receiver, folder, say })
  parts.push(part)
  const { url } = await part.start({ port: 0, isOpen: true })
  const send = async (session: string) => {
    const attributes = [{ key: 'session.id', value: { stringValue: session } }]
    const ids = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) }
    const spans = [{ ...ids, name: 'chat', attributes }]
    const response = await fetch(`${url}/v1/traces`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] }),
    })
    const { message = '' } = (await response.json()) as { readonly message?: string }
    return { status: response.status, message }
  }
  return { part, said, send, pathOf: (session: string) => join(folder, 'otlp', `${session}.jsonl`) }
}

it('[F168] a record that can never be written is named, with what to do: to the sender, in the window, and once on the log', async () => {
  const { part, said, send, pathOf } = await started()
  const path = pathOf('talk')
  mkdirSync(path, { recursive: true })
  const why = `the record ${path} cannot be written: what is in its place is no file. Move it away; until then, requests with this session are answered with 503, and lost when their sender gives up`
  for (let n = 0; n < 3; n += 1) expect(await send('talk')).toEqual({ status: 503, message: why })
  expect(await send('other')).toMatchObject({ status: 200 })
  const refused = [{ why, count: 3, at: expect.any(Number) as number }]
  await expect.poll(() => part.status().counts).toMatchObject({ refused, spans: 1 })
  expect(said).toEqual([`Live sessions: ${why}`])
  // What to do helps.
  rmdirSync(path)
  expect(await send('talk')).toMatchObject({ status: 200 })
  expect(said).toHaveLength(1)
})

it.runIf(process.platform !== 'win32')(
  '[F168] [I60] a pipe in the place of a record is said in the same words, and not waited for',
  async () => {
    const { send, pathOf } = await started()
    expect(spawnSync('mkfifo', [pathOf('talk')]).status).toBe(0)
    expect((await send('talk')).message).toMatch(
      /talk\.jsonl cannot be written: what is in its place/u,
    )
  },
)

it('[F168] a record that this account may not write is named; where it is the folder, the folder is', () => {
  const folder = makeFolder({ 'a.jsonl': '' })
  const path = join(folder, 'a.jsonl')
  const errorAt = (at: string) =>
    Object.assign(new Error(`EACCES: permission denied, open '${at}'`), {
      code: 'EACCES',
      path: at,
    })
  expect(notWritten(errorAt(path), folder).why).toContain(
    `the record ${path} cannot be written: this account may not write it. Check its rights, or move it away`,
  )
  const missing = join(folder, 'missing.jsonl')
  expect(existsSync(missing)).toBe(false)
  expect(notWritten(errorAt(missing), folder).why).toContain(
    `it could not be written to ${folder}: this account may not write there. Check its rights`,
  )
})

it('[F168] records are named a hundred times at most', async () => {
  const { part, said, send, pathOf } = await started()
  for (let n = 0; n < 130; n += 1) mkdirSync(pathOf(`s${n}`), { recursive: true })
  for (let n = 0; n < 130; n += 1) expect((await send(`s${n}`)).status).toBe(503)
  const counts = () => part.status().counts.refused
  await expect.poll(() => counts().reduce((sum, { count }) => sum + count, 0)).toBe(130)
  expect(counts()).toHaveLength(101)
  expect(counts().at(-1)).toMatchObject({
    why: 'other reasons, too many to be told apart',
    count: 30,
  })
  expect(said).toHaveLength(101)
})
