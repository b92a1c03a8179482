import { existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { memoryFolder } from './memory-folder.ts'

test('a folder in memory is there until it is removed; without one tests use the disk', () => {
  expect(memoryFolder(join(tmpdir(), 'nothing-is-here'))).toBeNull()
  const made = memoryFolder(mkdtempSync(join(tmpdir(), 'turnscope-memory-')))
  // Null is correct if the disk is full.
  if (made === null) return
  expect(existsSync(made.path)).toBe(true)
  made.remove()
  expect(existsSync(made.path)).toBe(false)
})
