import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { reportPath, repositoryRoot } from './repository-root.ts'

test('[F223] reports name files relative to the repository, also from a folder below it', () => {
  const root = mkdtempSync(join(tmpdir(), 'turnscope-root-'))
  const below = join(root, 'a', 'b')
  mkdirSync(below, { recursive: true })
  expect(repositoryRoot(below)).toBe(below)
  mkdirSync(join(root, '.git'))
  expect(repositoryRoot(below)).toBe(root)
  expect(reportPath('s.jsonl', root, below)).toBe('a/b/s.jsonl')
  expect(reportPath(join(root, 'x.jsonl'), root, below)).toBe('x.jsonl')
  expect(reportPath('../../../y.jsonl', root, below)).toBe('../../../y.jsonl')
  rmSync(root, { recursive: true })
})
