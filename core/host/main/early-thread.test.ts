import { join } from 'node:path'
import { expect, test } from 'vitest'
import { THREADS } from '../../../fixtures/built.ts'
import {
  makeFolder,
  makeHost,
  makeSession,
  openIn,
  replayIn,
  windowOf,
} from '../../../fixtures/host.ts'
import { startEarly } from './early-thread.ts'

const folder = makeFolder({ 'a.jsonl': makeSession(40), 'b.jsonl': makeSession(50) })
const path = (name: string) => ({ kind: 'path', path: join(folder, name) }) as const

async function columnsOf(host: ReturnType<typeof makeHost>) {
  const window = windowOf(host)
  const columns = []
  for (const name of ['a.jsonl', 'b.jsonl']) {
    const { key } = await openIn(window, path(name))
    columns.push((await replayIn(window, key)).columns)
  }
  const labels = await window.call('labels.get', {
    ...(await openIn(window, path('a.jsonl'))),
    session: 0,
    by: null,
  })
  await host.close()
  return { columns, labels }
}

test('[F131] a thread that was started early answers as any other', async () => {
  const early = startEarly(THREADS.sessionUrl)
  const plain = await columnsOf(makeHost())
  expect(await columnsOf(makeHost({ early }))).toEqual(plain)
})

test('[F131] one that has ended before it is needed is not missed', async () => {
  const early = startEarly(new URL('data:text/javascript,process.exit(3)'))
  await new Promise((resolve) => setTimeout(resolve, 300))
  const { columns } = await columnsOf(makeHost({ early }))
  expect(columns.map(({ turns }) => turns)).toEqual([40, 50])
})
