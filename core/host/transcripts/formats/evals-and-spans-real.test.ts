import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { plainEvents } from '../../../engine/schema/event.ts'
import type { ImportedTranscript } from '../../../engine/import/source.ts'
import { writeSessionFile } from '../../../../fixtures/session-file.ts'
import { readTranscript } from '../../../../fixtures/read-transcript.ts'
import { readReal, realFiles, realPath, type RealFile } from '../../../../fixtures/real-files.ts'

const KNOWN_FILES = 46
const found = realFiles(['inspect', 'otlp', 'otel-spans', 'langfuse', 'langsmith'], KNOWN_FILES)
const of = (format: string): readonly RealFile[] => found.filter((entry) => entry.format === format)

/** Events by kind over all sessions. */
function kinds(transcript: ImportedTranscript): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { events } of transcript.sessions) {
    for (const { kind } of events) counts[kind] = (counts[kind] ?? 0) + 1
  }
  return counts
}

function byName(part: string): RealFile {
  const entry = found.find(({ file }) => file.includes(part))
  if (entry === undefined) throw new Error(`no real file is called ${part}`)
  return entry
}

/** Spans of a file, counted without the importer: objects with the keys of one. */
function spansIn(entry: RealFile): number {
  const text = readFileSync(realPath(entry), 'utf8')
  const values = entry.file.endsWith('.jsonl') ? text.trim().split('\n') : [text]
  const ids = new Set<string>()
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    const item = value as Record<string, unknown>
    const context = item['context'] as { span_id?: unknown } | undefined
    const id =
      item['spanId'] ??
      context?.span_id ??
      (item['startTime'] === undefined ? undefined : item['id'])
    if (id !== undefined) ids.add(JSON.stringify(id))
    for (const inner of Object.values(item)) walk(inner)
  }
  for (const value of values) walk(JSON.parse(value))
  return ids.size
}

describe.skipIf(found.length === 0)('real evals and spans', () => {
  it(`there are ${KNOWN_FILES}`, () => expect(found).toHaveLength(KNOWN_FILES))

  it.each(found)(
    '[I1] [I10] [I30] $file is recognised, without problems, and is the same as native',
    async (entry) => {
      const transcript = await readReal(entry)
      expect(transcript.format).toBe(entry.format)
      expect(transcript.problems).toEqual([])
      expect(transcript.sessions.length).toBeGreaterThan(0)
      const native = writeSessionFile(transcript)
      const back = await readTranscript(Buffer.from(native))
      if (!back.ok) throw new Error(JSON.stringify(back.error))
      expect(writeSessionFile(back.value)).toBe(native)
    },
  )

  // `sessions` are samples, `records` are messages. Calls are separate events here, and scores and similar records are
  // `meta`, so messages are compared by role.
  it.each(of('inspect').filter((entry) => entry.stats['sessions'] !== undefined))(
    '[I30] $file: samples and messages as many as the manifest says',
    async (entry) => {
      const { stats } = entry
      const transcript = await readReal(entry)
      const counts = kinds(transcript)
      expect(transcript.sessions).toHaveLength(stats['sessions']!)
      expect(counts['system'] ?? 0).toBe(stats['system'] ?? 0)
      expect(counts['user'] ?? 0).toBe(stats['user'] ?? 0)
      expect(counts['agent'] ?? 0).toBe(stats['assistant'] ?? 0)
      expect(counts['tool_result'] ?? 0).toBe(stats['tool'] ?? 0)
      const attachments = transcript.sessions
        .flatMap(plainEvents)
        .filter(({ text }) => text.includes('attachment://'))
      expect(attachments).toEqual([])
    },
  )

  it('[I30] the chunked archives (zstd) say the same as the same logs in one member a sample', async () => {
    const chunked = await readReal(byName('chunked/log_streaming.eval'))
    const whole = await readReal(byName('inspect_ai/tests/log/test_eval_log/log_streaming.eval'))
    const texts = (transcript: ImportedTranscript): unknown =>
      transcript.sessions
        .map(
          (session) =>
            [
              session.id,
              plainEvents(session).map(({ kind, at, text }) => [kind, at, text]),
            ] as const,
        )
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
    expect(texts(chunked)).toEqual(texts(whole))
    expect(chunked.sessions).toHaveLength(4)
  })

  it('[I30] a log without samples shows how it went', async () => {
    const { sessions } = await readReal(byName('no-samples'))
    expect(sessions.map(({ events }) => events.map(({ name }) => name))).toEqual([
      ['status', 'results'],
    ])
  })

  // The manifest counts spans and does not describe their texts. LangSmith's two "spans" per file are the post and the
  // patch of one run.
  it.each(['otlp', 'otel-spans', 'langfuse'].flatMap(of))(
    '[I31] $file has the manifest’s number of spans, and every one is read',
    async (entry) => {
      const { stats } = entry
      expect(spansIn(entry)).toBe(stats['spans']!)
      const { skipped, sessions } = await readReal(entry)
      const left = Object.entries(skipped).filter(([type]) =>
        /^span\/|^tool call repeated$/.test(type),
      )
      const counted = left.reduce((sum, [, count]) => sum + count, 0)
      const events = sessions.reduce((sum, session) => sum + session.events.length, 0)
      // The trace of Langfuse is a separate span before the others.
      expect(counted + events).toBeGreaterThanOrEqual(stats['spans']!)
    },
  )

  const spoken: ReadonlyArray<readonly [string, Readonly<Record<string, number>>]> = [
    [
      'smol_deep_research_agent',
      {
        system: 2,
        user: 1,
        subagent_prompt: 1,
        // Four of the writer, and the list of tools (X20).
        injected: 5,
        tool_result: 2,
        tool_call: 2,
        agent: 6,
      },
    ],
    ['AGNO_trace', { system: 1, user: 1, tool_call: 2, tool_result: 2, agent: 1 }],
    ['LLAMA_INDEX_trace', { system: 1, user: 1, tool_call: 3, tool_result: 3, agent: 2 }],
    ['koog-2025', { system: 1, user: 1, tool_call: 2, tool_result: 2, agent: 1 }],
    ['langgraph-python', { user: 2, tool_call: 1, tool_result: 1, agent: 1, meta: 2 }],
    ['sample-1_VSGitHubCopilot', { tool_call: 3, tool_result: 3 }],
    ['langsmith_py_wrap_openai_stream', { user: 1, agent: 1 }],
  ]
  it.each(spoken)(
    '[I31] [I32] %s: what was said, as a listing of its spans without the importer has it',
    async (name, counts) => expect(kinds(await readReal(byName(name)))).toEqual(counts),
  )

  it('[I31] the agents of one trace are sessions of their own', async () => {
    const { sessions } = await readReal(byName('pydantic-ai-tools'))
    expect(sessions.map(({ thread, parent }) => [thread, parent])).toEqual([
      ['main', null],
      ['evaluator_agent', sessions[0]!.id],
    ])
  })

  it('[I34] ids of 128 bits are not rounded', async () => {
    const { sessions } = await readReal(byName('AGNO_trace'))
    expect(sessions[0]!.id).toBe('39712373237291850001929057769826244787')
  })
})
