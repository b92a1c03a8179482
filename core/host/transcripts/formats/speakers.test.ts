import { describe, expect, it } from 'vitest'
import { isModelName, isProgramName } from '../../../engine/import/shared/speakers.ts'
import { linesOf, readText, saidIn } from '../../../../fixtures/said.ts'

describe('names of models', () => {
  it.each([
    'gpt-4o',
    'GPT-4',
    'o1-mini',
    'Claude',
    'Claude 3.5 Sonnet',
    'claude-sonnet-4',
    'DeepSeek',
    'Grok',
    'Qwen',
    'Mistral',
    'llama3:8b',
    'openai/gpt-4o',
    'us.anthropic.claude-3-haiku',
    'Gemini 2.5 Pro',
    'meta-llama/Llama-3.1-8B-Instruct',
    'qwen2.5-coder:7b',
    'phi-4',
  ])('[I182] %s is a model', (name) => {
    expect(isModelName(name)).toBe(true)
  })

  it.each(['support_bot', 'agent_1', 'Meta AI', 'Shop Assistant', 'AI helper'])(
    '[I182] %s is a program',
    (name) => {
      expect([isModelName(name), isProgramName(name)]).toEqual([false, true])
    },
  )

  it.each(['Claude Dubois', 'Ada', 'Nova', 'Ai Weiwei', 'Abbot', 'Phi Nguyen', 'Bardia', 'Solar'])(
    '[I182] %s is a person',
    (name) => {
      expect(isProgramName(name)).toBe(false)
    },
  )

  it('[I182] names of models are the agent in loose lists, text, ShareGPT and WhatsApp', async () => {
    const said = [['main', 'user: Rain?', 'agent: Yes.']]
    const loose = {
      messages: [
        { sender: 'me', text: 'Rain?' },
        { sender: 'x/qwen-2', text: 'Yes.' },
      ],
    }
    expect(await saidIn(JSON.stringify(loose))).toEqual(said)
    const flagged = [
      { sender: 'Ada', text: 'Rain?', is_user: true },
      { sender: 'Eve', text: 'Yes.', is_user: false },
    ]
    expect(await saidIn(JSON.stringify({ messages: flagged }))).toMatchObject([
      ['main', 'user: Rain?', 'agent: Yes.'],
    ])
    expect(await saidIn('User: Rain?\n\nGPT-4o-mini: Yes.\n')).toEqual(said)
    const turns = [
      { from: 'human', value: 'Rain?' },
      { from: 'gpt-4o', value: 'Yes.' },
    ]
    expect(await saidIn(JSON.stringify({ conversations: turns }))).toEqual(said)
  })
})

describe('WhatsApp', () => {
  it('[I179] what WhatsApp says is not a person’s, and what was typed is kept word for word', async () => {
    const mark = '\u200e'
    const text = [
      `[28/04/23, 11:02:30] Group: ${mark}Messages are encrypted.`,
      '[28/04/23, 11:04:30] Ada: is it green?  ',
      '  two blanks before',
      `${mark}[28/04/23, 11:05:30] Ben: ${mark}image omitted`,
      `[28/04/23, 11:06:30] Ben: never mind ${mark}<This message was edited>`,
      '[28/04/23, 11:07:30] Ada: <Media omitted>',
      '[28/04/23, 11:08:30] Ada: what does <Media omitted> mean? And <div class="a">?',
    ].join('\n')
    expect(await saidIn(text)).toEqual([
      [
        'main',
        'notification chat notice: Group: Messages are encrypted.',
        'user Ada: is it green?  \n  two blanks before',
        'notification chat notice: Ben: image omitted',
        'user Ben: never mind',
        'notification chat notice: Ben: <This message was edited>',
        'notification chat notice: Ada: <Media omitted>',
        'user Ada: what does <Media omitted> mean? And <div class="a">?',
      ],
    ])
  })
})

describe('Claude Code console copies', () => {
  it('[I180] quoted lines are no turns: typed texts stand behind a blank line', async () => {
    const text = [
      '> read the notes',
      '',
      '⏺ They say:',
      '> first quoted',
      '  and more',
      '',
      '> second quoted',
      '> third quoted',
      '',
      '> thanks, and this:',
      '> my own quotation',
    ].join('\n')
    expect(await saidIn(text)).toEqual([
      [
        'main',
        'user: read the notes',
        'agent: They say:\n> first quoted\nand more',
        'agent: > second quoted\n> third quoted',
        'agent: > thanks, and this:\n> my own quotation',
      ],
    ])
  })
})

