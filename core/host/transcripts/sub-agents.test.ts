import {
  copyFile,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { Session } from '../../engine/schema/session.ts'
import { plainEvents } from '../../engine/schema/event.ts'
import { writeSessionFile } from '../../../fixtures/session-file.ts'
import { beginReading } from './reading.ts'
import { openTranscript, sessionHeads } from './transcript.ts'

const FIXTURE = join(import.meta.dirname, '../../../fixtures/import/claude-code/sub-agents')
const SESSION = '2b9d4c10-7e31-4f6a-9c55-0d8e1f3a6b20'
const OTHER = 'f0836d5b-42c9-4a17-b3de-6e1c9a8f7052'
const GONE = '91e5b7c3-0a6d-4f28-8d94-3c7b2e5f1a08'

const made: string[] = []
afterAll(async () => {
  for (const folder of made) await rm(folder, { recursive: true })
})

async function copied(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'turnscope-agents-'))
  made.push(folder)
  await cp(FIXTURE, folder, { recursive: true })
  return folder
}

async function read(path: string) {
  const opened = await openTranscript(path)
  if (!opened.ok) throw new Error(JSON.stringify(opened.error))
  const { transcript, companions } = opened.value
  const whole = transcript.sessions.map((session) => {
    const events = plainEvents(session).map((event) => ({ ...event, source: null }))
    return { ...session, events, texts: null }
  })
  const native = writeSessionFile(transcript)
  const heads = sessionHeads(transcript)
  opened.value.close()
  return { sessions: transcript.sessions, whole, companions, native, heads }
}

const ties = (sessions: ReadonlyArray<Pick<Session, 'thread' | 'parent' | 'startedBy'>>) =>
  sessions.map(({ thread, parent, startedBy }) => `${thread} of ${parent} by ${startedBy}`)

test('[I100] sub-agents in the folder of a session are read with it, and of a resumed one those of both ids', async () => {
  const { companions, sessions } = await read(join(FIXTURE, `${SESSION}.jsonl`))
  const names = ['aae0003', 'ab40004', 'ac2f001', 'acompact-0005aa', 'ad10002']
  expect(companions).toEqual(names.map((name) => `${SESSION}/subagents/agent-${name}.jsonl`))
  expect(sessions.map(({ thread, events }) => [thread, events.length])).toEqual([
    ['main', 9],
    ['aae0003', 2],
    ['ab40004', 2],
    ['ac2f001', 4],
    ['acompact-0005aa', 2],
    ['ad10002', 4],
  ])
})

test('[I56] a folder of sub-agents that is a link is not followed', async () => {
  const folder = await copied()
  const elsewhere = await copied()
  for (const name of [SESSION, join(SESSION, 'subagents')]) {
    const place = join(folder, name)
    await rm(place, { recursive: true })
    await symlink(join(elsewhere, name), place)
    const { companions, sessions } = await read(join(folder, `${SESSION}.jsonl`))
    // The session's own progress records tell of the agent (I189).
    expect([companions, sessions.length]).toEqual([[], 2])
    await rm(place)
    await cp(join(elsewhere, name), place, { recursive: true })
    expect((await read(join(folder, `${SESSION}.jsonl`))).sessions.length).toBeGreaterThan(1)
  }
})

test('[I102] a sub-agent hangs under the call that started it: by its result, progress or prompt, also of a sub-agent', async () => {
  const { sessions, heads } = await read(join(FIXTURE, `${SESSION}.jsonl`))
  expect(ties(sessions)).toEqual([
    'main of null by undefined',
    `aae0003 of ${SESSION}/ad10002 by toolu_n3`,
    `ab40004 of ${SESSION} by toolu_b4`,
    `ac2f001 of ${SESSION} by toolu_c2`,
    `acompact-0005aa of ${SESSION} by undefined`,
    `ad10002 of ${SESSION} by toolu_d1`,
  ])
  expect(heads.map(({ startedAtEvent }) => startedAtEvent)).toEqual([null, 1, 8, 3, null, 2])
})

test('[I101] beside a session only its own sub-agents are read with it; a foreign one is a session of its own', async () => {
  const { companions, sessions } = await read(join(FIXTURE, `${OTHER}.jsonl`))
  expect(companions).toEqual(['agent-ae50006.jsonl'])
  expect(ties(sessions)).toEqual(['main of null by undefined', `ae50006 of ${OTHER} by toolu_e5`])
  const alone = await read(join(FIXTURE, 'agent-af60007.jsonl'))
  expect(alone.companions).toEqual([])
  expect(ties(alone.sessions)).toEqual([`af60007 of ${GONE} by undefined`])
})

