import { describe, expect, it } from 'vitest'
import { readTranscript } from '../../../../fixtures/read-transcript.ts'
import type { Result } from '../../result.ts'
import type { ImportedTranscript } from '../source.ts'

const lines = (...values: readonly unknown[]): Promise<Result<ImportedTranscript>> =>
  readTranscript(Buffer.from(values.map((value) => JSON.stringify(value)).join('\n')))

async function read(...values: readonly unknown[]): Promise<ImportedTranscript> {
  const result = await lines(...values)
  if (!result.ok) throw new Error(JSON.stringify(result.error))
  return result.value
}

const said = (text: string, more: object = {}): object => ({
  type: 'user',
  sessionId: 's',
  uuid: text,
  message: { role: 'user', content: text },
  ...more,
})

describe('what becomes of the records of a file', () => {
  it('[I108] each is read, known and skipped, or of an unknown kind that is said with its places', async () => {
    const state = { type: 'permission-mode', sessionId: 's', permissionMode: 'default' }
    const poem = (verse: string): object => ({ type: 'poem', sessionId: 's', verse })
    const transcript = await read(
      said('a'),
      state,
      poem('Tea by the sea'),
      said('b'),
      poem('And me'),
    )
    expect(transcript.records).toEqual({ records: 5, read: 2, skipped: 1, unknown: 2 })
    expect(transcript.skipped).toEqual({ 'permission-mode': 1 })
    expect(transcript.problemTotal).toBe(1)
    expect(transcript.problems[0]).toMatchObject({
      code: 'unknown_kind',
      line: 3,
      message: '2 records of the unknown kind “poem” were not read: lines 3, 5',
    })
  })

  it('[I108] a part that nobody knows is said too, and costs its record nothing', async () => {
    const parts = [
      { type: 'text', text: 'Look' },
      { type: 'hologram', data: 1 },
    ]
    const transcript = await read(
      { role: 'user', content: parts },
      { role: 'user', content: parts },
    )
    expect(transcript.records).toEqual({ records: 2, read: 2, skipped: 0, unknown: 0 })
    expect(transcript.problems.map(({ message }) => message)).toEqual([
      '2 parts of the unknown kind “hologram” were not read: lines 1, 2',
    ])
  })

  it('[I108] a message that has its words where the format has none is no empty one', async () => {
    const elsewhere = said('c', { message: { role: 'user', parts: [{ text: 'What is new?' }] } })
    const empty = said('d', { message: { role: 'user', content: [] } })
    const transcript = await read(said('a'), said('b'), elsewhere, empty)
    expect(transcript.records).toEqual({ records: 4, read: 2, skipped: 1, unknown: 1 })
    expect(transcript.problems.map(({ line }) => line)).toEqual([3])
  })

  it('[I108] at most ten places of a kind are named, and all are counted', async () => {
    const many = Array.from({ length: 12 }, () => ({ type: 'tick', sessionId: 's' }))
    const { problems, records } = await read(said('a'), ...many)
    expect(records.unknown).toBe(12)
    expect(problems[0]?.message).toMatch(/^12 records .* lines 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, …$/)
  })
})

describe('a file of which a format reads the smaller part', () => {
  const thought = { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm, so' }] }
  const message = { type: 'assistant', content: 'Here is the answer.' }

  it('[I109] is refused, with what was not read and the nearest other formats', async () => {
    const result = await lines(thought, message, message)
    expect(result.ok).toBe(false)
    const { what, do: advice } = result.ok ? { what: '', do: '' } : result.error
    expect(what).toContain('it looks like Codex rollout')
    expect(what).toContain('2 records of the unknown kind “assistant” were not read: lines 2, 3')
    expect(advice).toMatch(/nearest others: (?!.*Codex rollout)/)
  })

  it('[I109] half is enough, and a kind that says nothing does not count against it', async () => {
    expect((await lines(thought, message)).ok).toBe(true)
    const silent = { type: 'limits', used: 3, unit: 'tokens' }
    const transcript = await read(thought, silent, silent, silent, silent)
    expect(transcript.records).toEqual({ records: 5, read: 1, skipped: 0, unknown: 4 })
    expect(transcript.problemTotal).toBe(1)
  })

  it('[I109] where nearly any list is taken, what is no message counts against it, whatever it says', async () => {
    const turn = { role: 'guest', text: 'Do it' }
    const other = { kind: 'x', n: 1 }
    expect((await read(turn, other)).format).toBe('conversation-list')
    expect((await lines(turn, other, other)).ok).toBe(false)
  })

  it('[I109] a record without words counts once, however many things are in it', async () => {
    const call = { messages: [{ role: 'user', content: 'Which bridge is old?' }] }
    expect((await read(call, [1, 2, 3])).sessions.flatMap(({ events }) => events)).toHaveLength(1)
  })
})
