import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as zlib from 'node:zlib'
import { expect, it } from 'vitest'
import { makeFolder } from '../../../fixtures/host.ts'
import { openTranscript } from './transcript.ts'
import { unpackFile, unpackedName } from './packed-file.ts'

const LINES = [
  { type: 'session', schemaVersion: 1, id: 's', title: 'Packed' },
  { kind: 'user', text: 'debug the crash' },
  { kind: 'agent', text: 'Fixed.' },
]
const TEXT = LINES.map((line) => JSON.stringify(line)).join('\n')
const folder = makeFolder()

function fileOf(name: string, bytes: Uint8Array): string {
  const path = join(folder, name)
  writeFileSync(path, bytes)
  return path
}

const open = (path: string) => openTranscript(path, { signal: new AbortController().signal })

it.each([
  ['a.jsonl.gz', zlib.gzipSync(TEXT)],
  ['a.jsonl.zst', zlib.zstdCompressSync(TEXT)],
  [
    'two.jsonl.gz',
    Buffer.concat([zlib.gzipSync(TEXT.slice(0, 80)), zlib.gzipSync(TEXT.slice(80))]),
  ],
])('[I213] %s opens as its contents', async (name, bytes) => {
  const opened = await open(fileOf(name, bytes))
  if (!opened.ok) throw new Error(opened.error.what)
  const [session] = opened.value.transcript.sessions
  expect(session?.title).toBe('Packed')
  expect(session?.events.map(({ kind }) => kind)).toEqual(['user', 'agent'])
  expect(opened.value.transcript.problems).toEqual([])
  opened.value.close()
})

it.each([
  ['cut.jsonl.gz', zlib.gzipSync(TEXT).subarray(0, 60), /packed with gzip and damaged/u],
  ['cut.jsonl.zst', zlib.zstdCompressSync(TEXT).subarray(0, 60), /packed with zstd and damaged/u],
])('[I213] %s is refused as damaged', async (name, bytes, words) => {
  const opened = await open(fileOf(name, bytes))
  expect(opened.ok ? '' : opened.error.what).toMatch(words)
  expect(opened.ok ? '' : opened.error.do).toContain('Pack it again')
})

it('[I213] no more is unpacked than allowed', async () => {
  for (const bytes of [
    zlib.gzipSync(Buffer.alloc(50_000)),
    zlib.zstdCompressSync(Buffer.alloc(50_000)),
  ])
    await expect(unpackFile(bytes, bytes, 1000)).rejects.toThrow(/larger than/u)
  const plain = Buffer.from(TEXT)
  expect(await unpackFile(plain, plain)).toBeNull()
})

it('[I213] formats see the name of what is packed', () => {
  expect(unpackedName('rollout-1.jsonl.gz')).toBe('rollout-1.jsonl')
  expect(unpackedName('rollout-1.jsonl')).toBe('rollout-1.jsonl')
})
