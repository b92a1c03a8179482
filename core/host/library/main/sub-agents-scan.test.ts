import { cpSync, mkdirSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { collect, CONFIG, makeFolder, windowOf } from '../../../../fixtures/host.ts'
import { makeHostHere } from '../../../../fixtures/host-here.ts'

const FIXTURE = join(import.meta.dirname, '../../../../fixtures/import/claude-code/sub-agents')
const SESSION = '2b9d4c10-7e31-4f6a-9c55-0d8e1f3a6b20'
const OTHER = 'f0836d5b-42c9-4a17-b3de-6e1c9a8f7052'

const host = makeHostHere({ workers: 1 })
afterAll(() => host.close())
const at = windowOf(host)

async function scan(folder: string) {
  const asked = { folder, config: CONFIG, compare: null }
  const end = (await collect(at, 'library.scan', asked)).at(-1)
  const { entries } = await at.call('library.entries', asked)
  const sessions = Object.fromEntries(entries.map((each) => [each.name, each.sessions]))
  return { sessions, skipped: end?.kind === 'scanned' ? end.skipped : {} }
}

test('[I101] [K5] a scan counts each sub-agent once: with its session, or on its own', async () => {
  const folder = makeFolder()
  cpSync(FIXTURE, folder, { recursive: true })
  const all = { [`${SESSION}.jsonl`]: 6, [`${OTHER}.jsonl`]: 2, 'agent-af60007.jsonl': 1 }
  expect(await scan(folder)).toEqual({
    sessions: all,
    skipped: { 'part of another transcript': 6 },
  })
  // A sub-agent that comes, and one that goes, make their session another one.
  const inside = join(folder, SESSION, 'subagents/agent-aae0003.jsonl')
  const aside = join(folder, 'aside/deeper/agent-aae0003.jsonl')
  mkdirSync(dirname(aside), { recursive: true })
  renameSync(inside, aside)
  const fewer = { ...all, [`${SESSION}.jsonl`]: 5, 'agent-aae0003.jsonl': 1 }
  expect((await scan(folder)).sessions).toEqual(fewer)
  renameSync(aside, inside)
  expect((await scan(folder)).sessions).toEqual(all)
})
