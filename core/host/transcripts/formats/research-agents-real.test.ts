import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { plainEvents } from '../../../engine/schema/event.ts'
import type { ImportedTranscript } from '../../../engine/import/source.ts'
import { writeSessionFile } from '../../../../fixtures/session-file.ts'
import { readTranscript } from '../../../../fixtures/read-transcript.ts'
import { readReal, realFiles, realPath, type RealFile } from '../../../../fixtures/real-files.ts'

const FORMATS = [
  'swe-agent',
  'mini-swe-agent',
  'openhands',
  'tau-bench',
  'tau2-bench',
  'atif',
  'who-and-when',
  'sharegpt',
  'openai-messages',
]
const found = realFiles(FORMATS, 81)

type Events = ImportedTranscript['sessions'][number]['events']
type Row = readonly [string, RealFile]

const of = (format: string): readonly Row[] =>
  found.filter((entry) => entry.format === format).map((entry) => [entry.file, entry])

function eventsOf(transcript: ImportedTranscript): Events {
  return transcript.sessions.flatMap((session) => session.events)
}

function count(transcript: ImportedTranscript, kind: string): number {
  return eventsOf(transcript).filter((event) => event.kind === kind).length
}

/** Records with an event of one of these kinds. Only for formats in which each record has its own bytes. */
function records(transcript: ImportedTranscript, kinds?: readonly string[]): number {
  const events = eventsOf(transcript).filter(({ kind }) => kinds?.includes(kind) ?? true)
  return new Set(events.map((event) => event.source.offset)).size
}

function total(skipped: Readonly<Record<string, number>>): number {
  return Object.values(skipped).reduce((a, b) => a + b, 0)
}

function json(entry: RealFile): unknown {
  return JSON.parse(readFileSync(realPath(entry), 'utf8'))
}

/** Sessions without their places in a file. */
function shape(transcript: ImportedTranscript): unknown {
  return transcript.sessions.map((session) => ({
    ...session,
    events: plainEvents(session).map((event) => ({ ...event, source: null })),
  }))
}

