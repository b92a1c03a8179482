import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { plainEvents } from '../../../engine/schema/event.ts'
import type { ImportedTranscript } from '../../../engine/import/source.ts'
import { writeSessionFile } from '../../../../fixtures/session-file.ts'
import { readTranscript } from '../../../../fixtures/read-transcript.ts'

/** Real transcripts are stored next to a working copy, never inside it. */
const FOLDER = join(import.meta.dirname, '../../../../../shared/sessions')
const FORMATS: Record<string, string> = {
  'claude-code': 'claude-code',
  'claude-web-session': 'claude-code',
  'openai-messages': 'openai-messages',
}
/** Files of the three formats when the folder is not there: the number that is skipped. */
const KNOWN_FILES = 61

interface Entry {
  readonly format: string
  readonly file: string
  readonly stats: Record<string, number>
}

function entries(): readonly Entry[] {
  const manifest = join(FOLDER, 'MANIFEST.json')
  if (!existsSync(manifest)) return []
  const all = JSON.parse(readFileSync(manifest, 'utf8')) as readonly Entry[]
  return all.filter((entry) => entry.format in FORMATS)
}

const found = entries()
if (found.length === 0)
  console.log(`real transcripts: ${KNOWN_FILES} files skipped (no ../shared/sessions)`)

async function read(entry: Entry): Promise<{ transcript: ImportedTranscript; bytes: Buffer }> {
  const bytes = readFileSync(join(FOLDER, entry.file.replace(/^public\//, '')))
  const result = await readTranscript(bytes)
  if (!result.ok) throw new Error(`${entry.file}: ${JSON.stringify(result.error)}`)
  return { transcript: result.value, bytes }
}

/** `type` of the JSON of each line that has events, by line. */
function usedLines(transcript: ImportedTranscript, bytes: Buffer): Map<string, number> {
  const counts = new Map<string, number>()
  const seen = new Set<number>()
  for (const { events } of transcript.sessions) {
    for (const { source } of events) {
      if (seen.has(source.line)) continue
      seen.add(source.line)
      const text = bytes.toString('utf8', source.offset, source.offset + source.length)
      const { type } = JSON.parse(text) as { type: string }
      counts.set(type, (counts.get(type) ?? 0) + 1)
    }
  }
  return counts
}

function sum(counts: Readonly<Record<string, number>>, prefix = ''): number {
  return Object.entries(counts).reduce(
    (n, [key, count]) => n + (key.startsWith(prefix) ? count : 0),
    0,
  )
}

/** Lines whose events include one of these kinds. */
function linesWith(transcript: ImportedTranscript, kinds: readonly string[]): number {
  const events = transcript.sessions.flatMap((session) => session.events)
  return new Set(events.filter((e) => kinds.includes(e.kind)).map((e) => e.source.line)).size
}

describe.skipIf(found.length === 0)('real transcripts', () => {
  it(`there are ${KNOWN_FILES} of the three formats`, () => expect(found).toHaveLength(KNOWN_FILES))

  it.each(found)(
    '[I1] [I10] $file is recognised, and is the same as native and back',
    async (entry) => {
      const { transcript } = await read(entry)
      expect(transcript.format).toBe(FORMATS[entry.format])
      const native = writeSessionFile(transcript)
      const back = await readTranscript(Buffer.from(native))
      if (!back.ok) throw new Error(JSON.stringify(back.error))
      expect(writeSessionFile(back.value)).toBe(native)
      const shape = (t: ImportedTranscript): unknown =>
        t.sessions.map((s) => plainEvents(s).map((event) => ({ ...event, source: null })))
      expect(shape(back.value)).toEqual(shape(transcript))
    },
  )

  // The meaning of the manifest's numbers was found by counting. `records`: valid JSON lines. `bad_lines`: the others,
  // with comments. `assistant`: lines of that type. `tool`: user lines with a tool result. user + tool + injected: all
  // user lines. Its split between `user` and `injected` is its own heuristic (interruptions count as `user`), so this
  // test checks the sum.
  it.each(found.filter((e) => e.format !== 'openai-messages' && !e.file.endsWith('.json')))(
    '[I5] [I9] $file: every line is an event, a count or a problem, as many as the manifest says',
    async (entry) => {
      const { transcript, bytes } = await read(entry)
      const { stats } = entry
      const used = usedLines(transcript, bytes)
      const skipped = transcript.skipped
      const blocks = sum(skipped, 'block/')
      const comments = skipped['comment'] ?? 0
      const badJson = transcript.problems.filter(
        (p) => p.code === 'bad_json' || p.code === 'torn_line',
      )
      expect(badJson.length + comments).toBe(stats['bad_lines'] ?? 0)

      const problems = transcript.problemTotal - badJson.length
      const usedTotal = [...used.values()].reduce((a, b) => a + b, 0)
      // An enqueue that also appears elsewhere is one event of the skipped kind. It never has its own line.
      const records = usedTotal + sum(skipped) - blocks - comments + problems
      expect(records).toBe(stats['records'])

      const without = (type: string): number => skipped[`${type} without content`] ?? 0
      expect((used.get('assistant') ?? 0) + without('assistant')).toBe(stats['assistant'] ?? 0)
      const userLines = (stats['user'] ?? 0) + (stats['tool'] ?? 0) + (stats['injected'] ?? 0)
      const odd = entry.file.endsWith('edge_cases.jsonl') ? 0 : problems
      expect((used.get('user') ?? 0) + without('user') + odd).toBe(userLines)
      // Results of sub-agents that only progress records hold (I189) are not in the manifest.
      const lines = bytes.toString('utf8').split('\n')
      const isOwn = ({ source }: { source: { line: number } }) =>
        !lines[source.line - 1]?.includes('"agent_progress"')
      const sessions = transcript.sessions.map((session) => {
        return { ...session, events: session.events.filter(isOwn) }
      })
      expect(linesWith({ ...transcript, sessions }, ['tool_result'])).toBe(stats['tool'] ?? 0)
    },
  )

  it.each(found.filter((e) => e.format === 'openai-messages' && e.stats['records'] !== undefined))(
    '[I8] $file: sessions and messages as many as the manifest says',
    async (entry) => {
      const { transcript } = await read(entry)
      const kinds = transcript.sessions.flatMap((s) => s.events.map((e) => e.kind))
      expect(transcript.sessions).toHaveLength(entry.stats['sessions']!)
      expect(kinds.filter((kind) => kind === 'user')).toHaveLength(entry.stats['user']!)
      expect(kinds.filter((kind) => kind === 'agent')).toHaveLength(entry.stats['assistant']!)
      expect(kinds).toHaveLength(entry.stats['records']!)
      expect(transcript.problems).toEqual([])
    },
  )

  it('[I8] the text-blob conversations have the manifest’s number of sessions', async () => {
    const entry = found.find((e) => e.file.includes('few_shot'))!
    expect((await read(entry)).transcript.sessions).toHaveLength(entry.stats['sessions']!)
  })

  it('[I3] the cloud session has all of its 33 log lines', async () => {
    const entry = found.find((e) => e.file.endsWith('sample_session.json'))!
    const { transcript } = await read(entry)
    const places = transcript.sessions.flatMap((s) => s.events.map((e) => e.source.offset))
    expect(new Set(places).size).toBe(entry.stats['records'])
  })
})
