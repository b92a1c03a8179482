import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { withLock } from './file-lock.ts'

const folder = mkdtempSync(join(tmpdir(), 'turnscope-lock-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A busy machine does not reach it: the lock's own patience is for users. */
const HUNG_MS = 600_000

it('[F16] whoever waits never takes away the lock of the one after the one that was seen', async () => {
  const path = join(folder, 'count')
  writeFileSync(path, '0')
  let inside = 0
  const together: number[] = []
  const add = () =>
    withLock(
      path,
      async () => {
        inside += 1
        together.push(inside)
        const before = Number(readFileSync(path, 'utf8'))
        await new Promise((resolve) => setTimeout(resolve, 1))
        writeFileSync(path, String(before + 1))
        inside -= 1
      },
      HUNG_MS,
    )
  const writers = Array.from({ length: 24 }, async () => {
    for (let round = 0; round < 12; round += 1) await add()
  })
  await Promise.all(writers)
  expect(Math.max(...together)).toBe(1)
  expect(readFileSync(path, 'utf8')).toBe(String(24 * 12))
}, 60_000)
