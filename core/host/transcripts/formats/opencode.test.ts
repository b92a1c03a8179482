import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeFolder } from '../../../../fixtures/host.ts'
import { moreRealFiles, moreRealPath } from '../../../../fixtures/more-real-files.ts'
import { readTranscript } from '../../../../fixtures/read-transcript.ts'
import type { ImportedTranscript } from '../../../engine/import/source.ts'
import { plainEvents } from '../../../engine/schema/event.ts'
import { openTranscript } from '../transcript.ts'

const FIXTURES = join(import.meta.dirname, '../../../../fixtures/import/opencode')
const FOLDER = 'agent-sessions-opencode'
const V2 = `${FOLDER}/storage_v2/session/proj_test/ses_s_stage0_small.json`
const LEGACY = `${FOLDER}/storage_legacy/session/proj_test/ses_s_stage0_drift.json`
const ALONE = `${FOLDER}/storage_v2/part/m_assistant_large_1/004.json`
const REAL = moreRealFiles([V2, LEGACY, ALONE])

async function read(input: string | Uint8Array): Promise<ImportedTranscript> {
  const result = await readTranscript(input)
  if (!result.ok) throw new Error(JSON.stringify(result.error))
  expect(result.value.format).toBe('opencode')
  return result.value
}

/** The file with its companions: kind and text of all events, and the companions. */
async function open(path: string) {
  const opened = await openTranscript(path)
  if (!opened.ok) throw new Error(JSON.stringify(opened.error))
  const { transcript, companions } = opened.value
  const said = transcript.sessions.map((session) =>
    plainEvents(session).map(({ kind, text }) => `${kind} ${text}`),
  )
  opened.value.close()
  return { said, companions, transcript }
}

const TIME = { created: 1766000000000 }

/** A store with two sessions; `messages` have one part each. */
function store(partsOf: (message: string) => string): string {
  const files: Record<string, string> = {}
  for (const id of ['ses_1', 'ses_2']) {
    const session = { id, projectID: 'p', directory: '/work', title: `Session ${id}`, time: TIME }
    files[`session/p/${id}.json`] = JSON.stringify(session)
    for (const role of ['user', 'assistant']) {
      const message = `msg_${id}_${role === 'user' ? 'a' : 'b'}`
      const info = { id: message, sessionID: id, role, time: TIME, modelID: 'm' }
      files[`message/${id}/${message}.json`] = JSON.stringify(info)
      const part = {
        id: `prt_${message}`,
        messageID: message,
        type: 'text',
        text: `${role} of ${id}`,
      }
      files[partsOf(message)] = JSON.stringify(part)
    }
  }
  return makeFolder(files)
}

