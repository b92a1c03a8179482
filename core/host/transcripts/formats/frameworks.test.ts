import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ImportedTranscript } from '../../../engine/import/source.ts'
import { plainEvents } from '../../../engine/schema/event.ts'
import { makeFolder } from '../../../../fixtures/host.ts'
import { readTranscript } from '../../../../fixtures/read-transcript.ts'
import { openTranscript } from '../transcript.ts'

// Formats of frameworks and kits. What their fixtures say as a whole is in fixtures/import/goldens.

async function read(text: string): Promise<ImportedTranscript> {
  const result = await readTranscript(Buffer.from(text))
  if (!result.ok) throw new Error(JSON.stringify(result.error))
  return result.value
}

const lines = (records: readonly unknown[]): string =>
  records.map((record) => JSON.stringify(record)).join('\n')

/** Kind, name and text of every event. */
function said({ sessions }: ImportedTranscript): readonly string[] {
  return sessions
    .flatMap(plainEvents)
    .map(({ kind, name, text }) => `${kind}${name === null ? '' : ` (${name})`}: ${text}`)
}

describe('Vercel AI SDK', () => {
  const messages = [
    { role: 'user', content: 'Is it open?' },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'I look.' },
        { type: 'tool-call', toolCallId: 'k', toolName: 'door', input: { n: 1 } },
      ],
    },
    {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: 'k',
          toolName: 'door',
          output: { type: 'text', value: 'open' },
        },
        {
          type: 'tool-result',
          toolCallId: 'l',
          toolName: 'bell',
          output: { type: 'error-text', value: 'mute' },
        },
      ],
    },
  ]
  const whole = [
    'user: Is it open?',
    'agent: I look.',
    'tool_call (door): {"n":1}',
    'tool_result (door): open',
  ]

  it('[I130] a list of model messages, also inside of the answer of a call', async () => {
    const list = await read(JSON.stringify(messages))
    expect(list.format).toBe('ai-sdk')
    expect(said(list)).toEqual([...whole, 'tool_result (bell): mute'])
    expect(list.sessions[0]?.events.map((event) => event.isError)).toContain(true)
    expect(said(await read(JSON.stringify({ response: { messages } })))).toEqual(said(list))
  })

  it('[I130] lines that begin like chat messages say the same', async () => {
    const transcript = await read(lines(messages))
    expect(transcript.problems).toEqual([])
    expect(said(transcript).slice(0, 4)).toEqual(whole)
    expect(said(transcript).at(-1)).toContain('mute')
  })

  it('[I130] what a part repeats of the message around it is said once', async () => {
    const tool = { state: 'result', toolCallId: 't', toolName: 'stock', args: {}, result: 'beans' }
    const message = {
      id: 'b',
      role: 'assistant',
      content: 'Beans.',
      toolInvocations: [tool],
      parts: [
        { type: 'tool-invocation', toolInvocation: tool },
        { type: 'text', text: 'Beans.' },
      ],
    }
    expect(said(await read(JSON.stringify([message])))).toEqual([
      'tool_call (stock): {}',
      'tool_result (stock): beans',
      'agent: Beans.',
    ])
  })

  it('[I130] a part of an unknown kind is a problem that names it, with its place', async () => {
    const parts = [{ type: 'text', text: 'yes' }, { type: 'hologram' }]
    const { problems } = await read(JSON.stringify({ id: 'x', role: 'assistant', parts }))
    expect(problems).toMatchObject([{ line: 1, code: 'unknown_shape' }])
    expect(problems[0]?.message).toContain('hologram')
  })
})

