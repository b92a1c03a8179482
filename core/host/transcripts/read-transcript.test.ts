import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ImportedTranscript } from '../../engine/import/source.ts'
import { writeSessionFile } from '../../../fixtures/session-file.ts'
import { dump } from '../../../fixtures/import/dump.ts'
import { plainEvents } from '../../engine/schema/event.ts'
import { readRange } from '../platform/files/byte-input.ts'
import { readTranscript } from '../../../fixtures/read-transcript.ts'

const ROOT = join(import.meta.dirname, '../../../fixtures/import')

async function read(input: string | Uint8Array): Promise<ImportedTranscript> {
  const result = await readTranscript(input)
  if (!result.ok) throw new Error(JSON.stringify(result.error))
  return result.value
}

/** Sessions as the operator sees them, without their places in a file. */
function turns(transcript: ImportedTranscript): unknown {
  return transcript.sessions.map((session) => ({
    ...session,
    events: plainEvents(session).map((event) => ({ ...event, source: null })),
  }))
}

const files = (await readdir(ROOT, { recursive: true, withFileTypes: true }))
  .filter((entry) => entry.isFile() && !entry.name.endsWith('.ts'))
  .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
  .filter((name) => name.includes('/') && !name.startsWith('goldens'))
  .toSorted()
const json = files.filter((name) => /\.jsonl?$/.test(name))

describe.each(files)('golden of %s', (name) =>
  it('[I1] [I4] [I6] [I7] [I8] reads as its golden says (update with vitest -u)', async () => {
    const golden = join(ROOT, 'goldens', `${name.replaceAll('/', '--')}.txt`)
    await expect(dump(await read(join(ROOT, name)))).toMatchFileSnapshot(golden)
  }),
)

// More that holds for every format: import-checks.test.ts.
describe.each(json)('fixture %s', (name) => {
  const path = join(ROOT, name)

  it('[I1] is the format of its folder, under any name', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'turnscope-import-'))
    try {
      const wrong = join(folder, 'rollout-2025.eval.md')
      await writeFile(wrong, await readFile(path))
      const transcript = await read(wrong)
      expect(transcript.format).toBe(name.split('/')[0])
      expect(transcript).toEqual(await read(path))
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it('[I10] as native and back has the same turns', async () => {
    const before = await read(path)
    const after = await read(Buffer.from(writeSessionFile(before)))
    expect(after.format).toBe('native')
    expect(after.problems).toEqual([])
    expect(turns(after)).toEqual(turns(before))
  })

  it('[I10] export, import, export gives the same bytes', async () => {
    const first = writeSessionFile(await read(path))
    expect(writeSessionFile(await read(Buffer.from(first)))).toBe(first)
  })

  // Pieces of one utterance lie in several records; the event's place is the first of them.
  const JOINED = /^(?:ag-ui\/|acp\/|gemini-cli\/stream-pieces|tau2-bench\/(?:ticks|damaged))/

  it('[I2] the bytes of every event are a record that holds it', async () => {
    const bytes = await readFile(path)
    const damaged = name.includes('damaged')
    for (const session of (await read(bytes)).sessions) {
      for (const event of plainEvents(session)) {
        const { text } = await readRange(bytes, event.source, 1 << 20)
        if (!damaged) expect(() => JSON.parse(text) as unknown).not.toThrow()
        const word = /[A-Za-z]{4,}/.exec(event.kind === 'meta' ? '' : event.text)?.[0] ?? ''
        const made = ['[redacted', 'API error', '[image', '[audio', 'Canceled'].some((s) =>
          event.text.startsWith(s),
        )
        if (!made && !JOINED.test(name)) expect(text).toContain(word)
      }
    }
  })

  it('[I2] in UTF-16 and with a byte order mark it reads the same, with places of that file', async () => {
    const bytes = await readFile(path)
    const text = bytes.toString('utf8')
    const plain = await read(bytes)
    const marked = await read(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]))
    const wide = Buffer.from(`\ufeff${text}`, 'utf16le')
    const wideRead = await read(wide)
    expect(turns(marked)).toEqual(turns(plain))
    expect(turns(wideRead)).toEqual(turns(plain))
    for (const [s, session] of plain.sessions.entries()) {
      for (const [e, event] of session.events.entries()) {
        expect(marked.sessions[s]!.events[e]!.source.offset).toBe(event.source.offset + 3)
        const there = wideRead.sessions[s]!.events[e]!.source
        const record = (await readRange(wide, there, 1 << 22)).text
        expect(record).toBe((await readRange(bytes, event.source, 1 << 22)).text)
      }
    }
  })
})

