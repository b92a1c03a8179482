import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { moreRealFiles, moreRealPath } from '../../../../fixtures/more-real-files.ts'
import { readTranscript } from '../../../../fixtures/read-transcript.ts'
import type { ImportedTranscript } from '../../../engine/import/source.ts'
import { plainEvents } from '../../../engine/schema/event.ts'
import { openTranscript } from '../transcript.ts'

const FIXTURES = join(import.meta.dirname, '../../../../fixtures/import')
const ID = '8a6c2f10-0000-4000-8000-00000000000a'
const SESSION = join(FIXTURES, `cursor/${ID}/${ID}.jsonl`)
const FOLDER = 'agent-sessions-cursor'
const REAL = moreRealFiles([
  `${FOLDER}/small.jsonl`,
  `${FOLDER}/schema_drift.jsonl`,
  `${FOLDER}/subagent/parent.jsonl`,
  `${FOLDER}/subagent/subagents/child.jsonl`,
])

async function read(input: string | Uint8Array): Promise<ImportedTranscript> {
  const result = await readTranscript(input)
  if (!result.ok) throw new Error(JSON.stringify(result.error))
  return result.value
}

function said({ sessions }: ImportedTranscript): ReadonlyArray<readonly unknown[]> {
  return sessions.flatMap(plainEvents).map(({ kind, name, text }) => [kind, name, text])
}

describe('agent transcripts of Cursor', () => {
  it('[I123] what stands in user_query was typed, notes around it and alone are injected', async () => {
    const transcript = await read(SESSION)
    expect(
      said(transcript)
        .slice(0, 4)
        .map(([kind, name]) => [kind, name]),
    ).toEqual([
      ['injected', 'context'],
      ['injected', 'context'],
      ['user', null],
      ['injected', 'context'],
    ])
    expect(said(transcript)[2]?.[2]).toBe(
      'Why are tiles at the border blank?\n[image image/png 1 kB]',
    )
  })

  it('[I123] the noted time of a message is its time', async () => {
    const { sessions } = await read(SESSION)
    expect(sessions[0]?.startedAt).toBe(Date.parse('2026-07-24T11:23:00Z'))
  })

  it('[I123] a turn that did not end well says so', async () => {
    const ends = said(await read(SESSION)).filter(
      ([kind]) => kind === 'interruption' || kind === 'system',
    )
    expect(ends).toEqual([
      ['interruption', null, 'User aborted/interrupted manually.'],
      ['system', 'error', 'The model is not available.'],
    ])
  })

  it('[I123] transcripts of sub-agents are read with their session', async () => {
    const opened = await openTranscript(SESSION)
    if (!opened.ok) throw new Error(JSON.stringify(opened.error))
    const { transcript, companions } = opened.value
    expect(companions).toEqual(['subagents/1f0e.jsonl'])
    const [, agent] = transcript.sessions
    expect([agent?.thread, agent?.parent]).toEqual(['subagent-1', 'session-1'])
    expect(agent === undefined ? [] : plainEvents(agent).map(({ kind }) => kind)).toEqual([
      'subagent_prompt',
      'agent',
      'tool_call',
      'agent',
    ])
    opened.value.close()
  })

  it('[I123] blocks and records of unknown types are problems that name them, words are kept', async () => {
    const transcript = await read(join(FIXTURES, 'cursor/damaged.jsonl'))
    expect(transcript.problems.map(({ line, message }) => [line, message])).toEqual([
      [2, 'a record of an unknown type: future_record'],
      [3, 'neither a message nor the end of a turn'],
      [4, 'a record must be an object, this is a number'],
      [5, 'a block of an unknown type: hologram'],
      [5, 'a block of an unknown type: empty_block'],
    ])
    expect(said(transcript)).toContainEqual([
      'meta',
      'hologram',
      'Words in a block that nobody knows.',
    ])
  })

  it('[I123] [I63] a role that is called like a property of objects is only a name', async () => {
    const lines = ['user', 'constructor', '__proto__'].map((role) =>
      JSON.stringify({ role, message: { content: [{ type: 'text', text: role }] } }),
    )
    expect(said(await read(Buffer.from(lines.join('\n'))))).toEqual([
      ['user', null, 'user'],
      ['meta', 'constructor', 'constructor'],
      ['meta', '__proto__', '__proto__'],
    ])
  })

  it.each(REAL)('[I123] %s: every block is there once', async (name) => {
    interface Block {
      readonly type: string
      readonly text?: string
    }
    interface Line {
      readonly message?: { readonly content: readonly Block[] }
    }
    const transcript = await read(moreRealPath(name))
    expect(transcript.format).toBe('cursor')
    const blocks = readFileSync(moreRealPath(name), 'utf8')
      .split('\n')
      .filter((line) => line.trim() !== '')
      .flatMap((line) => (JSON.parse(line) as Line).message?.content ?? [])
    expect(said(transcript)).toHaveLength(blocks.length)
    const texts = said(transcript).map(([, , text]) => text)
    for (const { text } of blocks) if (text !== undefined) expect(texts).toContain(text)
  })
})

describe('chats that Cursor exports as Markdown', () => {
  it('[I124] a speaker’s line begins a turn only after a rule; all else is text', async () => {
    const transcript = await read(join(FIXTURES, 'cursor-markdown/export.md'))
    expect(transcript.sessions[0]?.title).toBe('Blank tiles at the border')
    expect(said(transcript).map(([kind]) => kind)).toEqual(['user', 'agent', 'user', 'agent'])
    expect(String(said(transcript)[1]?.[2])).toMatch(
      /cut off\.\n\n---\n\nThat is the whole reason:\n\n\*\*User\*\* settings play no part\.$/,
    )
  })

  it('[I124] a speaker’s name without a rule before it does not end the answer', async () => {
    const text =
      '# T\n_Exported on 1/7/2026 at 00:17:50 EST from Cursor (2.3.23)_\n\n---\n\n**User**\n\nHi\n\n---\n\n**Cursor**\n\nOne\n\n**User**\n\nTwo\n'
    const transcript = await read(Buffer.from(text))
    expect(transcript.format).toBe('cursor-markdown')
    expect(said(transcript)).toEqual([
      ['user', null, 'Hi'],
      ['agent', null, 'One\n\n**User**\n\nTwo'],
    ])
  })
})
