import fs from 'node:fs/promises'
import { appendFileSync, truncateSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { makeFolder, makeSession } from '../../../../fixtures/host.ts'
import { byteChunks, byteRange, byteSize } from './byte-input.ts'
import { openDocument } from './byte-document.ts'
import { OpenFile } from './open-file.ts'
import { openTranscript } from '../../transcripts/transcript.ts'

const { open } = fs
afterEach(() => {
  fs.open = open
  syncBuiltinESMExports()
})

/** Counts how often files are opened from here on. */
function countOpens(): ReadonlyMap<string, number> {
  const opens = new Map<string, number>()
  fs.open = (path, ...rest) => {
    opens.set(String(path), (opens.get(String(path)) ?? 0) + 1)
    return open(path, ...rest)
  }
  syncBuiltinESMExports()
  return opens
}

const FILES: ReadonlyArray<readonly [string, string]> = [
  ['a short file of lines', makeSession(5)],
  ['a file of lines that is longer than what is read at once', makeSession(6000)],
  ['a short document', JSON.stringify([{ role: 'user', content: 'hello there' }], null, 1)],
  [
    'a long document',
    JSON.stringify(
      Array.from({ length: 9000 }, (_, at) => ({ role: 'user', content: `message number ${at}` })),
      null,
      1,
    ),
  ],
]

test.each(FILES)('[I147] %s is opened once', async (_, text) => {
  const path = join(makeFolder({ 'a.json': text }), 'a.json')
  const opens = countOpens()
  const opened = await openTranscript(path)
  if (!opened.ok) throw new Error(opened.error.what)
  expect(opened.value.transcript.sessions[0]?.events.length).toBeGreaterThan(0)
  expect([...opens]).toEqual([[path, 1]])
  opened.value.close()
})

test('[I147] a held file gives the bytes that its path gives, also when it was let go', async () => {
  const bytes = Buffer.from(Array.from({ length: 700_001 }, (_, at) => (at * 7919) % 251))
  const path = join(makeFolder(), 'bytes')
  for (const length of [0, 1, 5000, (1 << 18) - 1, 1 << 18, (1 << 18) + 1, bytes.length]) {
    writeFileSync(path, bytes.subarray(0, length))
    const held = await OpenFile.open(path)
    const compare = async () => {
      expect(await byteSize(held)).toBe(length)
      for (const at of [0, 3, (1 << 18) - 2, (1 << 18) + 2, length - 1]) {
        for (const count of [0, 1, 4, 300_000]) {
          const offset = Math.max(0, at)
          const wanted = await byteRange(path, offset, count)
          expect(wanted.equals(await byteRange(held, offset, count))).toBe(true)
        }
      }
      const chunks: Buffer[] = []
      for await (const chunk of byteChunks(held)) chunks.push(Buffer.from(chunk))
      expect(Buffer.concat(chunks).equals(bytes.subarray(0, length))).toBe(true)
      const document = await openDocument(held, {})
      expect(document.size).toBe(length)
      await document.close()
    }
    await compare()
    await held.letGo()
    expect(held.isOpen).toBe(false)
    await compare()
    await held.letGo()
  }
})

test('[I147] a held file keeps the size that it had, and ends where it was cut off', async () => {
  const path = join(makeFolder({ a: 'x'.repeat(400_000) }), 'a')
  const held = await OpenFile.open(path)
  appendFileSync(path, 'more')
  expect((await held.range(399_999, 50)).toString()).toBe('x')
  truncateSync(path, 300_000)
  expect((await held.range(299_999, 50)).toString()).toBe('x')
  await held.letGo()
})

test('[I147] a file that no format knows, and one that is closed before its end, leave no handle', async () => {
  const folder = makeFolder({ 'a.txt': 'milk\n', 'b.jsonl': makeSession(6000) })
  const handles: fs.FileHandle[] = []
  fs.open = async (path, ...rest) => {
    const file = await open(path, ...rest)
    handles.push(file)
    return file
  }
  syncBuiltinESMExports()
  expect((await openTranscript(join(folder, 'a.txt'))).ok).toBe(false)
  const stop = new AbortController()
  const reading = openTranscript(join(folder, 'b.jsonl'), {
    signal: stop.signal,
    onProgress: () => stop.abort(),
  })
  await expect(reading).rejects.toThrow()
  await expect.poll(() => handles.map(({ fd }) => fd)).toEqual([-1, -1])
})

test('[I147] two readers that come at a time share one handle', async () => {
  const held = await OpenFile.open(join(makeFolder({ 'a.jsonl': makeSession(5) }), 'a.jsonl'))
  await held.letGo()
  const opens = countOpens()
  const [one, other] = await Promise.all([held.handle(), held.handle()])
  expect(one).toBe(other)
  expect(opens.get(held.path)).toBe(1)
  await held.letGo()
  expect(held.isOpen).toBe(false)
})