describe('LangChain and LangGraph', () => {
  const human = (id: string | null, content: string) => ({ type: 'human', id, content })
  const answer = { type: 'ai', id: 'b', content: 'Both.', tool_calls: [] }
  const state = (at: string, messages: readonly unknown[]) => ({
    values: { messages },
    created_at: at,
    config: { configurable: { thread_id: 't' } },
  })
  const first = state('2026-03-01T08:00:00Z', [human('a', 'Tea or cake?'), human('x', 'Hurry.')])
  const last = state('2026-03-01T08:00:09Z', [human('a', 'Tea or cake?'), answer])

  it.each([
    ['the newest first', [last, first]],
    ['the oldest first', [first, last]],
  ])(
    '[I131] states of a thread, %s: each message once, where it stood, when it came',
    async (_, states) => {
      const { format, sessions } = await read(JSON.stringify(states))
      expect(format).toBe('langchain')
      expect(sessions.map(({ id }) => id)).toEqual(['t'])
      const events = sessions.flatMap(plainEvents)
      expect(new Set(events.map(({ text }) => text))).toEqual(
        new Set(['Tea or cake?', 'Hurry.', 'Both.']),
      )
      expect(events).toHaveLength(3)
      expect(events[0]).toMatchObject({
        text: 'Tea or cake?',
        at: Date.parse('2026-03-01T08:00:00Z'),
      })
      expect(events.find(({ kind }) => kind === 'agent')?.at).toBe(
        Date.parse('2026-03-01T08:00:09Z'),
      )
    },
  )

  it('[I131] a state that adds nothing still tells when the messages before were said', async () => {
    const again = await read(lines([last, last]))
    expect(again.sessions[0]?.events.map(({ at }) => at)).toEqual(
      Array.from({ length: 2 }, () => Date.parse('2026-03-01T08:00:09Z')),
    )
  })

  it('[I131] what is said twice in one list stays twice, also with one id', async () => {
    expect(said(await read(JSON.stringify([human(null, 'ok'), human(null, 'ok')])))).toHaveLength(2)
    const chunks = ['One ', 'two.'].map((content) => ({ type: 'AIMessageChunk', id: 'c', content }))
    const both = await read(JSON.stringify([human('a', 'Count.'), ...chunks]))
    expect(said(both)).toEqual(['user: Count.', 'agent: One ', 'agent: two.'])
  })

  it('[I131] a call that stands in the content and beside it is one call', async () => {
    const tool = { name: 'weigh', args: { hive: 1 }, id: 'c' }
    const content = [{ type: 'tool_use', id: 'c', name: 'weigh', input: { hive: 1 } }]
    const both = { type: 'ai', content, tool_calls: [tool, { ...tool, id: 'd' }] }
    const transcript = await read(JSON.stringify([human(null, 'Weigh.'), both]))
    const calls = transcript.sessions[0]?.events.filter(({ kind }) => kind === 'tool_call')
    expect(calls?.map(({ callId }) => callId)).toEqual(['c', 'd'])
  })

  it('[I131] the state of a graph inside of another is a sub-agent of its thread', async () => {
    const inner = { values: { messages: [human('i', 'Only the left shelf.')] } }
    const config = { configurable: { thread_id: 't', checkpoint_ns: 'counter:1' } }
    const whole = { ...last, tasks: [{ name: 'counter', state: { ...inner, config } }] }
    const { sessions } = await read(JSON.stringify(whole))
    expect(sessions.map(({ thread, parent }) => [thread, parent])).toEqual([
      ['main', null],
      ['counter:1', 't'],
    ])
  })
})

