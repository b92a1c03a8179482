import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder, REPOSITORY } from '../../../fixtures/host.ts'
import { runHere } from '../../../fixtures/run-here.ts'

test('[X13] stats --context lists sources over the files of a folder', async () => {
  const folder = makeFolder()
  const fixture = join(REPOSITORY, 'fixtures/import/claude-code/context.jsonl')
  copyFileSync(fixture, join(folder, 'a.jsonl'))
  copyFileSync(fixture, join(folder, 'b.jsonl'))
  const { out } = await runHere(['stats', folder, '--context', '--workspace', REPOSITORY])
  expect(out).toContain('context: 2 sessions with model calls, 2 with recorded usage')
  expect(out).toMatch(
    / {2}system prompt and tools \(not in the file\): 2 sessions, 27,\d{3} tokens, 9\d %/u,
  )
  expect(out).toMatch(/ {2}CLAUDE\.md: 2 sessions, \d+ tokens, 0\.\d %/u)
})
