import { expect, it, vi } from 'vitest'
import { readTranscript } from '../../../../fixtures/read-transcript.ts'
import { plainEvents } from '../../schema/event.ts'
import { isList } from '../shared/guards.ts'

/** A stream of AG-UI: half of the pieces are empty, the others follow. */
function agUi(pieces: number): readonly unknown[] {
  return [
    { type: 'RUN_STARTED', threadId: 't', runId: 'r' },
    { type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant' },
    ...Array.from({ length: pieces }, (_, index) => {
      return {
        type: 'TEXT_MESSAGE_CONTENT',
        messageId: 'm',
        delta: index < pieces / 2 ? '' : 'a',
      }
    }),
  ]
}

function acp(pieces: number): readonly unknown[] {
  return Array.from({ length: pieces }, (_, index) => {
    const content = { type: 'text', text: index < pieces / 2 ? '' : 'a' }
    const update = { sessionUpdate: 'agent_message_chunk', content }
    return { jsonrpc: '2.0', method: 'session/update', params: { sessionId: 's', update } }
  })
}

/** The text that a stream becomes, and the items of lists that were joined or searched meanwhile. */
async function workOf(records: readonly unknown[]) {
  const file = Buffer.from(records.map((record) => JSON.stringify(record)).join('\n'))
  const spies = [vi.spyOn(Array.prototype, 'join'), vi.spyOn(Array.prototype, 'every')]
  const read = await readTranscript(file)
  const lists = spies.flatMap((spy): readonly unknown[] => spy.mock.contexts)
  const items = lists.reduce<number>((sum, list) => sum + (isList(list) ? list.length : 0), 0)
  for (const spy of spies) spy.mockRestore()
  if (!read.ok) throw new Error(JSON.stringify(read.error))
  const texts = read.value.sessions.flatMap((one) => plainEvents(one)).map(({ text }) => text)
  return { texts, items }
}

it.each([
  ['I203', 'AG-UI', agUi],
  ['I204', 'ACP', acp],
] as const)(
  '[%s] %s: four times the pieces cost four times the work',
  async (_rule, _name, make) => {
    const small = await workOf(make(1000))
    const large = await workOf(make(4000))
    expect(small.texts).toEqual(['a'.repeat(500)])
    expect(large.texts).toEqual(['a'.repeat(2000)])
    expect(small.items).toBeGreaterThanOrEqual(500)
    expect(large.items).toBeLessThan(5 * small.items)
  },
)
