import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { parquetMetadata } from 'hyparquet'
import { describe, expect, it } from 'vitest'
import { makeFolder } from '../../../fixtures/host.ts'
import { parquetOf, parquetOfColumns } from '../../../fixtures/parquet.ts'
import { textOf } from '../../engine/schema/event.ts'
import { readRaw } from '../turns/session/rows.ts'
import { type FormatsOf, workspaceFormats } from './own-formats.ts'
import { openParquet } from './parquet.ts'
import { isTranscript } from './read-transcript.ts'
import { openTranscript } from './transcript.ts'
import { openWorkspace } from '../workspace/workspace.ts'

function fileOf(bytes: Uint8Array, name = 'data.parquet'): string {
  const path = join(makeFolder({}), name)
  writeFileSync(path, bytes)
  return path
}

async function read(bytes: Uint8Array, formats?: FormatsOf) {
  const opened = await openTranscript(fileOf(bytes), { formats })
  if (!opened.ok) return { failed: opened.error, format: '', sessions: [], problems: [] }
  const { transcript } = opened.value
  const sessions = transcript.sessions.map(({ events, texts }) =>
    events.map((event) => `${event.kind}: ${textOf(event, texts)}`),
  )
  opened.value.close()
  return { failed: null, format: transcript.format, sessions, problems: transcript.problems }
}

const chat = (at: number) => [
  { role: 'user', content: `question ${at}`, name: null },
  { role: 'assistant', content: `answer ${at}`, name: null },
]
const MESSAGES = { name: 'messages', fields: ['role', 'content', 'name'] }
const chats = (count: number) => Array.from({ length: count }, (_, at) => chat(at))

describe('[I146] a Parquet file', () => {
  it('is a session a row, read by the format that knows its lists', async () => {
    const { format, sessions } = await read(parquetOf({ ...MESSAGES, rows: chats(3) }))
    expect(format).toBe('openai-messages')
    expect(sessions).toHaveLength(3)
    expect(sessions[2]).toEqual(['user: question 2', 'agent: answer 2'])
  })

  it.each([
    [
      'conversations',
      ['from', 'value'],
      [
        { from: 'human', value: 'hello' },
        { from: 'gpt', value: 'hi' },
      ],
      'sharegpt',
    ],
    [
      'conversation',
      ['role', 'content'],
      [
        { role: 'user', content: 'hello' },
        { role: 'assistant', content: 'hi' },
      ],
      'sharegpt',
    ],
    [
      'trajectory',
      ['role', 'content'],
      [
        { role: 'user', content: 'hello' },
        { role: 'assistant', content: 'hi' },
      ],
      'conversation-list',
    ],
  ])('knows the column %s', async (name, fields, row, format) => {
    const found = await read(parquetOf({ name, fields, rows: [row, row] }))
    expect(found.format).toBe(format)
    expect(found.sessions).toHaveLength(2)
    expect(found.sessions[0]?.filter((text) => !text.startsWith('meta'))).toEqual([
      'user: hello',
      'agent: hi',
    ])
  })

  it('knows prompt and response, and lists that were written as text', async () => {
    const pairs = await read(
      parquetOfColumns([
        { name: 'prompt', data: ['Why?', 'How?'], type: 'STRING' },
        { name: 'response', data: ['Because.', 'So.'], type: 'STRING' },
      ]),
    )
    expect(
      pairs.sessions.map((events) => events.filter((text) => !text.startsWith('meta'))),
    ).toEqual([
      ['user: Why?', 'agent: Because.'],
      ['user: How?', 'agent: So.'],
    ])
    const texts = await read(
      parquetOfColumns([
        { name: 'messages', data: chats(2).map((one) => JSON.stringify(one)), type: 'STRING' },
      ]),
    )
    expect(texts.format).toBe('openai-messages')
    expect(texts.sessions).toHaveLength(2)
  })

  it('goes on with the response where the prompt is a list of messages', async () => {
    const { format, sessions } = await read(
      parquetOfColumns([
        { name: 'prompt', data: [[{ role: 'user', content: 'Why?' }]], type: 'JSON' },
        { name: 'response', data: ['Because.'], type: 'STRING' },
      ]),
    )
    expect(format).toBe('openai-messages')
    expect(sessions).toEqual([['user: Why?', 'agent: Because.']])
  })

  it('reads other columns with a mapping', async () => {
    const folder = makeFolder({
      'profiles/formats/mine.yaml': `label: Mine
match: [{path: $.ticket}]
events: [{kind: user, text: '@.asked'}, {kind: agent, text: '@.told'}]
`,
    })
    const bytes = parquetOfColumns([
      { name: 'ticket', data: [1, 2], type: 'INT32' },
      { name: 'asked', data: ['a', 'b'], type: 'STRING' },
      { name: 'told', data: ['c', 'd'], type: 'STRING' },
    ])
    const { format, sessions } = await read(bytes, workspaceFormats(openWorkspace(folder)))
    expect(format).toBe('own/mine')
    expect(sessions).toEqual([['user: a', 'agent: c', 'user: b', 'agent: d']])
  })

  it.each([
    ['GZIP', gzipSync],
    ['ZSTD', zstdCompressSync],
  ] as const)('reads pages packed with %s', async (codec, pack) => {
    const packed = {
      codec,
      compressors: { [codec]: (bytes: Uint8Array) => new Uint8Array(pack(bytes)) },
    }
    const { sessions } = await read(parquetOf({ ...MESSAGES, rows: chats(50) }, packed))
    expect(sessions).toHaveLength(50)
  })

  it('shows a row as it is read, and is a transcript to the library', async () => {
    const path = fileOf(parquetOf({ ...MESSAGES, rows: chats(5) }))
    expect(await isTranscript(path, new AbortController().signal)).toBe(true)
    const opened = await openTranscript(path)
    if (!opened.ok) throw new Error(opened.error.what)
    const source = opened.value.transcript.sessions[3]?.events[0]?.source
    expect(source?.line).toBe(4)
    const raw = await readRaw(opened.value, source ?? { offset: 0, length: 0 })
    expect(raw).toMatchObject({ ok: true })
    expect(raw.ok && (JSON.parse(raw.value.text) as unknown)).toEqual({
      messages: chat(3).map(({ role, content }) => ({ role, content })),
      id: 3,
    })
    opened.value.close()
  })
})