describe.skipIf(found.length === 0)('real files of research agents and training data', () => {
  it('there are 81 of them', () => expect(found).toHaveLength(81))

  it.each(found.map((entry): Row => [entry.file, entry]))(
    '[I1] [I5] [I10] %s is recognised, has no problem, and is the same as native and back',
    async (_file, entry) => {
      const transcript = await readReal(entry)
      expect(transcript.format).toBe(entry.format)
      expect(transcript.problems).toEqual([])
      const native = writeSessionFile(transcript)
      const back = await readTranscript(Buffer.from(native))
      if (!back.ok) throw new Error(JSON.stringify(back.error))
      expect(writeSessionFile(back.value)).toBe(native)
      expect(shape(back.value)).toEqual(shape(transcript))
    },
  )

  // The manifest counts the messages of `history` by role, the demonstration as a user's.
  it.each(of('swe-agent'))('[I20] %s', async (_file, entry) => {
    const transcript = await readReal(entry)
    const { stats } = entry
    const run = json(entry) as {
      history: ReadonlyArray<{ is_demo?: boolean; role: string }>
      trajectory: ReadonlyArray<{ observation: string }>
    }
    const isAnswered = run.history.at(-1)?.role !== 'assistant'
    const lastPrints = !isAnswered && run.trajectory.at(-1)!.observation !== ''
    const demos = run.history.filter((message) => message.is_demo).length
    expect(transcript.sessions).toHaveLength(1)
    expect(count(transcript, 'system')).toBe(stats['system'])
    expect(count(transcript, 'injected')).toBe(demos)
    expect(count(transcript, 'user')).toBe(1)
    expect(records(transcript, ['agent', 'tool_call'])).toBe(stats['assistant'])
    // Each reply has one action, and each action a result, but for a last one that printed nothing.
    expect(count(transcript, 'tool_call')).toBe(stats['assistant'])
    const results = count(transcript, 'tool_result')
    const inHistory = (stats['user'] ?? 0) + (stats['tool'] ?? 0) - demos - 1
    expect(results).toBe(inHistory + (lastPrints ? 1 : 0))
  })

  it('[I20] one history lacks a step of its trajectory, and says so', async () => {
    const all = await Promise.all(of('swe-agent').map(([, entry]) => readReal(entry)))
    const said = all.flatMap(eventsOf).filter((event) => event.name === 'steps')
    expect(said.map((event) => event.text)).toEqual(['16 steps, 15 of them in the history'])
  })

  it.each(of('mini-swe-agent'))('[I21] %s', async (_file, entry) => {
    const transcript = await readReal(entry)
    const { stats } = entry
    expect(transcript.sessions).toHaveLength(1)
    expect(count(transcript, 'system')).toBe(stats['system'])
    expect(count(transcript, 'user')).toBe(1)
    expect(records(transcript, ['agent', 'tool_call'])).toBe(stats['assistant'])
    // A user's message is the task, a result, or a reply that the loop refused; one file ends in an empty one.
    const refused = count(transcript, 'notification')
    const results = count(transcript, 'tool_result')
    const empty = transcript.skipped['user without content'] ?? 0
    expect(1 + refused + results + empty).toBe(stats['user'])
    // A refused reply is one without an action.
    expect(count(transcript, 'tool_call')).toBe((stats['assistant'] ?? 0) - refused)
  })

  it('[I22] OpenHands has 80 events as formats.md counts, in events, observations and counts', async () => {
    const rows = of('openhands').filter(([file]) => !file.includes('trajectory-visualizer'))
    const all = await Promise.all(rows.map(([, entry]) => readReal(entry)))
    // The history of an output line is one line of the file: its events are counted one by one.
    const counted = all.map((transcript, at) => {
      const file = rows[at]![1]
      if (!file.file.endsWith('.jsonl')) return records(transcript) + total(transcript.skipped)
      const lines = readFileSync(realPath(file), 'utf8').trim().split('\n')
      const histories = lines.map(
        (line) => (JSON.parse(line) as { history: readonly object[] }).history,
      )
      const calls = histories.flat().filter((event) => 'observation' in event)
      expect(count(transcript, 'tool_result')).toBe(calls.length)
      expect(count(transcript, 'tool_call')).toBe(calls.length)
      expect(transcript.sessions).toHaveLength(file.stats['sessions']!)
      return histories.flat().length
    })
    expect(counted).toEqual(rows.map(([, { stats }]) => stats['records']))
    // The six entries of the visualizer's sample make it 80.
    expect(counted.reduce((a, b) => a + b, 0) + 6).toBe(80)
  })

  it('[I22] a person’s commands in the visualizer’s sample are commands, with their output', async () => {
    const [, entry] = of('openhands').find(([file]) => file.includes('sample-url'))!
    expect(count(await readReal(entry), 'command')).toBe(entry.stats['records'])
  })

  it.each(of('tau-bench'))('[I23] %s', async (_file, entry) => {
    const transcript = await readReal(entry)
    const { stats } = entry
    expect(transcript.sessions).toHaveLength(stats['sessions']!)
    expect(count(transcript, 'system')).toBe(stats['system'])
    expect(count(transcript, 'user')).toBe(stats['user'])
    expect(count(transcript, 'tool_result')).toBe(stats['tool'])
    // 1,381 replies: 576 only call, 45 speak and call, 760 only speak.
    expect(count(transcript, 'agent')).toBe(760 + 45)
    expect(count(transcript, 'tool_call')).toBe(576 + 45)
    expect(stats['assistant']).toBe(760 + 45 + 576)
    expect(eventsOf(transcript).filter((event) => event.name === 'reward')).toHaveLength(100)
  })

  it.each(of('tau2-bench'))(
    '[I24] %s: every tick is in an event or counted',
    async (_file, entry) => {
      const transcript = await readReal(entry)
      const call = json(entry) as {
        ticks: ReadonlyArray<Record<'agent_chunk' | 'user_chunk', { contains_speech: boolean }>>
      }
      const silent = call.ticks.filter(
        (tick) => !tick.agent_chunk.contains_speech && !tick.user_chunk.contains_speech,
      )
      const { skipped } = transcript
      const closing = 1
      expect(records(transcript) - closing + total(skipped)).toBe(entry.stats['records'])
      const asides = eventsOf(transcript).filter((event) => event.name?.match(/phrase|tic$/))
      expect(asides).toHaveLength(4)
      expect(silent.length).toBeGreaterThanOrEqual(skipped['tick without speech']!)
      expect(silent.length).toBeLessThanOrEqual(skipped['tick without speech']! + asides.length)
      // The file has no texts, so it has no turns.
      expect(count(transcript, 'user') + count(transcript, 'agent')).toBe(0)
    },
  )

  it.each(of('atif'))('[I25] %s', async (_file, entry) => {
    const transcript = await readReal(entry)
    const { stats } = entry
    const steps = (json(entry) as { steps: ReadonlyArray<Record<string, unknown>> }).steps
    const copied = steps.filter((step) => step['is_copied_context'] === true)
    const copiedAgents = copied.filter((step) => step['source'] === 'agent')
    // The whole object is the record of the final metrics.
    expect(records(transcript) - 1).toBe(stats['records'])
    expect(records(transcript, ['agent'])).toBe((stats['agent'] ?? 0) - copiedAgents.length)
    expect(count(transcript, 'injected')).toBe(copied.length)
    expect(count(transcript, 'user')).toBe(
      (stats['user'] ?? 0) + copiedAgents.length - copied.length,
    )
    const compactions = eventsOf(transcript).filter((event) => event.name === 'compaction')
    expect(count(transcript, 'system') + compactions.length).toBe(stats['system'] ?? 0)
  })

  it.each(of('who-and-when'))('[I26] %s', async (_file, entry) => {
    const transcript = await readReal(entry)
    const run = json(entry) as {
      history: ReadonlyArray<{ content: string; role: string }>
      mistake_step: string
    }
    const empty = run.history.filter((message) => message.content === '').length
    expect(total(transcript.skipped)).toBe(empty)
    expect(run.history).toHaveLength(entry.stats['records']!)
    // Records are the messages, and the object around them with its labels.
    expect(records(transcript)).toBe(run.history.length - empty + 1)
    expect(count(transcript, 'user')).toBe(1)
    // The manifest's roles are cut at 24 characters.
    expect(count(transcript, 'reasoning')).toBe(entry.stats['Orchestrator (thought)'] ?? 0)
    const events = eventsOf(transcript)
    const at = events.findIndex((event) => event.name === 'mistake')
    expect(events[at]?.text).toContain(`step ${run.mistake_step}, `)
    // The label follows the message that it is about.
    expect(run.history[Number(run.mistake_step)]?.content).toBe(events[at - 1]?.text)
  })

  it.each(of('sharegpt'))('[I27] %s', async (_file, entry) => {
    const transcript = await readReal(entry)
    const { stats } = entry
    expect(transcript.sessions).toHaveLength(stats['sessions']!)
    expect(count(transcript, 'user')).toBe(stats['user'])
    expect(count(transcript, 'tool_result')).toBe(stats['tool'] ?? 0)
    // The manifest counts calls as the assistant's.
    expect(count(transcript, 'agent') + count(transcript, 'tool_call')).toBe(stats['assistant'])
    expect(eventsOf(transcript)).toHaveLength(stats['records']!)
  })
})
