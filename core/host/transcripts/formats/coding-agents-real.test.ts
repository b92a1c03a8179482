import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { plainEvents } from '../../../engine/schema/event.ts'
import type { ImportedTranscript } from '../../../engine/import/source.ts'
import { writeSessionFile } from '../../../../fixtures/session-file.ts'
import { readTranscript } from '../../../../fixtures/read-transcript.ts'
import { readReal, realFiles, realPath, type RealFile } from '../../../../fixtures/real-files.ts'

const FORMATS = ['codex', 'gemini-cli', 'pi', 'cline', 'agent-zero']
const KNOWN = 42
const files = realFiles(FORMATS, KNOWN)
const of = (format: string): readonly RealFile[] => files.filter((file) => file.format === format)

function count(transcript: ImportedTranscript, ...kinds: readonly string[]): number {
  const events = transcript.sessions.flatMap((session) => session.events)
  return events.filter((event) => kinds.includes(event.kind)).length
}

/** Records that have events. */
function records(transcript: ImportedTranscript, ...kinds: readonly string[]): number {
  const events = transcript.sessions.flatMap((session) => session.events)
  const chosen = events.filter((event) => kinds.length === 0 || kinds.includes(event.kind))
  return new Set(chosen.map((event) => event.source.offset)).size
}

function skipped(transcript: ImportedTranscript, ...types: readonly string[]): number {
  return types.reduce((sum, type) => sum + (transcript.skipped[type] ?? 0), 0)
}

/** The events without their places. */
function shape(transcript: ImportedTranscript): unknown {
  return transcript.sessions.map((session) => ({
    ...session,
    events: plainEvents(session).map((event) => ({ ...event, source: null })),
  }))
}

interface RawMessage {
  readonly type: string
  readonly content?: unknown
  readonly parts?: unknown
  readonly toolCalls?: readonly unknown[]
}

interface LogLine {
  readonly type: string
  readonly content: string
  readonly timestamp: number
}

function msOf(line: LogLine): number {
  return Math.round(line.timestamp * 1000)
}

function json(file: RealFile): Record<string, unknown> {
  return JSON.parse(readFileSync(realPath(file), 'utf8')) as Record<string, unknown>
}

