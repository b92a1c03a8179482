import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SEGMENT_REGISTRY } from '../../engine/prompt/registry.ts'
import { makeFolder, REPOSITORY } from '../../../fixtures/host.ts'
import { openPromptFiles } from './prompt-files.ts'

test('[P6] files of segments are relative to prompts/, of the first root that has them', () => {
  const mine = makeFolder({
    'prompts/oracle/a.md': 'mine',
    'oracle/b.md': 'beside prompts',
    'secret.md': 'outside',
  })
  const shipped = makeFolder({
    'prompts/oracle/a.md': 'shipped',
    'prompts/oracle/c.md': 'only here',
  })
  const files = openPromptFiles([mine, shipped])
  const text = (path: string) => {
    const found = files(path)
    return found.ok ? found.value : found.error.where
  }
  expect(text('oracle/a.md')).toBe('mine')
  expect(text('oracle/c.md')).toBe('only here')
  expect(text('oracle/b.md')).toBe('prompts/oracle/b.md')
  expect(text('../secret.md')).toBe('prompts/../secret.md')
  expect(text(join(mine, 'secret.md'))).toContain('secret.md')
  expect(text(join(mine, 'secret.md'))).not.toBe('outside')
})

test('[P6] every file of the registry is found there', () => {
  const files = openPromptFiles([REPOSITORY])
  const missing = SEGMENT_REGISTRY.filter(({ file_path }) => !files(file_path).ok)
  expect(missing).toEqual([])
  expect(SEGMENT_REGISTRY.length).toBeGreaterThan(0)
})
