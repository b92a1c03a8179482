import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { ImportedTranscript } from '../../../engine/import/source.ts'
import { readReal, realFiles, realPath, type RealFile } from '../../../../fixtures/real-files.ts'

const found = realFiles(['aider', 'specstory', 'cc-console'], 14)
const of = (format: string): ReadonlyArray<readonly [string, RealFile]> =>
  found
    .filter((entry) => entry.format === format && Object.keys(entry.stats).length > 0)
    .map((entry) => [entry.file, entry])

function eventsOf(
  transcript: ImportedTranscript,
): ImportedTranscript['sessions'][number]['events'] {
  return transcript.sessions.flatMap((session) => session.events)
}

/** Blocks (by the line that they begin on) which hold an event of one of these kinds. */
function blocksWith(transcript: ImportedTranscript, kinds: readonly string[]): number {
  const events = eventsOf(transcript).filter(({ kind }) => kinds.includes(kind))
  return new Set(events.map((event) => event.source.line)).size
}

function linesOf(entry: RealFile): readonly string[] {
  return readFileSync(realPath(entry), 'utf8').split('\n')
}

/** Non-blank lines that lie in no event, with those that an importer says are no text. */
function uncovered(entry: RealFile, transcript: ImportedTranscript): readonly string[] {
  const bytes = readFileSync(realPath(entry))
  const covered = new Uint8Array(bytes.length)
  for (const { source } of eventsOf(transcript))
    covered.fill(1, source.offset, source.offset + source.length)
  let offset = 0
  return bytes
    .toString('latin1')
    .split('\n')
    .filter((line) => {
      const at = offset
      offset += line.length + 1
      return line.trim() !== '' && covered[at + line.search(/\S/)] === 0
    })
}

/** User input, and other kinds that appear under the user's marker. */
const TYPED = ['user', 'command', 'injected', 'interruption', 'summary', 'notification']

describe.skipIf(found.length === 0)('real files of formats of text', () => {
  it('there are 14 of them', () => expect(found).toHaveLength(14))

  it.each(of('aider'))('[I40] %s', async (_file, entry) => {
    const transcript = await readReal(entry)
    expect(transcript.problems).toEqual([])
    expect(transcript.sessions).toHaveLength(entry.stats['sessions']!)
    // The manifest counts runs of `####`; of those, echoes of confirmations and slash commands are commands.
    expect(blocksWith(transcript, ['user', 'command'])).toBe(entry.stats['user'])
    expect(transcript.lines + 1).toBe(entry.stats['records'])
    const blank = uncovered(entry, transcript).filter(
      (line) => line.replace(/^>|^####/, '').trim() !== '',
    )
    expect(blank).toEqual([])
  })

  it('[I40] together they are the 22 sessions and 47 messages that formats.md counts', async () => {
    const all = await Promise.all(of('aider').map(([, entry]) => readReal(entry)))
    expect(all.flatMap((transcript) => transcript.sessions)).toHaveLength(22)
    const counts = all.map((transcript) => blocksWith(transcript, ['user', 'command']))
    expect(counts.reduce((a, b) => a + b)).toBe(47)
  })

  it.each(of('specstory'))('[I41] %s', async (_file, entry) => {
    const transcript = await readReal(entry)
    const { stats } = entry
    const lines = linesOf(entry)
    expect(transcript.problems).toEqual([])
    const { 'block without text': empty = 0, ...skipped } = transcript.skipped
    expect(skipped).toEqual({ 'generator comment': 1 })
    expect(eventsOf(transcript).filter(({ kind }) => kind === 'tool_call')).toHaveLength(
      stats['tool']!,
    )
    // A block of the user begins at its header. Other content in the block also begins there.
    const users = new Set(
      eventsOf(transcript)
        .map((event) => event.source.line)
        .filter((line) => lines[line - 1]!.startsWith('_**User')),
    )
    expect(users.size).toBe(stats['user'])
    // The manifest counts agents' headers. Each is the last header before at least one event, except those of empty
    // blocks (two, in one of the files).
    const headers = new Set<number>()
    for (const { source } of eventsOf(transcript)) {
      let at = source.line - 1
      while (!lines[at]!.startsWith('_**')) at -= 1
      if (lines[at]!.startsWith('_**Agent')) headers.add(at)
    }
    expect(headers.size + empty).toBe(stats['assistant'])
    const outside = uncovered(entry, transcript).filter(
      (line) => !/^(<!--|# |---$|_\*\*Agent)/.test(line.trim()),
    )
    expect(outside).toEqual([])
  })

  it('[I41] sub-agents are sessions of their own', async () => {
    const entry = found.find(({ file }) => file.includes('command-message-code-review'))!
    const { sessions } = await readReal(entry)
    const lines = linesOf(entry).filter((line) => line.startsWith('_**Agent - sidechain'))
    const aside = sessions.filter((session) => session.thread !== 'main')
    expect(lines.length).toBeGreaterThan(0)
    expect(aside.every((session) => session.parent === sessions[0]!.id)).toBe(true)
    expect(aside[0]!.events[0]!.kind).toBe('subagent_prompt')
  })

  it.each(of('cc-console'))('[I42] %s', async (_file, entry) => {
    const transcript = await readReal(entry)
    expect(transcript.problems).toEqual([])
    const lines = linesOf(entry)
    const marked = (mark: string, kinds: readonly string[]): number => {
      const at = eventsOf(transcript).filter(({ kind, source }) => {
        return kinds.includes(kind) && lines[source.line - 1]!.startsWith(mark)
      })
      return new Set(at.map((event) => event.source.line)).size
    }
    expect(marked('> ', TYPED)).toBe(entry.stats['user'])
    // The manifest counts bullets: the agent's texts and calls.
    expect(marked('⏺', ['agent', 'tool_call'])).toBe(entry.stats['assistant'])
    expect(uncovered(entry, transcript)).toEqual([])
  })

  it('[I42] together they are the 155 messages and 988 bullets that formats.md counts', () => {
    const sum = (key: string): number =>
      of('cc-console').reduce((total, [, entry]) => total + entry.stats[key]!, 0)
    expect([sum('user'), sum('assistant')]).toEqual([155, 988])
  })
})