test('[I101] every sub-agent of a folder is read with exactly one session or stands alone', async () => {
  const names = await readdir(FIXTURE, { recursive: true })
  const files = names.filter((name) => name.endsWith('.jsonl'))
  const sessions = files.filter((name) => !name.includes('agent-'))
  const read_ = await Promise.all(sessions.map((name) => read(join(FIXTURE, name))))
  const attached = read_.flatMap(({ companions }) => companions)
  expect(new Set(attached).size).toBe(attached.length)
  const left = files.filter((name) => !sessions.includes(name) && !attached.includes(name))
  expect(left).toEqual(['agent-af60007.jsonl'])
})

test('[I101] a file whose first record is longer than its head is known all the same; one without a session id belongs where it lies', async () => {
  const folder = await copied()
  const inside = join(folder, SESSION, 'subagents')
  const record = (more: object, content: string) =>
    `${JSON.stringify({ parentUuid: null, isSidechain: true, ...more, type: 'user', message: { role: 'user', content }, uuid: content.slice(0, 9) })}\n`
  const long = `words ${'x'.repeat(200_000)}`
  await writeFile(join(folder, 'agent-long.jsonl'), record({ sessionId: SESSION }, long))
  await writeFile(join(inside, 'agent-cloud.jsonl'), record({ agentId: 'cloud' }, 'no ids'))
  await writeFile(join(folder, 'agent-cloud.jsonl'), record({ agentId: 'else' }, 'no ids either'))
  await writeFile(join(inside, 'agent-lost.jsonl'), record({ sessionId: GONE }, 'of another'))
  const { companions } = await read(join(folder, `${SESSION}.jsonl`))
  expect(companions).toContain('agent-long.jsonl')
  expect(companions).toContain(`${SESSION}/subagents/agent-cloud.jsonl`)
  expect(companions).not.toContain('agent-cloud.jsonl')
  expect(companions).not.toContain(`${SESSION}/subagents/agent-lost.jsonl`)
})

test('[I101] a session without ids takes those of its folder, and they hang under it', async () => {
  const folder = await copied()
  const path = join(folder, `${GONE}.jsonl`)
  const message = { role: 'user', content: 'hello' }
  await writeFile(path, `${JSON.stringify({ type: 'user', message })}\n`)
  await cp(join(folder, 'agent-af60007.jsonl'), join(folder, GONE, 'subagents/agent-af60007.jsonl'))
  const { sessions, companions } = await read(path)
  expect(companions).toEqual([`${GONE}/subagents/agent-af60007.jsonl`])
  expect(ties(sessions)).toEqual(['main of null by undefined', 'af60007 of session-1 by undefined'])
})

test('[I101] [I56] a sub-agent that comes later is read with its session, a changed folder is looked at again', async () => {
  const folder = await copied()
  const at = join(folder, SESSION, 'subagents/agent-ab40004.jsonl')
  const aside = join(folder, 'aside')
  await rename(at, aside)
  expect((await read(join(folder, `${SESSION}.jsonl`))).companions).toHaveLength(4)
  await copyFile(aside, at)
  expect((await read(join(folder, `${SESSION}.jsonl`))).companions).toHaveLength(5)
})

test('[I102] [I10] what started a sub-agent is written as native and read back', async () => {
  const folder = await copied()
  const before = await read(join(FIXTURE, `${SESSION}.jsonl`))
  const path = join(folder, 'native.txt')
  await writeFile(path, before.native)
  const after = await read(path)
  expect(after.whole).toEqual(before.whole)
})

test('[I56] of more files than are read with one session the rest is said, and is not waited for', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'turnscope-agents-'))
  made.push(folder)
  const inside = join(folder, 's1', 'subagents')
  await mkdir(inside, { recursive: true })
  const record = (more: object) =>
    `${JSON.stringify({ ...more, sessionId: 's1', type: 'user', message: { role: 'user', content: 'x' } })}\n`
  await writeFile(join(folder, 's1.jsonl'), record({ uuid: 'a' }))
  for (let at = 0; at < 502; at += 1) {
    const name = `agent-${String(at).padStart(3, '0')}.jsonl`
    await writeFile(join(inside, name), record({ isSidechain: true, agentId: `a${at}` }))
  }
  const { signal } = new AbortController()
  const begun = await beginReading(join(folder, 's1.jsonl'), { signal })
  if (!begun.ok) throw new Error(begun.error.what)
  const reading = begun.value
  const steps = reading.steps({ signal, following: true })
  while ((await steps.next()).done !== true) continue
  const read_ = reading.snapshot(false)
  if (!read_.ok) throw new Error(read_.error.what)
  expect(read_.value.files).toHaveLength(500)
  expect(read_.value.problems.map(({ message }) => message)).toEqual([
    '2 more files belong to this session and are not read with it: at most 500 are. Open them by themselves',
  ])
  expect(read_.value.problems[0]?.preview).toBe('s1/subagents/agent-500.jsonl, …')
  expect(await reading.look()).toBe('same')
  reading.close()
})
