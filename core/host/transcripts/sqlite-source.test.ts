import { truncateSync } from 'node:fs'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { readTranscript } from '../../../fixtures/read-transcript.ts'
import type { RawLine } from '../../engine/import/source.ts'
import { readRaw } from '../turns/session/rows.ts'
import { OpenTranscript } from './open-transcript.ts'
import { linesOf, openSqlite } from './sqlite-source.ts'
import * as copying from './sqlite-copy.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'turnscope-source-'))
})
afterAll(() => rm(folder, { recursive: true }))

const TABLES = `CREATE TABLE session (id text, title text, time_created integer);
  CREATE TABLE message (id text, session_id text, time_created integer, data text);
  CREATE TABLE part (id text, message_id text, session_id text, data text);`

const textPart = (text: string) => JSON.stringify({ type: 'text', text })

function addSession(database: DatabaseSync, id: string, texts: readonly string[]): void {
  database.prepare('INSERT INTO session VALUES (?, ?, 1)').run(id, id)
  for (const [at, text] of texts.entries()) {
    const message = `${id}-${at}`
    database
      .prepare('INSERT INTO message VALUES (?, ?, ?, ?)')
      .run(message, id, at, JSON.stringify({ role: 'user' }))
    database.prepare('INSERT INTO part VALUES (?, ?, ?, ?)').run(message, message, id, text)
  }
}

let made = 0
function makeStore(sessions: Readonly<Record<string, readonly string[]>>, tables = TABLES): string {
  made += 1
  const path = join(folder, `store-${made}.db`)
  const database = new DatabaseSync(path)
  database.exec(tables)
  for (const [id, texts] of Object.entries(sessions)) addSession(database, id, texts)
  database.close()
  return path
}

async function linesIn(path: string, value: number) {
  const source = await openSqlite(path, {}, { file: 1_000_000_000, value })
  const lines: RawLine[] = []
  for await (const some of source.lines()) lines.push(...some)
  return lines
}

describe('values and sessions that are too large', () => {
  it('[I205] counts values above the limit for the session that has them', async () => {
    const long = textPart('x'.repeat(1_000_000))
    const store = makeStore({
      a: [textPart('short')],
      b: [long, textPart('beside'), long],
      c: [long],
      d: [textPart('last')],
    })
    const lines = await linesIn(store, 1_000_000)
    expect(lines.map(({ line, broken = null }) => [line, broken])).toEqual([
      [1, null],
      [2, null],
      [2, 'session 2: 2 values above 1 MB were left out'],
      [3, null],
      [3, 'session 3: 1 value above 1 MB was left out'],
      [4, null],
    ])
    expect(lines[1]?.text).toContain('beside')
    expect((await linesIn(store, 2_000_000)).every(({ broken }) => broken === undefined)).toBe(true)
  })

  const long = 'x'.repeat(1_000_001)
  it.each([
    [
      'Crush',
      `CREATE TABLE sessions (id); CREATE TABLE files (id);
      CREATE TABLE messages (session_id, role, parts, created_at);
      INSERT INTO messages VALUES ('a', 'user', '[]', 1), ('b', 'user', '${long}', 1), ('c', 'user', '[]', 1);`,
    ],
    [
      'Cursor',
      `CREATE TABLE ItemTable (key, value); CREATE TABLE cursorDiskKV (key, value);
      INSERT INTO cursorDiskKV VALUES ('composerData:a', '{}'), ('composerData:b', '{}'),
        ('composerData:c', '{}'), ('bubbleId:a:1', '{}'), ('bubbleId:b:1', '${long}'), ('bubbleId:c:1', '{}');`,
    ],
    [
      'Zed',
      `CREATE TABLE threads (id, data_type, data);
      INSERT INTO threads VALUES ('a', 'json', '{}'), ('b', 'json', '${long}'), ('c', 'json', '{}');`,
    ],
    [
      'Amazon Q',
      `CREATE TABLE conversations (key, value);
      INSERT INTO conversations VALUES ('a', '{}'), ('b', '${long}'), ('c', '{}');`,
    ],
    [
      'Warp',
      `CREATE TABLE ai_queries (conversation_id, input);
      INSERT INTO ai_queries VALUES ('a', '[]'), ('b', '${long}'), ('c', '[]');`,
    ],
  ])('[I205] counts them for the session of %s that has them', async (_name, tables) => {
    const lines = await linesIn(makeStore({}, tables), 1_000_000)
    expect(lines.map(({ line, broken = null }) => [line, broken])).toEqual([
      [1, null],
      [2, null],
      [2, 'session 2: 1 value above 1 MB was left out'],
      [3, null],
    ])
  })

  it('[I205] the limit is of bytes, also for other scripts and beyond a NUL', async () => {
    const wide = textPart('雨'.repeat(400_000))
    const nul = `\0${'x'.repeat(1_000_001)}`
    const lines = await linesIn(makeStore({ a: [wide, nul, textPart('kept')] }), 1_000_000)
    expect(lines[1]?.broken).toBe('session 1: 2 values above 1 MB were left out')
  })

  it('[I205] a session that has no text costs one line', () => {
    const toJSON = () => {
      throw new RangeError('Invalid string length')
    }
    const deep: unknown = JSON.parse('['.repeat(200_000) + ']'.repeat(200_000))
    const broken = (value: unknown) => linesOf(2, { value, of: [] }).map((line) => line.broken)
    expect(broken({ toJSON })).toEqual([
      'session 3: the session is longer than this program can hold as one text',
    ])
    expect(broken({ deep })).toEqual(['session 3: a value of the session is nested too deeply'])
    expect(broken({ whole: true })).toEqual([undefined])
  })

  it('[I205] a value that is nested too deeply leaves the other sessions', async () => {
    const deep = `{"type":"text","text":"a","deep":${'['.repeat(200_000)}${']'.repeat(200_000)}}`
    const read = await readTranscript(makeStore({ a: [deep], b: [textPart('It rains.')] }))
    if (!read.ok) throw new Error(JSON.stringify(read.error))
    expect(read.value.sessions.map(({ id }) => id)).toEqual(['b'])
    expect(JSON.stringify(read.value.problems)).toContain('nested too deeply')
  })
})