describe('Goose', () => {
  const header = { working_dir: '/srv', description: 'Kiln', message_count: 3 }
  const message = (role: string, content: readonly unknown[], more: object = {}) => ({
    role,
    created: 1770000000,
    content,
    ...more,
  })
  const text = (words: string) => ({ type: 'text', text: words })

  it('[I132] a result that answers model and person with one text says it once', async () => {
    const value = [
      { ...text('940 C'), annotations: {} },
      { ...text('940 C'), annotations: {} },
      text('hot'),
    ]
    const toolCall = { status: 'success', value: { name: 'probe', arguments: { n: 1 } } }
    const { sessions, format } = await read(
      lines([
        header,
        message('assistant', [{ type: 'toolRequest', id: 'r', toolCall }]),
        message('user', [
          { type: 'toolResponse', id: 'r', toolResult: { status: 'success', value } },
        ]),
      ]),
    )
    expect(format).toBe('goose')
    expect(sessions[0]).toMatchObject({ title: 'Kiln', cwd: '/srv' })
    expect(sessions.flatMap(plainEvents)).toMatchObject([
      { kind: 'tool_call', name: 'probe', callId: 'r', text: '{"n":1}', at: 1770000000000 },
      { kind: 'tool_result', name: 'probe', callId: 'r', text: '940 C\nhot' },
    ])
  })

  it('[I132] what the person does not see was not typed, and a sub-agent was told', async () => {
    const hidden = message('user', [text('It is ten.')], { metadata: { userVisible: false } })
    const conversation = [hidden, message('user', [text('Count.')])]
    const session = { ...header, id: 'g', session_type: 'user', conversation }
    expect(said(await read(JSON.stringify(session)))).toEqual([
      'injected (not-visible): It is ten.',
      'user: Count.',
    ])
    const sub = await read(JSON.stringify({ ...session, session_type: 'sub_agent' }))
    expect(said(sub).at(-1)).toBe('subagent_prompt: Count.')
    expect(sub.sessions[0]?.thread).toBe('g')
  })
})

describe('Kimi CLI, Factory Droid, Grok CLI', () => {
  it('[I133] a prompt is said when it was typed, and not again when the context repeats it', async () => {
    const input = (text: string) => [{ type: 'text', text }]
    const typed = (type: string, text: string, time: number) => ({
      type,
      input: input(text),
      origin: { kind: 'user' },
      time,
    })
    const kept = (text: string, time: number) => ({
      type: 'context.append_message',
      message: { role: 'user', content: input(text), origin: { kind: 'user' } },
      time,
    })
    const transcript = await read(
      lines([
        typed('turn.prompt', 'hi', 1780000000000),
        kept('hi', 1780000000001),
        typed('turn.steer', 'stop', 1780000000002),
        { type: 'turn.cancel', time: 1780000000003 },
        typed('turn.prompt', 'hi', 1780000000004),
        kept('stop', 1780000000005),
        kept('hi', 1780000000006),
        kept('never typed here', 1780000000007),
      ]),
    )
    expect(transcript.format).toBe('kimi')
    expect(said(transcript)).toEqual([
      'user: hi',
      'user: stop',
      'interruption: turn.cancel',
      'user: hi',
      'user: never typed here',
    ])
  })

  it('[I133] events of a sub-agent are a session that names the call that started it', async () => {
    const wire = (type: string, payload: object) => ({
      timestamp: 1780000000,
      message: { type, payload },
    })
    const sub = (type: string, payload: object) =>
      wire('SubagentEvent', { task_tool_call_id: 'Task:0', event: { type, payload } })
    const { sessions } = await read(
      lines([
        wire('TurnBegin', { user_input: 'Count' }),
        wire('ToolCall', { id: 'Task:0', function: { name: 'Task', arguments: '{}' } }),
        sub('TurnBegin', { user_input: 'Count crates' }),
        sub('ContentPart', { type: 'text', text: 'Twelve' }),
      ]),
    )
    expect(sessions).toHaveLength(2)
    expect(sessions[1]).toMatchObject({ parent: sessions[0]?.id, startedBy: 'Task:0' })
    expect(sessions[1]?.events.map(({ kind }) => kind)).toEqual(['subagent_prompt', 'agent'])
  })

  it('[I134] the last answer of a stream is said once, and by itself where it is nowhere else', async () => {
    const about = { sessionId: 's', timestamp: 1780000000000 }
    const asked = { type: 'message', role: 'user', text: 'Wind it', ...about }
    const answer = { type: 'message', role: 'assistant', text: 'Done', ...about }
    const end = { type: 'completion', finalText: 'Done', ...about }
    const once = ['user: Wind it', 'agent: Done']
    expect(said(await read(lines([asked, answer, end])))).toEqual(once)
    const short = await read(lines([asked, end]))
    expect(short.format).toBe('droid')
    expect(said(short)).toEqual(once)
  })

  it('[I135] what the harness says under the user role has its reason; an interjection was typed', async () => {
    const user = (text: string, more: object) => ({
      type: 'user',
      content: [{ type: 'text', text }],
      ...more,
    })
    const transcript = await read(
      lines([
        user('Be brief.', { synthetic_reason: 'project_instructions' }),
        user('Look.', { prompt_index: 0 }),
        user('Hurry.', { synthetic_reason: 'interjection' }),
      ]),
    )
    expect(transcript.format).toBe('grok')
    expect(said(transcript)).toEqual([
      'injected (project_instructions): Be brief.',
      'user: Look.',
      'user: Hurry.',
    ])
  })

  it('[I135] the summary beside a history names the session, and whose prompt the first one is', async () => {
    const user = { type: 'user', content: [{ type: 'text', text: 'Count.' }], prompt_index: 0 }
    const summary = {
      info: { cwd: '/srv/clock' },
      chat_format_version: 1,
      session_kind: 'subagent',
      generated_title: 'Counting',
      created_at: '2026-01-01T00:00:10Z',
    }
    const folder = makeFolder({
      'chat_history.jsonl': `${JSON.stringify(user)}\n`,
      'summary.json': JSON.stringify(summary, null, 2),
    })
    const opened = await openTranscript(join(folder, 'chat_history.jsonl'))
    if (!opened.ok) throw new Error(JSON.stringify(opened.error))
    const { companions, transcript } = opened.value
    expect(companions).toEqual(['summary.json'])
    expect(transcript.problems).toEqual([])
    expect(transcript.sessions).toMatchObject([
      { title: 'Counting', cwd: '/srv/clock', startedAt: Date.parse('2026-01-01T00:00:10Z') },
    ])
    expect(transcript.sessions[0]?.events.map(({ kind }) => kind)).toEqual(['subagent_prompt'])
    opened.value.close()
  })

  it('[I1] records whose newline was lost at the beginning still show the format', async () => {
    const first = JSON.stringify({ role: '_checkpoint', id: 0 })
    const user = JSON.stringify({ role: 'user', content: 'Sort them' })
    const transcript = await read(`${first}${user}\n${user}\n`)
    expect(transcript.format).toBe('kimi')
    expect(said(transcript)).toEqual(['user: Sort them', 'user: Sort them'])
  })
})

