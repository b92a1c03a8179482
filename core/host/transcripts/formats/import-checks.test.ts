import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { ImportedTranscript } from '../../../engine/import/source.ts'
import { IMPORTERS } from '../../../engine/import/table.ts'
import { writeSessionFile } from '../../../../fixtures/session-file.ts'
import { plainEvents } from '../../../engine/schema/event.ts'
import { readRange } from '../../platform/files/byte-input.ts'
import { families, isPacked, seedsOf } from '../../../../fixtures/fuzz/seeds.ts'
import { readTranscript } from '../../../../fixtures/read-transcript.ts'
import { realFiles, realPath } from '../../../../fixtures/real-files.ts'

/** Folders of real files that are another format's variants. */
const FORMAT_OF: Readonly<Record<string, string>> = { 'claude-web-session': 'claude-code' }
/** A diary in a folder of console copies: it holds no conversation, and must be refused. */
const NO_TRANSCRIPT = ['public/cc-console/palimondo+BookMinder/claude-dev-log-diary/day-001.md']
/** Wrong on purpose, all of them: nothing but the content may decide. */
const NAMES = [
  'rollout-2025.eval.md',
  'conversations.json',
  'x.zip',
  '.aider.chat.history.md',
  'noname',
]

/** Sessions as the operator sees them, without their places in a file. */
function turns(transcript: ImportedTranscript): unknown {
  return transcript.sessions.map((session) => ({
    ...session,
    events: plainEvents(session).map((event) => ({ ...event, source: null })),
  }))
}

async function read(bytes: Uint8Array, name?: string): Promise<ImportedTranscript> {
  const result = await readTranscript(bytes, { name })
  if (!result.ok) throw new Error(JSON.stringify(result.error))
  return result.value
}

/** [I10] Native and back: the same turns, no problem, and the same bytes when written again. */
async function expectNative(transcript: ImportedTranscript): Promise<void> {
  const written = writeSessionFile(transcript)
  const again = await read(Buffer.from(written))
  expect(again.format).toBe('native')
  expect(again.problemTotal).toBe(0)
  expect(turns(again)).toEqual(turns(transcript))
  expect(writeSessionFile(again)).toBe(written)
}

/** [I2] Bytes of events lie in the file; and each event that quotes its record is found there. */
async function expectPlaces(transcript: ImportedTranscript, bytes: Buffer): Promise<void> {
  for (const { source, text } of transcript.sessions.flatMap(plainEvents)) {
    if (source.file !== undefined) continue
    expect(source.offset + source.length).toBeLessThanOrEqual(bytes.length)
    expect(source.length).toBeGreaterThan(0)
    const line = bytes.toString('latin1', 0, source.offset).split('\n').length
    expect(source.line).toBe(line)
    const word = /^[A-Za-z]{4,30}/.exec(text)?.[0] ?? ''
    // Words that importers write replace bytes, or name an event.
    if (word === '' || MADE.some((made) => text.startsWith(made))) continue
    expect((await readRange(bytes, source, 1 << 24)).text).toContain(word)
  }
}

const MADE = ['API error', 'Approval', 'Assumed', 'Canceled', 'Conversation compacted']

describe.each(families().filter((family) => family !== 'native'))(
  'every fixture of %s',
  (family) => {
    it('[I46] there is an importer of that name', () =>
      expect(IMPORTERS.map((row) => row.name)).toContain(family))

    it.each(seedsOf(family).map((seed) => [seed.name, seed] as const))(
      '[I1] [I46] %s is recognised as that, and as nothing else, under any name',
      async (_name, { bytes }) => {
        const transcript = await read(bytes)
        expect(transcript.format).toBe(family)
        for (const name of NAMES) expect(await read(bytes, name)).toEqual(transcript)
      },
    )

    it.each(seedsOf(family).map((seed) => [seed.name, seed] as const))(
      '[I10] [I46] %s as native and back is the same',
      async (_name, { bytes }) => {
        await expectNative(await read(bytes))
      },
    )

    const unpacked = seedsOf(family).filter((seed) => !isPacked(seed))
    it.each(unpacked.map((seed) => [seed.name, seed] as const))(
      '[I2] [I46] %s: places are those of the records',
      async (_name, { bytes }) => {
        await expectPlaces(await read(bytes), bytes)
      },
    )

    it.each(unpacked.map((seed) => [seed.name, seed] as const))(
      '[I2] [I46] %s says the same with other line ends, a byte order mark, in UTF-16',
      async (_name, seed) => {
        // Damage that is no UTF-8 cannot be written in UTF-16.
        const text = seed.bytes.toString('utf8')
        const plain = await read(Buffer.from(text))
        const wide = Buffer.from(`\ufeff${text}`, 'utf16le')
        const variants = {
          marked: Buffer.from(`\ufeff${text}`),
          littleEndian: wide,
          bigEndian: Buffer.from(wide).swap16(),
          returns: Buffer.from(text.replaceAll(/\r?\n/g, '\r\n')),
        }
        for (const [name, bytes] of Object.entries(variants)) {
          const other = await read(bytes)
          expect(turns(other), name).toEqual(turns(plain))
          expect(other.problemTotal, name).toBe(plain.problemTotal)
          expect(other.skipped, name).toEqual(plain.skipped)
        }
      },
    )
  },
)