describe('OpenCode', () => {
  it('[I125] what the client adds is told from what was typed, results and errors stand with their calls', async () => {
    const { sessions } = await read(join(FIXTURES, 'export.json'))
    const events = plainEvents(sessions[0]!)
    const of = (kind: string): readonly string[] =>
      events.filter((event) => event.kind === kind).map(({ text }) => text)
    expect(of('user')).toEqual(['Why does @src/feed.ts show wrong dates?'])
    expect(of('injected')).toHaveLength(2)
    expect(of('command')).toEqual(['Review the change.'])
    expect(of('summary')).toHaveLength(1)
    expect(of('interruption')).toEqual(['The operation was aborted.'])
    const results = events.filter(({ kind }) => kind === 'tool_result')
    expect(results.map(({ callId, isError }) => [callId, isError])).toEqual([
      ['call_1', true],
      ['call_2', false],
      ['call_3', true],
      ['call_4', false],
    ])
  })

  it('[I125] a session with a parent is its sub-agent, started by the call whose result names it', async () => {
    const { sessions } = await read(join(FIXTURES, 'sessions.jsonl'))
    expect(sessions.map(({ id, parent, startedBy }) => [id, parent, startedBy])).toEqual([
      ['ses_4a01', null, undefined],
      ['ses_4a02', 'ses_4a01', 'call_2'],
    ])
    expect(sessions[1]?.events[0]?.kind).toBe('subagent_prompt')
  })

  it('[I125] a session of the store is read with its messages and parts, and with no others', async () => {
    const root = store((message) => `part/${message}/prt_1.json`)
    const { said, companions, transcript } = await open(join(root, 'session/p/ses_2.json'))
    expect(said).toEqual([['user user of ses_2', 'agent assistant of ses_2']])
    expect(companions).toEqual([
      '../../message/ses_2/msg_ses_2_a.json',
      '../../message/ses_2/msg_ses_2_b.json',
      '../../part/msg_ses_2_a/prt_1.json',
      '../../part/msg_ses_2_b/prt_1.json',
    ])
    expect(transcript.sessions[0]).toMatchObject({
      id: 'ses_2',
      title: 'Session ses_2',
      cwd: '/work',
    })
  })

  it('[I125] also where all parts lie in one folder, as older versions had them', async () => {
    const root = store((message) => `part/prt_${message}.json`)
    const { said } = await open(join(root, 'session/p/ses_1.json'))
    expect(said).toEqual([['user user of ses_1', 'agent assistant of ses_1']])
  })

  it('[I56] [I125] more than 500 parts are read with their session', async () => {
    const files: Record<string, string> = {
      'session/p/ses_1.json': JSON.stringify({ id: 'ses_1', projectID: 'p', time: TIME }),
      'message/ses_1/msg_1.json': JSON.stringify({
        id: 'msg_1',
        sessionID: 'ses_1',
        role: 'assistant',
        time: TIME,
      }),
    }
    for (let at = 0; at < 520; at += 1) {
      const id = `prt_${String(at).padStart(4, '0')}`
      const part = { id, sessionID: 'ses_1', messageID: 'msg_1', type: 'text', text: `part ${at}` }
      files[`part/msg_1/${id}.json`] = JSON.stringify(part)
    }
    const { said, transcript } = await open(join(makeFolder(files), 'session/p/ses_1.json'))
    expect(said[0]).toHaveLength(520)
    expect(transcript.problems).toEqual([])
  }, 60_000)

  it('[I125] parts of unknown types are problems that name them, words are kept', async () => {
    const { problems, sessions } = await read(join(FIXTURES, 'damaged.json'))
    expect(problems.map(({ message }) => message)).toEqual([
      'a part of an unknown type: hologram',
      'a part must be an object',
      'neither a session, a message nor a part',
      'neither a session, a message nor a part',
      'a part of an unknown type: sparkle',
    ])
    expect(plainEvents(sessions[0]!).map(({ text }) => text)).toEqual([
      'Hello',
      'Words of a part that nobody knows.',
      'Hi.',
    ])
  })

  it('[I125] a message without its parts says that nothing is said in it', async () => {
    const info = { id: 'm', sessionID: 's', role: 'user', time: TIME }
    const result = await readTranscript(Buffer.from(JSON.stringify(info)))
    expect(result.ok ? null : result.error.what).toContain('message without content')
  })

  it('[I125] a message that is written once more adds only new parts', async () => {
    const info = { id: 'm', sessionID: 's', role: 'assistant', time: TIME, modelID: 'x' }
    const part = (id: string) => ({ id, sessionID: 's', messageID: 'm', type: 'text', text: id })
    const lines = [
      { info, parts: [part('one')] },
      { info, parts: [part('one'), part('two')] },
    ].map((line) => JSON.stringify(line))
    const { sessions } = await read(Buffer.from(lines.join('\n')))
    expect(plainEvents(sessions[0]!).map(({ text }) => text)).toEqual(['one', 'two'])
  })

  it.runIf(REAL.length > 0)(
    '[I125] real sessions of the store open with all that was said',
    async () => {
      expect((await open(moreRealPath(V2))).said).toEqual([
        [
          'user Hello',
          'tool_call {"command":"ls","cwd":"/tmp/repo"}',
          'tool_result a.txt\nb.txt\n',
          'agent Found 2 files.',
        ],
      ])
      expect((await open(moreRealPath(LEGACY))).said).toEqual([
        [
          'tool_call {"command":"cat README.md","cwd":"/tmp/drift"}',
          'tool_result # Title\n\nBody\n',
          'agent Read README and extracted the title.',
        ],
      ])
      expect((await open(moreRealPath(ALONE))).said).toEqual([
        ['reasoning Investigating failing command.'],
      ])
    },
  )
})
