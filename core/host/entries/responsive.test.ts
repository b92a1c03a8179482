import { join } from 'node:path'
import { expect, test } from 'vitest'
import { serveLoopback } from '../windows/main/loopback.ts'
import {
  clientOf,
  CONFIG,
  makeFolder,
  makeHost,
  makeSession,
  openIn,
  openSocket,
  replayIn,
} from '../../../fixtures/host.ts'

/**
 * Longest time that this thread blocked the event loop, in ms of the thread's CPU time. Other processes of a busy
 * machine are not counted.
 */
function watchLoop(): () => number {
  const cpu = () => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1000
  }
  let last = cpu()
  let longest = 0
  const timer = setInterval(() => {
    const now = cpu()
    longest = Math.max(longest, now - last)
    last = now
  }, 1)
  return () => {
    clearInterval(timer)
    return longest
  }
}

// The client shares this thread, so its own work is in the figure: an upper bound for the host.
test('10,000 turns: the main loop stays free while opening, replaying, comparing', async () => {
  const folder = makeFolder({ 'big.jsonl': makeSession(10_000), 'index.html': '' })
  const host = makeHost()
  const served = await serveLoopback(host, { root: folder })
  const client = clientOf(await openSocket(served.url))
  await client.call('host.info', {})
  const stop = watchLoop()
  const start = performance.now()
  const opened = await openIn(client, { kind: 'path', path: join(folder, 'big.jsonl') })
  const openedMs = performance.now() - start
  await client.call('session.index', { key: opened.key, session: 0 })
  const replay = await replayIn(client, opened.key)
  const replayedMs = performance.now() - start
  await replayIn(client, opened.key, CONFIG, { ...CONFIG, preset: 'literal' })
  const comparedMs = performance.now() - start
  const longest = stop()
  console.info(
    `10,000 turns: opened ${openedMs.toFixed(0)} ms, replayed ${replayedMs.toFixed(0)} ms, compared ${comparedMs.toFixed(0)} ms; longest pause of the main loop ${longest.toFixed(1)} ms of CPU (client included)`,
  )
  expect(replay.columns.turns).toBe(10_000)
  // Generous on purpose: machines differ. The aim is 50 ms.
  expect(longest).toBeLessThan(250)
  await served.close()
  await host.close()
})

test('rows and cancel are answered while a long replay runs', async () => {
  const text = (turn: number) =>
    `Investigate ${'the credit rating and the filings '.repeat(60)} ${turn}`
  const folder = makeFolder({ 'long.jsonl': makeSession(20_000, text), 'index.html': '' })
  const host = makeHost()
  const served = await serveLoopback(host, { root: folder })
  const client = clientOf(await openSocket(served.url))
  const { key } = await openIn(client, { kind: 'path', path: join(folder, 'long.jsonl') })
  const input = { key, session: 0, config: CONFIG, compare: null }
  const seen: string[] = []
  const progressed = Promise.withResolvers<null>()
  const cancel = client.subscribe('session.replay', input, {
    next: (value) => {
      seen.push(value.kind)
      progressed.resolve(null)
    },
  })
  await progressed.promise
  const rows = { key, session: 0, from: 0, to: 3, maxChars: 10, config: CONFIG }
  expect((await client.call('session.rows', rows)).rows).toHaveLength(3)
  expect(seen).not.toContain('replayed')
  cancel()
  const before = seen.length
  await client.call('session.rows', rows)
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(seen.length - before).toBeLessThanOrEqual(1)
  expect(seen).not.toContain('replayed')
  await served.close()
  await host.close()
})