describe('the original record of a session', () => {
  async function opened(path: string) {
    const transcript = new OpenTranscript(path)
    const steps = transcript.read(new AbortController().signal)
    while ((await steps.next()).done !== true);
    return transcript
  }

  it('[I205] is refused when another session has its place', async () => {
    const path = makeStore({ b: [textPart('It rains.')], c: [textPart('Still?')] })
    const transcript = await opened(path)
    const at = transcript.transcript.sessions[1]?.events[0]?.source ?? { offset: -1, length: 0 }
    const before = await readRaw(transcript, at)
    expect(before.ok ? before.value.text : before.error).toContain('Still?')
    const writer = new DatabaseSync(path)
    addSession(writer, 'a', [textPart('First'), textPart('Second')])
    addSession(writer, 'b1', [textPart('Third'), textPart('Fourth')])
    writer.close()
    expect(await readRaw(transcript, at)).toEqual({
      ok: false,
      error: { what: 'the file changed since it was opened', where: path, do: 'Open it again' },
    })
    transcript.close()
  })

  it('[I205] is refused when the session is gone', async () => {
    const path = makeStore({ a: [textPart('It rains.')], b: [textPart('Still?')] })
    const transcript = await opened(path)
    const at = transcript.transcript.sessions[1]?.events[0]?.source ?? { offset: -1, length: 0 }
    const writer = new DatabaseSync(path)
    writer.exec("DELETE FROM message WHERE session_id = 'b'")
    writer.close()
    expect(await readRaw(transcript, at)).toMatchObject({
      error: { what: 'the file changed since it was opened' },
    })
    transcript.close()
  })
})

describe('databases of no agent', () => {
  const OTHER = 'CREATE TABLE customers (id integer primary key autoincrement, name text);'

  it('[I207] are refused without a copy of them', async () => {
    const copy = vi.spyOn(copying, 'copyOf')
    await expect(openSqlite(makeStore({}, OTHER), {})).rejects.toThrow(
      'a SQLite database whose tables no known agent has: customers',
    )
    expect(copy).not.toHaveBeenCalled()
    await openSqlite(makeStore({ a: [textPart('It rains.')] }), {})
    expect(copy).toHaveBeenCalledOnce()
    copy.mockRestore()
  })

  it('[I207] are copied when their first bytes may not name all tables', async () => {
    const path = join(folder, 'log.db')
    const writer = new DatabaseSync(path)
    writer.exec(`${OTHER} PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; ${TABLES}`)
    addSession(writer, 'a', [textPart('It rains.')])
    expect((await readdir(folder)).includes('log.db-wal')).toBe(true)
    expect((await readTranscript(path)).ok).toBe(true)
    writer.close()

    const large = makeStore(
      {},
      `${OTHER} CREATE TABLE b (c); INSERT INTO b VALUES (zeroblob(4100000)); ${TABLES}`,
    )
    const database = new DatabaseSync(large)
    addSession(database, 'a', [textPart('It rains.')])
    database.close()
    expect((await readTranscript(large)).ok).toBe(true)

    const small = makeStore({ a: [textPart('It rains.')] }, `PRAGMA page_size = 512; ${TABLES}`)
    expect((await readTranscript(small)).ok).toBe(true)
  })

  it('[I207] one that is cut off names what it can', async () => {
    const path = join(folder, 'cut.db')
    await writeFile(path, 'SQLite format 3\0')
    truncateSync(path, 16)
    const read = await readTranscript(path)
    expect(read.ok ? '' : read.error.do).not.toBe('')
  })
})