describe('the same messages in every layout', () => {
  const messages = [
    { role: 'user', content: 'book 40 €' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c', function: { name: 'book', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: 'c', content: 'done' },
  ]
  const layouts: Record<string, string> = {
    'bare lines': messages.map((m) => JSON.stringify(m)).join('\n'),
    'an array on one line': JSON.stringify(messages),
    'an array over lines': JSON.stringify(messages, null, 2),
    'an array with an item a line': `[\n${messages.map((m) => JSON.stringify(m)).join(',\n')}\n]`,
    'an object on one line': JSON.stringify({ messages }),
    'an object over lines': JSON.stringify({ model: 'm', messages, n: 1 }, null, 2),
    'an array of one session': JSON.stringify([{ messages }], null, 1),
    'an array of arrays': JSON.stringify([messages], null, 1),
    'a line that is an array': `${JSON.stringify(messages)}\n`,
  }
  it.each(Object.entries(layouts))('[I3] [I8] %s', async (_name, text) => {
    const transcript = await read(Buffer.from(text))
    expect(transcript.problems).toEqual([])
    expect(transcript.sessions).toHaveLength(1)
    const events = transcript.sessions[0]!.events.map((e) => [e.kind, e.name, e.callId, e.text])
    expect(events).toEqual([
      ['user', null, null, 'book 40 €'],
      ['tool_call', 'book', 'c', '{}'],
      ['tool_result', 'book', 'c', 'done'],
    ])
  })
})

describe('files that cannot be read', () => {
  const bad: Record<string, [Uint8Array, RegExp]> = {
    empty: [Buffer.from(''), /the file is empty/],
    'only blank lines': [Buffer.from('\n\n  \n'), /none of the 0 lines/],
    'prose of three lines': [Buffer.from('Dear diary,\nnothing.\nEnd.\n'), /none of the 3 lines/],
    'torn records only': [Buffer.from('{"type":"user","mess\n{"type":\n'), /none of the 2 lines/],
    'other JSON': [Buffer.from('{"name":"package","version":"1.0.0"}'), /its one line/],
    'only NUL bytes': [Buffer.alloc(5000), /its one line|none of the/],
    'only a good header': [Buffer.from('{"type":"session","schemaVersion":1}\n'), /.../],
    'a newer native file': [
      Buffer.from('{"type":"session","schemaVersion":2}\n{"kind":"user","text":"x"}\n'),
      /schemaVersion 2, this program reads up to 1/,
    ],
  }
  it.each(Object.entries(bad))(
    '[I5] %s says what, where and what to do',
    async (_name, [bytes, what]) => {
      const result = await readTranscript(bytes, { name: 'given.name' })
      expect(result.ok).toBe(false)
      if (result.ok) return
      expect(result.error.what).toMatch(what)
      expect(result.error.where).toContain('given.name')
      expect(result.error.do).not.toBe('')
    },
  )

  it('[I5] a path that does not exist is a result, not an exception', async () => {
    const result = await readTranscript(join(ROOT, 'no-such-file.jsonl'))
    expect(result).toMatchObject({ ok: false, error: { what: 'the file cannot be read (ENOENT)' } })
  })

  it('aborting rejects with the reason', async () => {
    const signal = AbortSignal.abort(new Error('cancelled by hand'))
    await expect(readTranscript(join(ROOT, files[0]!), { signal })).rejects.toThrow(
      'cancelled by hand',
    )
  })
})

describe('limits', () => {
  const good =
    '{"type":"user","uuid":"u","sessionId":"s","message":{"role":"user","content":"hi"}}\n'

  it('[I1] a file whose first megabyte is noise is still recognised', async () => {
    const noise = `${'{"type":"user","mess'.padEnd(2000, 'x')}\n`.repeat(600)
    const transcript = await read(Buffer.from(noise + good))
    expect(transcript.format).toBe('claude-code')
    expect(transcript.problemTotal).toBe(600)
    expect(transcript.sessions[0]!.events).toHaveLength(1)
  })

  it('[I1] a first record larger than the head is recognised by its beginning', async () => {
    const block = { type: 'text', text: 'y'.repeat(300_000) }
    const record = { type: 'user', sessionId: 's', message: { role: 'user', content: [block] } }
    const transcript = await read(Buffer.from(JSON.stringify(record)))
    expect(transcript.sessions[0]!.events[0]!.text).toHaveLength(300_000)
    const chat = await read(
      Buffer.from(JSON.stringify({ messages: [{ role: 'user', content: block.text }] })),
    )
    expect(chat.format).toBe('openai-messages')
  })

  it('[I9] 10,000 problems are listed, all are counted', async () => {
    const transcript = await read(Buffer.from(good + 'bad\n'.repeat(12_345)))
    expect(transcript.problems).toHaveLength(10_000)
    expect(transcript.problemTotal).toBe(12_345)
    expect(transcript.problems[9_999]).toMatchObject({
      line: 10_001,
      code: 'bad_json',
      preview: 'bad',
    })
  })

  it('[I5] nesting of 100,000 levels costs one text, not the file', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    const call = `{"type":"assistant","sessionId":"s","message":{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"Deep","input":${deep}}]}}\n`
    const transcript = await read(Buffer.from(good + call))
    expect(transcript.sessions[0]!.events.map((e) => e.kind)).toEqual(['user', 'tool_call'])
  })

  it('[I5] a JSON document that breaks off keeps the items before', async () => {
    const whole = JSON.stringify(
      [1, 2, 3].map((n) => ({ role: 'user', content: `message ${n}` })),
      null,
      2,
    )
    const transcript = await read(Buffer.from(whole.slice(0, -20)))
    expect(transcript.sessions[0]!.events.map((e) => e.text)).toEqual(['message 1', 'message 2'])
    expect(transcript.problems).toMatchObject([{ code: 'torn_line' }])
  })

  it('[I5] one bad item of a document costs one item', async () => {
    const text =
      '[\n{"role":"user","content":"a"},\n{"role":user},\n{"role":"user","content":"c"}\n]'
    const withHead = text.replace('[', '[\n')
    const transcript = await read(Buffer.from(withHead))
    expect(transcript.sessions[0]!.events.map((e) => e.text)).toEqual(['a', 'c'])
    expect(transcript.problemTotal).toBeGreaterThan(0)
  })
})