describe('Cursor', () => {
  it('[I181] text behind a nested tag is typed too', async () => {
    const text = [
      '<timestamp>now</timestamp>\n<user_query>\nwhy does </user_query> end it?\nIt should not.\n</user_query>',
      '<user_query>a</user_query>\n<system_reminder>r</system_reminder>',
    ]
    const records = text.map((one) => ({
      role: 'user',
      message: { content: [{ type: 'text', text: one }] },
    }))
    expect(await saidIn(linesOf(records))).toEqual([
      [
        'main',
        'injected context: <timestamp>now</timestamp>',
        'user: why does </user_query> end it?\nIt should not.',
        'user: a',
        'injected context: <system_reminder>r</system_reminder>',
      ],
    ])
  })
})

describe('LibreChat', () => {
  const message = (id: string, parent: string | null, text: string, isUser: boolean) => ({
    messageId: id,
    parentMessageId: parent ?? '00000000-0000-0000-0000-000000000000',
    text,
    sender: isUser ? 'User' : 'Eve',
    isCreatedByUser: isUser,
  })
  const around = { conversationId: 'l', title: 'Weather' }

  it('[I183] nested and flat messages are one tree: the last path is live', async () => {
    const call = {
      type: 'tool_call',
      tool_call: { id: 'c', name: 'sky', args: '{"at":1}', output: 'grey' },
    }
    const answer = {
      ...message('b', 'a', '', false),
      content: [{ type: 'think', think: 'hm' }, call, { type: 'text', text: { value: 'Rain.' } }],
    }
    const edited = message('c', null, 'Snow?', true)
    const flat = { ...around, messages: [message('a', null, 'Rain?', true), answer, edited] }
    const nested = {
      ...around,
      messages: [{ ...message('a', null, 'Rain?', true), children: [answer] }, edited],
    }
    const expected = [
      ['main', 'user: Snow?'],
      [
        'branch-1',
        'user: Rain?',
        'reasoning: hm',
        'tool_call sky: {"at":1}',
        'tool_result sky: grey',
        'agent: Rain.',
      ],
    ]
    expect(await saidIn(JSON.stringify(flat))).toEqual(expected)
    expect(await saidIn(JSON.stringify([nested]))).toEqual(expected)
  })

  it('[I183] a deep tree does not exhaust the stack', async () => {
    let text = '{"messageId":"m","sender":"User","text":"x","children":[]}'
    for (let at = 0; at < 1500; at += 1)
      text = `{"messageId":"m${at}","sender":"User","text":"x","children":[${text}]}`
    const { sessions } = await readText(`{"conversationId":"l","messages":[${text}]}`)
    expect(sessions[0]?.events).toHaveLength(1501)
  })
})

describe('A2A', () => {
  const message = (id: string, role: string, text: string) => ({
    kind: 'message',
    messageId: id,
    role,
    parts: [{ kind: 'text', text }],
  })

  it('[I184] tasks, updates and messages of one context are one session', async () => {
    const history = [message('1', 'user', 'Rain?'), message('2', 'agent', 'Yes.')]
    const artifacts = [
      { artifactId: 'a', parts: [{ kind: 'text', text: 'Yes.' }] },
      { artifactId: 'b', parts: [{ kind: 'data', data: { mm: 3 } }] },
    ]
    const task = {
      id: 't',
      contextId: 'c',
      kind: 'task',
      history,
      artifacts,
      status: { state: 'completed', message: history[1] },
    }
    const said = [['main', 'user: Rain?', 'agent: Yes.', 'agent: {"mm":3}']]
    expect(await saidIn(JSON.stringify(task, null, 1))).toEqual(said)
    expect(await saidIn(JSON.stringify({ jsonrpc: '2.0', id: 1, result: task }))).toEqual(said)
    const update = {
      kind: 'status-update',
      taskId: 't',
      contextId: 'c',
      status: { state: 'failed' },
    }
    expect(await saidIn(linesOf([task, update]))).toEqual([
      [...(said[0] ?? []), 'system error state: failed'],
    ])
  })
})