describe.skipIf(files.length === 0)('real files of coding agents', () => {
  it(`there are ${KNOWN}`, () => expect(files).toHaveLength(KNOWN))

  it.each(files)(
    '[I1] [I10] $file is recognised, and is the same as native and back',
    async (file) => {
      const transcript = await readReal(file)
      expect(transcript.format).toBe(file.format)
      const native = writeSessionFile(transcript)
      const back = await readTranscript(Buffer.from(native))
      if (!back.ok) throw new Error(JSON.stringify(back.error))
      expect(writeSessionFile(back.value)).toBe(native)
      expect(shape(back.value)).toEqual(shape(transcript))
    },
  )

  it.each(files)('[I5] $file: the only problem is the line that is damaged', async (file) => {
    // A redactor broke one line of the pi session; the loose items have a blank line, which is nothing.
    const { problemTotal } = await readReal(file)
    expect(problemTotal).toBe(file.stats['bad_lines'] ?? 0)
  })

  it.each(of('codex'))(
    '[I11] [I12] $file: messages, calls and results as often as stated',
    async (file) => {
      const transcript = await readReal(file)
      const { stats } = file
      if (file.file.endsWith('schema_drift.jsonl')) {
        // The manifest counts its records only: one of each, and the world state.
        expect(stats).toEqual({ records: 5 })
        expect(transcript.sessions[0]!.events.map((event) => event.kind)).toEqual([
          'user',
          'tool_call',
          'tool_result',
          'agent',
          'injected',
        ])
        return
      }
      // User messages are those of `event_msg/user_message` (formats.md B), even if a file has more items of the user's
      // role ("Step 1" to "Step 5" of large.jsonl).
      expect(count(transcript, 'user')).toBe(stats['user'] ?? 0)
      expect(count(transcript, 'agent')).toBe(stats['assistant'] ?? 0)
      // The manifest counts the outputs of function and custom calls; ours are those of searches and
      // of the odd `tool_result` too.
      const others = transcript.sessions
        .flatMap((session) => session.events)
        .filter((event) => event.kind === 'tool_result')
        .filter((event) => event.name === 'tool_search' || file.file.endsWith('large.jsonl'))
      expect(count(transcript, 'tool_result') - others.length).toBe(stats['tool'] ?? 0)
    },
  )

  it('[I11] of 14 agent messages and 26 outputs that formats.md states none is there twice', async () => {
    const all = await Promise.all(
      of('codex')
        .filter((file) => !file.file.endsWith('schema_drift.jsonl'))
        .map(readReal),
    )
    const total = (...kinds: readonly string[]): number =>
      all.reduce((sum, transcript) => sum + count(transcript, ...kinds), 0)
    expect(total('agent')).toBe(14)
    expect(total('user')).toBe(9)
  })

  it.each(of('codex').filter((file) => file.stats['records'] !== undefined))(
    '[I9] $file: every record is an event or a count',
    async (file) => {
      const transcript = await readReal(file)
      const parts = Object.entries(transcript.skipped).filter(([type]) => type.startsWith('part/'))
      // Two records are counted beside their event: history that a compaction puts in place, and facts about a turn.
      const ofTurns = transcript.sessions
        .flatMap(({ events }) => events)
        .filter(({ name }) => name?.endsWith('_instructions'))
      const lines = new Set(ofTurns.map(({ source }) => source.line))
      const beside = skipped(transcript, 'compacted/replacement_history') + lines.size
      const counts = Object.values(transcript.skipped).reduce((a, b) => a + b, 0)
      const rest = counts - beside - parts.reduce((sum, [, n]) => sum + n, 0)
      expect(records(transcript) + rest).toBe(file.stats['records'])
    },
  )

  it.each(of('gemini-cli'))('[I15] $file: messages and calls as often as stated', async (file) => {
    const transcript = await readReal(file)
    const { stats } = file
    expect(records(transcript, 'user')).toBe(stats['user'] ?? 0)
    // `gemini` and `model` are two names of the agent; the manifest counts them apart.
    const agent = (stats['assistant'] ?? 0) + (stats['model'] ?? 0) + (stats['gemini'] ?? 0)
    const without = skipped(transcript, 'gemini without content', 'model without content')
    expect(records(transcript, 'agent', 'reasoning', 'tool_call') + without).toBe(agent)
    expect(count(transcript, 'tool_call')).toBe(stats['tool'] ?? 0)
    const notices = count(transcript, 'meta', 'interruption') + count(transcript, 'system')
    expect(notices).toBe((stats['info'] ?? 0) + (stats['error'] ?? 0))
  })

  it.each(of('gemini-cli').filter((file) => file.file.endsWith('.json')))(
    '[I15] $file: the same against the messages of the file itself',
    async (file) => {
      const transcript = await readReal(file)
      const messages = (json(file)['messages'] ?? []) as readonly RawMessage[]
      const calls = messages.flatMap((message) => message.toolCalls ?? [])
      expect(count(transcript, 'tool_call')).toBe(calls.length)
      expect(count(transcript, 'tool_result')).toBe(calls.length)
    },
  )

  it('[I15] 72 of the user, 266 calls over all files, as formats.md states', async () => {
    const all = await Promise.all(of('gemini-cli').map(readReal))
    const total = (kind: string): number =>
      all.reduce((sum, transcript) => sum + count(transcript, kind), 0)
    expect(total('user')).toBe(72)
    expect(total('tool_call')).toBe(266)
  })

  it.each(of('pi'))('[I16] $file: 8 of the user, 156 of the agent, 203 results', async (file) => {
    const transcript = await readReal(file)
    const { stats } = file
    expect(transcript.sessions).toHaveLength(1)
    expect(count(transcript, 'user')).toBe(stats['user'])
    expect(records(transcript, 'agent', 'reasoning', 'tool_call')).toBe(stats['assistant'])
    expect(count(transcript, 'tool_result')).toBe(stats['tool'])
    const custom = skipped(transcript, 'custom/workflow-intent-diff')
    expect([custom, count(transcript, 'injected')]).toEqual([7, 7])
    // The manifest's records are the lines that are JSON.
    expect(records(transcript) + custom).toBe(stats['records'])
  })

  it.each(of('cline'))('[I17] $file: every message is there', async (file) => {
    const transcript = await readReal(file)
    const { stats } = file
    expect(records(transcript)).toBe(stats['records'])
    expect(records(transcript, 'user', 'tool_result')).toBe(stats['user'])
    expect(records(transcript, 'agent', 'reasoning', 'tool_call')).toBe(stats['assistant'])
  })

  it.each(of('agent-zero'))(
    '[I18] $file: people, agents and the lines of the log',
    async (file) => {
      const transcript = await readReal(file)
      const { stats } = file
      const agents = transcript.sessions.filter((session) => !session.thread.startsWith('branch'))
      expect(agents).toHaveLength(stats['agents']!)
      expect(count(transcript, 'user')).toBe(stats['user'])
      const log = (json(file)['log'] as { readonly logs: readonly LogLine[] }).logs
      expect(log).toHaveLength(stats['log_items']!)
      expect(log.filter((line) => line.type === 'agent')).toHaveLength(stats['assistant']!)
      // Each line of the agent gave its time to an event, but those that say nothing at all.
      const times = new Set(
        transcript.sessions
          .flatMap((session) => session.events)
          .filter((event) => ['agent', 'reasoning', 'tool_call'].includes(event.kind))
          .map((event) => event.at),
      )
      const silent = log.filter((line) => line.type === 'agent' && !times.has(msOf(line)))
      expect(silent).toHaveLength(skipped(transcript, 'log/agent without text'))
    },
  )

  it.each(of('agent-zero'))(
    '[I18] $file: every message of the histories is there',
    async (file) => {
      const transcript = await readReal(file)
      const agents = json(file)['agents'] as ReadonlyArray<{ readonly history: string }>
      const results = agents.flatMap(({ history }) => history.match(/"tool_result":/g) ?? [])
      const warnings = agents.flatMap(({ history }) => history.match(/"system_warning":/g) ?? [])
      expect(count(transcript, 'tool_result')).toBeGreaterThanOrEqual(results.length)
      expect(count(transcript, 'notification')).toBeGreaterThanOrEqual(warnings.length)
    },
  )
})