describe('OpenAI Assistants, Continue, Zed, iFlow', () => {
  const message = (id: string, role: string, value: string, at: number) => ({
    id,
    object: 'thread.message',
    thread_id: 't',
    created_at: 1790000000 + at,
    role,
    run_id: role === 'user' ? null : 'r1',
    content: [{ type: 'text', text: { value } }],
  })
  const run = (id: string, at: number) => ({
    id,
    object: 'thread.run',
    thread_id: 't',
    created_at: 1790000000 + at,
    model: 'gpt-lab',
    instructions: 'Mend nets.',
    last_error: null,
  })

  it('[I136] messages, runs and steps stand in the order of their times, whichever way they are listed', async () => {
    const call = {
      id: 'c',
      type: 'function',
      function: { name: 'count', arguments: '{}', output: '3' },
    }
    const step = {
      id: 's',
      object: 'thread.run.step',
      thread_id: 't',
      run_id: 'r1',
      created_at: 1790000002,
      step_details: { type: 'tool_calls', tool_calls: [call] },
    }
    const dump = {
      messages: {
        object: 'list',
        data: [message('m2', 'assistant', 'Three.', 3), message('m1', 'user', 'How many?', 0)],
      },
      runs: { object: 'list', data: [run('r2', 9), run('r1', 1)] },
      steps: { object: 'list', data: [step] },
    }
    const transcript = await read(JSON.stringify(dump))
    expect(transcript.format).toBe('assistants')
    expect(said(transcript)).toEqual([
      'user: How many?',
      'system: Mend nets.',
      'tool_call (count): {}',
      'tool_result (count): 3',
      'agent: Three.',
    ])
    expect(transcript.sessions[0]?.events.at(-1)?.model).toBe('gpt-lab')
  })

  it('[I136] an object that comes again is the newer form of itself', async () => {
    const empty = { ...message('m', 'assistant', '', 2), content: [] }
    const events = [run('r1', 1), empty, message('m', 'assistant', 'Three.', 2), run('r1', 1)]
    const transcript = await read(lines(events.map((data) => ({ event: 'x', data }))))
    expect(said(transcript)).toEqual(['system: Mend nets.', 'agent: Three.'])
  })

  it('[I137] Continue: what was attached was not typed, and a result is said once', async () => {
    const toolCall = { id: 'c', function: { name: 'listen', arguments: '{}' } }
    const output = [{ name: 'Sound', content: 'flat' }]
    const history = [
      {
        message: { role: 'user', content: 'Which?' },
        contextItems: [{ name: 'a.txt', content: 'c d' }],
      },
      {
        message: { role: 'assistant', content: '', toolCalls: [toolCall] },
        contextItems: [],
        toolCallStates: [{ toolCallId: 'c', status: 'done', toolCall, output }],
      },
      { message: { role: 'tool', content: 'flat', toolCallId: 'c' }, contextItems: output },
    ]
    const transcript = await read(
      JSON.stringify({ sessionId: 's', workspaceDirectory: '/w', history }),
    )
    expect(transcript.format).toBe('continue')
    expect(said(transcript)).toEqual([
      'injected (context-item): a.txt\nc d',
      'user: Which?',
      'tool_call (listen): {}',
      'tool_result (listen): flat',
    ])
  })

  it('[I137] Zed: results stand behind the calls of their message; a sub-agent was told', async () => {
    const use = { ToolUse: { id: 'z', name: 'look', input: { at: 1 } } }
    const outcome = {
      tool_use_id: 'z',
      tool_name: 'look',
      is_error: true,
      content: { Text: 'dark' },
    }
    const messages = [
      { User: { id: 'u', content: [{ Text: 'Look.' }] } },
      { Agent: { content: [use], tool_results: { z: outcome } } },
    ]
    const thread = { title: 'Mill', version: '0.3.0', messages }
    const plain = await read(JSON.stringify(thread))
    expect(plain.format).toBe('zed')
    expect(said(plain)).toEqual([
      'user: Look.',
      'tool_call (look): {"at":1}',
      'tool_result (look): dark',
    ])
    const context = { parent_thread_id: 'main-1' }
    const sub = await read(JSON.stringify({ ...thread, id: 's', subagent_context: context }))
    expect(said(sub)[0]).toBe('subagent_prompt: Look.')
    expect(sub.sessions[0]).toMatchObject({ thread: 's', parent: 'main-1' })
  })

  it('[I138] iFlow: a call that the next record repeats is one call', async () => {
    const use = (id: string) => ({ type: 'tool_use', id, name: 'read', input: {} })
    const record = (type: string, content: unknown) => ({
      type,
      uuid: 'u',
      sessionId: 'session-0f9c1d2e-1111-4222-8333-444455556666',
      message: { role: type, content },
    })
    const responseParts = { functionResponse: { response: { output: 'nine' } } }
    const answer = [{ type: 'tool_result', tool_use_id: 'a', content: { responseParts } }]
    const transcript = await read(
      lines([
        record('user', 'Full?'),
        record('assistant', [use('a')]),
        record('assistant', [use('a'), use('b')]),
        record('user', answer),
      ]),
    )
    expect(transcript.format).toBe('iflow')
    expect(transcript.sessions[0]?.events.map(({ callId }) => callId)).toEqual([
      null,
      'a',
      'b',
      'a',
    ])
    expect(said(transcript).at(-1)).toBe('tool_result (read): nine')
  })
})