describe('OpenAI Agents SDK', () => {
  it('[I185] the spans of a trace are one session', async () => {
    const span = (id: string, at: number, data: object) => ({
      object: 'trace.span',
      id,
      trace_id: 't',
      parent_id: null,
      error: null,
      started_at: `2026-01-01T00:00:0${at}+00:00`,
      ended_at: `2026-01-01T00:00:0${at + 1}+00:00`,
      span_data: data,
    })
    const asked = { role: 'user', content: 'Rain?' }
    const call = {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c', type: 'function', function: { name: 'sky', arguments: '{}' } }],
    }
    const result = { role: 'tool', tool_call_id: 'c', content: 'grey' }
    const spans = [
      { object: 'trace', id: 't', workflow_name: 'w' },
      span('1', 0, { type: 'generation', model: 'm', input: [asked], output: [call] }),
      span('2', 1, { type: 'function', name: 'sky', input: '{}', output: 'grey' }),
      span('3', 2, {
        type: 'generation',
        model: 'm',
        input: [asked, call, result],
        output: [{ role: 'assistant', content: 'Yes.' }],
      }),
    ]
    const said = [
      ['main', 'user: Rain?', 'tool_call sky: {}', 'tool_result sky: grey', 'agent: Yes.'],
    ]
    expect(await saidIn(JSON.stringify({ data: spans }, null, 1))).toEqual(said)
    expect(await saidIn(linesOf(spans))).toEqual(said)
  })
})

describe('other formats', () => {
  it('[I186] a line that is no message does not end a session of loose messages', async () => {
    const user = { type: 'message', role: 'user', text: 'Rain?' }
    const agent = { type: 'message', role: 'assistant', text: 'Yes.' }
    const title = { type: 'title', title: 'Weather' }
    const transcript = await readText(linesOf([user, title, agent, title, user]))
    expect(transcript.sessions.map(({ events }) => events.length)).toEqual([4])
    expect(transcript.problemTotal).toBe(2)
  })

  it('[I187] OpenCode’s tool for bad calls is an error under the name that the model gave', async () => {
    const part = {
      id: 'p',
      sessionID: 's',
      messageID: 'm',
      type: 'tool',
      tool: 'invalid',
      callID: 'c',
      state: {
        status: 'completed',
        input: { tool: 'fill', error: 'no' },
        output: 'bad',
        title: '',
      },
    }
    const info = { id: 'm', role: 'assistant', sessionID: 's', time: { created: 1780000000000 } }
    const session = { id: 's', directory: '/w', time: { created: 1780000000000 } }
    const text = JSON.stringify({ info: session, messages: [{ info, parts: [part] }] })
    expect(await saidIn(text)).toEqual([
      ['main', 'tool_call fill: {"tool":"fill","error":"no"}', 'tool_result error fill: bad'],
    ])
  })

  it('[I188] SpecStory 2 for Cursor: an empty copy of a tool is left out, parameters are the call', async () => {
    const tool = (name: string, lines: readonly string[]) => [
      `<tool-use data-tool-type="x" data-tool-name="${name}">`,
      '<details>',
      `<summary>Tool use: **${name}**</summary>`,
      '',
      ...lines,
      '',
      '</details>',
      '</tool-use>',
      '',
    ]
    const empty = (name: string) => [
      `<tool-use data-tool-type="x" data-tool-name="${name}"><details>`,
      `<summary>Tool use: **${name}**</summary>`,
      '',
      '</details></tool-use>',
      '',
    ]
    const text = [
      '<!-- Generated by SpecStory, Markdown v2.1.0 -->',
      '',
      '_**User**_',
      '',
      'look',
      '',
      '---',
      '',
      '_**Agent (m)**_',
      '',
      ...tool('search', ['Parameters:', '', '```json', '{"a":1}', '```', 'Status: **completed**']),
      ...empty('search'),
      ...tool('list', ['Parameters:', '', '```json', '{"b":2}', '```']),
      ...empty('list'),
      ...empty('ping'),
    ].join('\n')
    expect(await saidIn(text)).toEqual([
      [
        'main',
        'user: look',
        'tool_call search: {"a":1}',
        'tool_result search: Status: **completed**',
        'tool_call list: {"b":2}',
        'tool_call ping: ',
      ],
    ])
  })
})
