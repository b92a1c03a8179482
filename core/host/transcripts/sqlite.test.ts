import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { zstdCompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readTranscript } from '../../../fixtures/read-transcript.ts'
import { plainEvents } from '../../engine/schema/event.ts'
import { isTranscript } from './read-transcript.ts'

type Values = ReadonlyArray<string | number | null | Uint8Array>
interface Made {
  readonly tables: string
  readonly rows?: ReadonlyArray<readonly [table: string, ...values: Values]>
}

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'turnscope-stores-'))
})
afterAll(() => rm(folder, { recursive: true }))

let made = 0
function databaseOf({ tables, rows = [] }: Made): string {
  made += 1
  const path = join(folder, `store-${made}.db`)
  const database = new DatabaseSync(path)
  database.exec(tables)
  for (const [table, ...values] of rows)
    database
      .prepare(`INSERT INTO ${table} VALUES (${values.map(() => '?').join(', ')})`)
      .run(...values)
  database.close()
  return path
}

async function sessionsOf(path: string) {
  const read = await readTranscript(path)
  if (!read.ok) throw new Error(JSON.stringify(read.error))
  return read.value.sessions.map((session) => ({
    id: session.id,
    title: session.title,
    events: plainEvents(session).map(({ kind, name, text }) => [kind, name, text]),
  }))
}

const json = (value: unknown) => JSON.stringify(value)
const T = 1_767_225_600_000

const OPENCODE = {
  tables: `CREATE TABLE session (id text primary key, project_id text, parent_id text, directory text, title text, time_created integer);
    CREATE TABLE message (id text primary key, session_id text, time_created integer, time_updated integer, data text);
    CREATE TABLE part (id text primary key, message_id text, session_id text, time_created integer, time_updated integer, data text);`,
  rows: [
    ['session', 'ses_1', 'p', null, '/w', 'Rain', T],
    ['message', 'msg_1', 'ses_1', T, T, json({ role: 'user' })],
    ['part', 'prt_1', 'msg_1', 'ses_1', T, T, json({ type: 'text', text: 'Does it rain?' })],
    ['message', 'msg_2', 'ses_1', T + 1, T, json({ role: 'assistant', modelID: 'm' })],
    [
      'part',
      'prt_2',
      'msg_2',
      'ses_1',
      T,
      T,
      json({
        type: 'tool',
        tool: 'look',
        callID: 'c',
        state: { status: 'completed', input: { at: 'window' }, output: 'wet' },
      }),
    ],
    ['part', 'prt_3', 'msg_2', 'ses_1', T, T, json({ type: 'text', text: 'It does.' })],
  ],
} satisfies Made

const STORES: ReadonlyArray<
  readonly [name: string, store: Made, events: ReadonlyArray<readonly unknown[]>]
