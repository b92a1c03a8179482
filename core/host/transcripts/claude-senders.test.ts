import { describe, expect, it } from 'vitest'
import { readTranscript } from '../../../fixtures/read-transcript.ts'
import type { ImportedTranscript } from '../../engine/import/source.ts'
import { plainEvents } from '../../engine/schema/event.ts'

interface Typed {
  readonly content: unknown
  readonly more?: object
}

/** A Claude Code session whose user records have these contents and fields. */
async function read(records: readonly Typed[]): Promise<ImportedTranscript> {
  const lines = records.map(({ content, more }, at) => ({
    type: 'user',
    sessionId: 's',
    uuid: `u${at}`,
    parentUuid: at === 0 ? null : `u${at - 1}`,
    isSidechain: false,
    message: { role: 'user', content },
    ...more,
  }))
  const text = lines.map((line) => JSON.stringify(line)).join('\n')
  const result = await readTranscript(Buffer.from(`${text}\n`))
  if (!result.ok) throw new Error(JSON.stringify(result.error))
  expect(result.value.format).toBe('claude-code')
  return result.value
}

async function kindsOf(records: readonly Typed[]): Promise<readonly string[]> {
  const [session] = (await read(records)).sessions
  if (session === undefined) throw new Error('no session')
  return plainEvents(session).map(({ kind }) => kind)
}

const from = (kind: string, content: unknown = 'run the test plan'): Typed => ({
  content,
  more: { origin: { kind } },
})

describe('who sent a message of Claude Code', () => {
  it('[I171] only origin human is the user, whatever the text says', async () => {
    const senders = ['peer', 'channel', 'coordinator', 'scheduled', 'task-notification', 'teammate']
    expect(await kindsOf([from('human'), ...senders.map((kind) => from(kind))])).toEqual([
      'user',
      ...senders.map(() => 'notification'),
    ])
    expect(await kindsOf([from('peer', '<command-name>/deploy</command-name>')])).toEqual([
      'notification',
    ])
    expect(
      await kindsOf([
        from('human', 'Stop hook feedback: what is that?'),
        from('human', 'Another Claude session sent a message: why do I see this?'),
        from('human', '<system-reminder>what is this?</system-reminder>'),
        from('human', '<bash-input>ls</bash-input>'),
      ]),
    ).toEqual(['user', 'user', 'user', 'command'])
  })

  it('[I171] notes of the client beside typed text are still taken out', async () => {
    const content = [
      { type: 'text', text: '<system-reminder>r</system-reminder>' },
      { type: 'text', text: 'fix it' },
    ]
    expect(await kindsOf([from('human', content)])).toEqual(['injected', 'user'])
  })

  it('[I171] isMeta and compaction summaries are not typed, even from a human', async () => {
    const human = { origin: { kind: 'human' } }
    expect(
      await kindsOf([
        { content: 'Caveat', more: { ...human, isMeta: true } },
        { content: 'Summary', more: { ...human, isCompactSummary: true } },
      ]),
    ).toEqual(['injected', 'summary'])
  })

  it('[I171] a queued message has its sender in the attachment', async () => {
    const queued = (attachment: object): Typed => ({
      content: null,
      more: { type: 'attachment', attachment: { type: 'queued_command', ...attachment } },
    })
    expect(
      await kindsOf([
        from('human'),
        queued({ prompt: 'now the tests', commandMode: 'prompt' }),
        queued({ prompt: 'the build failed', commandMode: 'task-notification' }),
        queued({ prompt: 'debug the crash', origin: { kind: 'peer' } }),
      ]),
    ).toEqual(['user', 'user', 'notification', 'notification'])
  })

  it('[I172] unknown senders and wrappers are injected, and reported with their lines', async () => {
    const { sessions, problems } = await read([
      from('human'),
      from('oracle'),
      { content: '<deploy-gate>\nblocked by the policy\n</deploy-gate>' },
      { content: '<deploy-gate>\nopen again\n</deploy-gate>' },
      { content: '<div>hello</div>' },
    ])
    const [session] = sessions
    const events = session === undefined ? [] : plainEvents(session)
    expect(events.map(({ kind }) => kind)).toEqual([
      'user',
      'injected',
      'injected',
      'injected',
      'user',
    ])
    expect(problems.map(({ code, message }) => [code, message])).toEqual([
      [
        'unknown_kind',
        "1 message under the user's role counted as injected, because origin “oracle” is unknown: line 2",
      ],
      [
        'unknown_kind',
        "2 messages under the user's role counted as injected, because <deploy-gate> is unknown: lines 3, 4",
      ],
    ])
  })
})