const real = realFiles(null, 240)

describe.skipIf(real.length === 0)('every real file', () => {
  it('[I1] there is an importer for each format', () => {
    const wanted = new Set(real.map(({ format }) => FORMAT_OF[format] ?? format))
    const known = IMPORTERS.map((row) => row.name)
    expect([...wanted].filter((format) => !known.includes(format))).toEqual([])
  })

  const transcripts = real.filter(({ file }) => !NO_TRANSCRIPT.includes(file))
  it.each(transcripts.map((entry) => [entry.file, entry] as const))(
    '[I1] [I2] [I10] [I46] %s is recognised under a wrong name, and is the same as native and back',
    async (_file, entry) => {
      const bytes = readFileSync(realPath(entry))
      const transcript = await read(bytes, 'wrong.name')
      expect(transcript.format).toBe(FORMAT_OF[entry.format] ?? entry.format)
      await expectNative(transcript)
    },
  )

  it.each(NO_TRANSCRIPT)('[I46] %s is refused', async (file) => {
    const entry = real.find((each) => each.file === file)!
    const result = await readTranscript(readFileSync(realPath(entry)))
    expect(result.ok).toBe(false)
    if (!result.ok) expect(result.error.what).toContain('none of the 36 lines')
  })
})

describe('what is no conversation is refused', () => {
  const bad: Readonly<Record<string, string | Buffer>> = {
    'a source file': 'import x from "y"\n\nconst prompt = `\nUser: hi\nAssistant: hello\n`\n',
    'a script with a dialogue': '#!/bin/sh\ncat <<EOF\nUser: hi\nAssistant: hello\nEOF\n',
    'a table': 'role,content\nuser,hi\nassistant,hello\n',
    prose: 'It was late.\n\nHe asked the others whether they had seen it, and they said: no.\n',
    'prose that quotes a dialogue':
      'In the chapter on assistants the author, who has no garden, shows this:\n\nUser: hi\nAssistant: hello\n\nIt ends there.\n',
    'a configuration': 'system: linux\nuser: root\nagent: none\nport: 80\n',
    'a configuration with nested keys': 'user:\n  name: x\nassistant:\n  name: y\nmodels:\n  - a\n',
    'a readme':
      '# Tool\n\nA tool for gardens, see (docs).\n\n## Usage\n\nRun it.\n\n## User guide\n\nText.\n',
    'a page': '<!doctype html>\n<p>User: hi</p>\n<p>Assistant: hello</p>\n',
    'a binary file': Buffer.from(Array.from({ length: 4096 }, (_, at) => (at * 31) % 256)),
    'only one speaker': 'User: hi\nUser: is someone there?\n',
    'a log': '2026-01-02 10:00:00 INFO start\n2026-01-02 10:00:01 ERROR User: not found\n',
    'a changelog': '# Changes\n\n- Bot: fixed\n- User: renamed\n',
  }
  it.each(Object.entries(bad))('[I43] [I46] %s', async (_name, content) => {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content
    const result = await readTranscript(bytes, { name: 'given.txt' })
    expect(result.ok).toBe(false)
    if (result.ok) return
    expect(result.error.where).toContain('given.txt')
    expect(result.error.do).not.toBe('')
  })
})