> = [
  [
    'OpenCode',
    OPENCODE,
    [
      ['user', null, 'Does it rain?'],
      ['tool_call', 'look', '{"at":"window"}'],
      ['tool_result', 'look', 'wet'],
      ['agent', null, 'It does.'],
    ],
  ],
  [
    'Cursor',
    {
      tables:
        'CREATE TABLE ItemTable (key TEXT UNIQUE, value BLOB); CREATE TABLE cursorDiskKV (key TEXT UNIQUE, value BLOB);',
      rows: [
        [
          'cursorDiskKV',
          'composerData:c1',
          json({
            composerId: 'c1',
            name: 'Rain',
            createdAt: T,
            fullConversationHeadersOnly: [{ bubbleId: 'z' }, { bubbleId: 'a' }],
          }),
        ],
        [
          'cursorDiskKV',
          'bubbleId:c1:a',
          json({
            type: 2,
            text: 'It does.',
            thinking: { text: 'Look' },
            toolFormerData: {
              name: 'look',
              toolCallId: 't',
              rawArgs: '{}',
              result: 'wet',
              status: 'completed',
            },
          }),
        ],
        ['cursorDiskKV', 'bubbleId:c1:z', Buffer.from(json({ type: 1, text: 'Does it rain?' }))],
        ['ItemTable', 'other', 'value'],
      ],
    },
    [
      ['user', null, 'Does it rain?'],
      ['reasoning', null, 'Look'],
      ['agent', null, 'It does.'],
      ['tool_call', 'look', '{}'],
      ['tool_result', 'look', 'wet'],
    ],
  ],
  [
    'Crush',
    {
      tables: `CREATE TABLE sessions (id TEXT PRIMARY KEY, parent_session_id TEXT, title TEXT, created_at INTEGER); CREATE TABLE files (id TEXT);
        CREATE TABLE messages (id TEXT PRIMARY KEY, session_id TEXT, role TEXT, parts TEXT, model TEXT, created_at INTEGER);`,
      rows: [
        ['sessions', 's', null, 'Rain', T],
        [
          'messages',
          'a',
          's',
          'user',
          json([{ type: 'text', data: { text: 'Does it rain?' } }]),
          null,
          T,
        ],
        [
          'messages',
          'b',
          's',
          'assistant',
          json([
            { type: 'reasoning', data: { thinking: 'Look' } },
            { type: 'tool_call', data: { id: 't', name: 'look', input: '{}' } },
            { type: 'finish', data: { reason: 'tool_use' } },
          ]),
          'm',
          T + 1,
        ],
        [
          'messages',
          'c',
          's',
          'tool',
          json([
            {
              type: 'tool_result',
              data: { tool_call_id: 't', name: 'look', content: 'wet', is_error: false },
            },
          ]),
          null,
          T + 2,
        ],
      ],
    },
    [
      ['user', null, 'Does it rain?'],
      ['reasoning', null, 'Look'],
      ['tool_call', 'look', '{}'],
      ['tool_result', 'look', 'wet'],
    ],
  ],
  [
    'Goose',
    {
      tables: `CREATE TABLE schema_version (version INTEGER); CREATE TABLE sessions (id TEXT PRIMARY KEY, name TEXT, description TEXT, working_dir TEXT, created_at TIMESTAMP);
        CREATE TABLE messages (id INTEGER PRIMARY KEY, session_id TEXT, role TEXT, content_json TEXT, created_timestamp INTEGER, metadata_json TEXT);`,
      rows: [
        ['sessions', 's', 'Rain', '', '/w', '2026-01-01 00:00:00'],
        [
          'messages',
          1,
          's',
          'user',
          json([{ type: 'text', text: 'Does it rain?' }]),
          T / 1000,
          null,
        ],
        [
          'messages',
          2,
          's',
          'assistant',
          json([{ type: 'text', text: 'It does.' }]),
          T / 1000,
          json({ userVisible: true }),
        ],
      ],
    },
    [
      ['user', null, 'Does it rain?'],
      ['agent', null, 'It does.'],
    ],
  ],
  [
    'Zed',
    {
      tables:
        'CREATE TABLE threads (id TEXT PRIMARY KEY, summary TEXT, updated_at TEXT, data_type TEXT, data BLOB);',
      rows: [
        [
          'threads',
          't',
          'Rain',
          '2026-01-01T00:00:00Z',
          'zstd',
          zstdCompressSync(
            json({
              title: 'Rain',
              version: '0.3.0',
              updated_at: '2026-01-01T00:00:00Z',
              messages: [
                { User: { id: 'u', content: [{ Text: 'Does it rain?' }] } },
                { Agent: { content: [{ Text: 'It does.' }], tool_results: {} } },
              ],
            }),
          ),
        ],
      ],
    },
    [
      ['user', null, 'Does it rain?'],
      ['agent', null, 'It does.'],
    ],
  ],
  [
    'Amazon Q',
    {
      tables:
        'CREATE TABLE conversations (key TEXT PRIMARY KEY, value TEXT); CREATE TABLE history (id INTEGER);',
      rows: [
        [
          'conversations',
          '/w',
          json({
            conversation_id: 'q',
            history: [
              {
                user: { content: { Prompt: { prompt: 'Does it rain?' } } },
                assistant: { Response: { content: 'It does.' } },
              },
            ],
          }),
        ],
      ],
    },
    [
      ['user', null, 'Does it rain?'],
      ['agent', null, 'It does.'],
    ],
  ],
  [
    'Warp',
    {
      tables:
        'CREATE TABLE ai_queries (id INTEGER PRIMARY KEY, exchange_id TEXT, conversation_id TEXT, start_ts DATETIME, input TEXT, working_directory TEXT);',
      rows: [
        [
          'ai_queries',
          1,
          'e',
          'c',
          '2026-01-01 00:00:00.123456',
          json([{ Query: { text: 'Does it rain?', context: [] } }]),
          '/w',
        ],
      ],
    },
    [['user', null, 'Does it rain?']],
  ],
]