describe('[I146] Parquet that is wrong', () => {
  const bytes = parquetOf(
    { ...MESSAGES, rows: chats(40) },
    { rowGroupSize: 10, codec: 'UNCOMPRESSED' },
  )

  it('without its end is refused as cut off', async () => {
    const { failed } = await read(bytes.subarray(0, bytes.length - 20))
    expect(failed?.what).toBe('this Parquet file cannot be read: it ends without its footer')
    expect(failed?.do).toContain('get it again')
  })

  it('with a footer that lies is refused', async () => {
    const lies = Buffer.from(bytes)
    lies.writeUInt32LE(0xfffffff0, lies.length - 8)
    expect((await read(lies)).failed?.what).toContain('which cannot be')
    const broken = Buffer.from(bytes)
    broken.fill(0xff, broken.length - 200, broken.length - 8)
    expect((await read(broken)).failed?.what).toContain('this Parquet file cannot be read')
  })

  it('without a column that is known names the columns, and what is expected', async () => {
    const { failed } = await read(
      parquetOfColumns([
        { name: 'city', data: ['Bremen'], type: 'STRING' },
        { name: 'size', data: [3], type: 'INT32' },
      ]),
    )
    expect(failed?.what).toContain('its columns are city, size')
    expect(failed?.do).toContain(
      'messages, conversation, conversations, trajectory, or prompt and response',
    )
  })

  it('packed in another way is refused with the name of that', async () => {
    const lz4 = { codec: 'LZ4_RAW', compressors: { LZ4_RAW: (page: Uint8Array) => page } } as const
    const { failed } = await read(parquetOf({ ...MESSAGES, rows: chats(2) }, lz4))
    expect(failed?.what).toMatch(/column messages\.\S+ is packed with LZ4_RAW/u)
  })

  it('in one row costs that row', async () => {
    const rows = [JSON.stringify(chat(0)), '[{"role": torn', JSON.stringify(chat(2))]
    const { sessions, problems } = await read(
      parquetOfColumns([{ name: 'messages', data: rows, type: 'STRING' }]),
    )
    expect(sessions).toHaveLength(2)
    expect(problems).toMatchObject([{ line: 2 }])
  })

  it('in one row group costs that group, and says which rows', async () => {
    const packed = parquetOf(
      { ...MESSAGES, rows: chats(40) },
      {
        rowGroupSize: 10,
        codec: 'GZIP',
        compressors: { GZIP: (page) => new Uint8Array(gzipSync(page)) },
      },
    )
    const { row_groups: groups } = parquetMetadata(packed)
    const at = Number(groups[2]?.columns[1]?.meta_data?.data_page_offset ?? 0)
    const size = Number(groups[2]?.columns[1]?.meta_data?.total_compressed_size ?? 0)
    const torn = Buffer.from(packed).fill(0xff, at + size - 30, at + size - 10)
    const { sessions, problems } = await read(torn)
    expect(sessions).toHaveLength(30)
    expect(problems).toMatchObject([{ line: 21, code: 'bad_json' }])
    expect(problems[0]?.message).toMatch(/^rows 21 to 30 cannot be read \(one row group\): \S/u)
  })

  it('that unpacks to too much is not unpacked', async () => {
    const limits = { footer: 1_000_000, group: 200, page: 1_000_000 }
    const file = await openParquet(bytes, limits)
    const problems: Array<string | null> = []
    for await (const { rows, problem } of file.groups()) {
      expect(rows).toEqual([])
      problems.push(problem)
    }
    expect(problems).toHaveLength(4)
    expect(problems[0]).toContain('smaller row groups')
    const pages = await openParquet(parquetOf({ ...MESSAGES, rows: chats(40) }), {
      ...limits,
      group: 1_000_000,
      page: 10,
    })
    for await (const { problem } of pages.groups())
      expect(problem).toContain('a page says that it unpacks')
  })
})

it('[I146] many row groups are read one at a time', async () => {
  const long = 'word '.repeat(4000)
  const rows = Array.from({ length: 2000 }, (_, at) => [
    { role: 'user', content: `${at} ${long}`, name: null },
  ])
  const file = await openParquet(fileOf(parquetOf({ ...MESSAGES, rows }, { rowGroupSize: 20 })))
  let groups = 0
  let most = 0
  for await (const { rows: group } of file.groups()) {
    groups += 1
    most = Math.max(most, group.length)
  }
  expect({ groups, most, all: file.rowCount }).toEqual({ groups: 100, most: 20, all: 2000 })
})