describe('AutoGen, CrewAI, smolagents', () => {
  it('[I139] AutoGen: messages by type and source, calls and results joined', async () => {
    const message = (type: string, source: string, content: unknown) => ({ type, source, content })
    const messages = [
      message('TextMessage', 'user', 'How deep?'),
      message('ToolCallRequestEvent', 'digger', [
        { id: 'w', name: 'lower', arguments: '{"rope": 20}' },
      ]),
      message('ToolCallExecutionEvent', 'digger', [
        { call_id: 'w', name: 'lower', content: '14', is_error: false },
      ]),
      message('TextMessage', 'digger', 'Fourteen.'),
    ]
    const once = [
      'user: How deep?',
      'tool_call (lower): {"rope":20}',
      'tool_result (lower): 14',
      'agent (digger): Fourteen.',
    ]
    const whole = await read(JSON.stringify({ messages, stop_reason: null }))
    expect(whole.format).toBe('autogen')
    expect(said(whole)).toEqual(once)
    expect(said(await read(lines(messages)))).toEqual(once)
  })

  it('[I139] AutoGen: the state of a team is its thread, and a sub-agent for each context', async () => {
    const given = [
      { type: 'SystemMessage', content: 'You dig.' },
      { type: 'UserMessage', source: 'user', content: 'How deep?' },
    ]
    const thread = [{ type: 'TextMessage', source: 'user', content: 'How deep?' }]
    const states = {
      digger: { agent_state: { llm_context: { messages: given } } },
      manager: { message_thread: thread },
    }
    const { sessions } = await read(JSON.stringify({ type: 'TeamState', agent_states: states }))
    expect(sessions.map(({ thread: name }) => name)).toEqual(['main', 'digger'])
    expect(sessions[1]?.parent).toBe(sessions[0]?.id)
    expect(sessions[1]?.events.map(({ kind }) => kind)).toEqual(['system', 'subagent_prompt'])
  })

  it('[I139] AutoGen 0.2: who spoke first is the person, and what code printed is a result', async () => {
    const chat_history = [
      { role: 'assistant', name: 'user_proxy', content: 'Print it.' },
      { role: 'user', name: 'coder', content: 'print(14)' },
      {
        role: 'assistant',
        name: 'user_proxy',
        content: 'exitcode: 1 (execution failed)\nCode output: no',
      },
    ]
    const transcript = await read(JSON.stringify({ chat_history, cost: {}, summary: '' }))
    expect(transcript.format).toBe('autogen')
    expect(transcript.sessions.flatMap(plainEvents)).toMatchObject([
      { kind: 'user', text: 'Print it.' },
      { kind: 'agent', name: 'coder' },
      { kind: 'tool_result', isError: true },
    ])
  })

  it('[I139] CrewAI: a task is said once, whatever the log says of it, and under its agent', async () => {
    const entry = {
      task_name: 'count',
      task: 'Count.',
      agent: 'Counter',
      timestamp: '2026-06-02 09:00:00',
    }
    const log = [
      { ...entry, status: 'started' },
      { ...entry, status: 'completed', output: 'Ten.' },
    ]
    const transcript = await read(JSON.stringify(log))
    expect(transcript.format).toBe('crewai')
    expect(said(transcript)).toEqual(['user: Count.', 'agent (Counter): Ten.'])
    expect(transcript.sessions[0]?.startedAt).toBe(Date.parse('2026-06-02T09:00:00Z'))
  })

  it('[I139] smolagents: an error answers the call that nothing else answers', async () => {
    const call = {
      id: 'c',
      type: 'function',
      function: { name: 'python_interpreter', arguments: 'ask()' },
    }
    const step = { step_number: 1, timing: { start_time: 1780300000 }, model_output: 'I ask.' }
    const error = { type: 'AgentExecutionError', message: 'not allowed' }
    const transcript = await read(
      JSON.stringify([
        { task: 'Ask.', task_images: null },
        { ...step, tool_calls: [call], error, observations: null },
      ]),
    )
    expect(transcript.format).toBe('smolagents')
    expect(said(transcript)).toEqual([
      'user: Ask.',
      'agent: I ask.',
      'tool_call (python_interpreter): ask()',
      'tool_result (python_interpreter): not allowed',
    ])
    expect(transcript.sessions[0]?.events.at(-1)).toMatchObject({ isError: true, callId: 'c' })
  })
})