describe('SQLite databases of agents', () => {
  it.each(STORES)('[I206] reads the sessions of %s', async (_name, store, events) => {
    expect((await sessionsOf(databaseOf(store))).map((session) => session.events)).toEqual([events])
  })

  it('[I205] reads what only the write-ahead log has, and changes no file', async () => {
    const path = join(folder, 'wal.db')
    const writer = new DatabaseSync(path)
    writer.exec(`PRAGMA journal_mode = WAL; ${OPENCODE.tables}`)
    for (const [table, ...values] of OPENCODE.rows)
      writer
        .prepare(`INSERT INTO ${table} VALUES (${values.map(() => '?').join(', ')})`)
        .run(...values)
    const before = (await readdir(folder)).filter((name) => name.startsWith('wal.db')).toSorted()
    expect(before).toContain('wal.db-wal')
    expect((await sessionsOf(path))[0]?.events).toHaveLength(4)
    expect((await readdir(folder)).filter((name) => name.startsWith('wal.db')).toSorted()).toEqual(
      before,
    )
    writer.close()
  })

  it('[I205] leaves no copy behind', async () => {
    const copies = async () =>
      (await readdir(tmpdir())).filter((name) => name.startsWith('turnscope-sqlite-'))
    const before = await copies()
    await sessionsOf(databaseOf(OPENCODE))
    expect((await copies()).filter((name) => !before.includes(name))).toEqual([])
  })

  it('[I205] never uses a view or a trigger in place of a table', async () => {
    const endless =
      'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS key, i AS value FROM n'
    const read = await readTranscript(
      databaseOf({ tables: `CREATE TABLE other (id); CREATE VIEW ItemTable AS ${endless};` }),
    )
    expect(read).toMatchObject({
      ok: false,
      error: { what: 'a SQLite database whose tables no known agent has: other' },
    })
  })

  it('[I207] names the product, and what another version of its tables lacks', async () => {
    const read = await readTranscript(
      databaseOf({
        tables:
          'CREATE TABLE session (id); CREATE TABLE message (id, body); CREATE TABLE part (id)',
      }),
    )
    expect(read.ok ? '' : read.error.what).toBe(
      'a SQLite database of OpenCode, of a version that is not known: it lacks message.session_id, message.data, part.message_id, part.session_id, part.data; its tables are session, message, part',
    )
    expect(read.ok ? '' : read.error.do).toContain('opencode export')
  })

  it('[I207] a database without a session, and one of no agent, are refused by their tables', async () => {
    const empty = databaseOf({ tables: 'CREATE TABLE ItemTable (key text, value blob)' })
    const other = databaseOf({ tables: 'CREATE TABLE customers (id); CREATE TABLE orders (id)' })
    expect(await readTranscript(empty)).toMatchObject({
      ok: false,
      error: { what: 'a SQLite database of Cursor, which holds no session' },
    })
    expect(await readTranscript(other)).toMatchObject({
      ok: false,
      error: { what: expect.stringContaining('customers, orders') as string },
    })
    const { signal } = new AbortController()
    expect(await isTranscript(other, signal)).toBe(false)
    expect(await isTranscript(databaseOf(OPENCODE), signal)).toBe(true)
  })

  it('[I205] damaged databases are refused, and never throw', async () => {
    const whole = await import('node:fs/promises').then(({ readFile }) =>
      readFile(databaseOf(OPENCODE)),
    )
    for (let at = 0; at < 60; at += 1) {
      const bytes = Buffer.from(whole)
      const place = 16 + ((at * 7919) % (bytes.length - 16))
      bytes.fill(at % 2 === 0 ? 0xff : 0, place, place + 40)
      const path = join(folder, `damaged-${at}.db`)
      await writeFile(path, at % 5 === 0 ? bytes.subarray(0, place + 20) : bytes)
      const read = await readTranscript(path)
      if (!read.ok) expect(read.error.do).not.toBe('')
    }
  })
})
