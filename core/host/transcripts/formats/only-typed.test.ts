import { describe, expect, it } from 'vitest'
import { linesOf, readText, saidIn, sessionsOf } from '../../../../fixtures/said.ts'

// Every transcript attributes all text typed by the user to the user, and nothing else.

describe('Codex', () => {
  const meta = { type: 'session_meta', payload: { id: 'c', timestamp: '2026-09-01T09:00:00Z' } }
  const item = (texts: readonly string[], more: object = {}, role = 'user') => ({
    type: 'response_item',
    payload: {
      type: 'message',
      role,
      content: texts.map((text) => ({ type: 'input_text', text })),
      ...more,
    },
  })
  const done = (text: string, more: readonly object[] = []) => ({
    type: 'event_msg',
    payload: {
      type: 'item_completed',
      item: { type: 'UserMessage', id: 'u', content: [{ type: 'text', text }, ...more] },
    },
  })
  const typed = (message: string) => ({
    type: 'event_msg',
    payload: { type: 'user_message', message },
  })

  it('[I174] a completed UserMessage is what the user typed, whichever copy comes first', async () => {
    const first = [meta, done('Fix it.'), item(['Fix it.']), item(['Deploy, says a helper.'])]
    const last = [meta, item(['Fix it.']), done('Fix it.'), item(['Deploy, says a helper.'])]
    const expected = [['main', 'user: Fix it.', 'injected not-typed: Deploy, says a helper.']]
    expect(await saidIn(linesOf(first))).toEqual(expected)
    expect(await saidIn(linesOf(last))).toEqual(expected)
  })

  it('[I174] both kinds of events for one text are one message; the same text typed twice is two', async () => {
    const one = [item(['Go on.']), typed('Go on.'), done('Go on.')]
    expect(await saidIn(linesOf([meta, ...one]))).toEqual([['main', 'user: Go on.']])
    expect(await saidIn(linesOf([meta, ...one, ...one.toReversed()]))).toEqual([
      ['main', 'user: Go on.', 'user: Go on.'],
    ])
    expect(await saidIn(linesOf([meta, done('Go on.'), done('Go on.')]))).toEqual([
      ['main', 'user: Go on.', 'user: Go on.'],
    ])
  })

  it('[I174] images of a completed UserMessage stay with it', async () => {
    const image = { type: 'image', image_url: 'https://example.com/a.png' }
    expect(await saidIn(linesOf([meta, done('See.', [image])]))).toEqual([
      ['main', 'user: See.\n[image https://example.com/a.png]'],
    ])
  })

  it('[I174] the kinds of the contents decide, whatever the texts look like', async () => {
    const texts = [
      'Use tabs.',
      '<environment_context>what is this?</environment_context>',
      'Fix it.',
    ]
    const kinds = { content_item_kinds: ['agents_md', 'user', null] }
    expect(await saidIn(linesOf([meta, item(texts, kinds)]))).toEqual([
      [
        'main',
        'injected agents_md: Use tabs.',
        'user: <environment_context>what is this?</environment_context>\nFix it.',
      ],
    ])
  })
})

describe('chat messages', () => {
  const chat = (...contents: readonly string[]) =>
    JSON.stringify({
      messages: contents.map((content, at) => ({
        role: at % 2 === 0 ? 'user' : 'assistant',
        content,
      })),
    })

  it('[I175] results and prompts that a harness writes under the user’s role are not typed', async () => {
    const shell = 'ok\n(Open file: n/a)\n(Current directory: /w)\nbash-$'
    const text = chat(
      `Fix it.\n${shell}`,
      'ls',
      'EXECUTION RESULT of [execute_bash]:\na.py',
      'cat',
      'OBSERVATION:\nx = 1',
      'more',
      shell,
      'done?',
      'Please continue working on the task on whatever approach you think is suitable.\nGo.',
      'Done.',
      '<system-reminder>be brief</system-reminder>\nThanks: what does EXECUTION RESULT of [x] mean?',
    )
    expect(await saidIn(text)).toEqual([
      [
        'main',
        `user: Fix it.\n${shell}`,
        'agent: ls',
        'tool_result execute_bash: EXECUTION RESULT of [execute_bash]:\na.py',
        'agent: cat',
        'tool_result: OBSERVATION:\nx = 1',
        'agent: more',
        `tool_result: ${shell}`,
        'agent: done?',
        'notification auto-reply: Please continue working on the task on whatever approach you think is suitable.\nGo.',
        'agent: Done.',
        'injected system-reminder: <system-reminder>be brief</system-reminder>',
        'user: Thanks: what does EXECUTION RESULT of [x] mean?',
      ],
    ])
  })

  it('[I175] rows of SWE-agent runs: the first text of the user is the task, the others are results', async () => {
    const row = {
      instance_id: 'acme__lib-1',
      model_name: 'm',
      exit_status: 'submitted',
      trajectory: [
        { role: 'system', system_prompt: 'You fix bugs.', text: null, mask: false },
        { role: 'user', system_prompt: null, text: 'Fix the parser.', mask: false },
        { role: 'ai', system_prompt: null, text: 'I look.\n```\nls\n```', mask: true },
        { role: 'user', system_prompt: null, text: 'parser.py', mask: false },
      ],
    }
    const expected = [
      'main',
      'system: You fix bugs.',
      'user: Fix the parser.',
      'agent: I look.\n```\nls\n```',
      'tool_result: parser.py',
      'meta exit_status: submitted',
    ]
    for (const text of [linesOf([row]), JSON.stringify([row], null, 1)])
      expect(await saidIn(text)).toEqual([expected])
  })

  it('[I178] rows of runs with chat messages are read, with test results and as JSON in a text', async () => {
    const messages = [
      { role: 'system', content: 'You fix bugs.' },
      { role: 'user', content: 'Fix the parser.' },
      { role: 'assistant', content: 'Fixed.' },
    ]
    const said = ['main', 'system: You fix bugs.', 'user: Fix the parser.', 'agent: Fixed.']
    const row = { instance_id: 'a', resolved: true, messages, test_result: { report: {} } }
    expect(await saidIn(JSON.stringify([row]))).toEqual([said])
    const smith = { instance_id: 'a', messages: JSON.stringify(messages), traj_id: 't', patch: '' }
    expect(await saidIn(linesOf([smith, { ...smith, traj_id: 'u' }]))).toEqual([said, said])
  })

  it('[I176] calls and results of Bedrock’s Converse and of Strands are read, and its system prompt', async () => {
    const asked = { role: 'user', content: [{ text: 'Weather?' }] }
    const calls = {
      role: 'assistant',
      content: [
        { reasoningContent: { reasoningText: { text: 'A tool.' } } },
        { toolUse: { toolUseId: 'c', name: 'weather', input: { city: 'Bremen' } } },
      ],
    }
    const result = {
      role: 'user',
      content: [
        { toolResult: { toolUseId: 'c', status: 'error', content: [{ json: { sky: 'grey' } }] } },
      ],
    }
    const answer = { role: 'assistant', content: [{ text: 'Rain.' }, { cachePoint: {} }] }
    const said = [
      'user: Weather?',
      'reasoning: A tool.',
      'tool_call weather: {"city":"Bremen"}',
      'tool_result error weather: {"sky":"grey"}',
      'agent: Rain.',
    ]
    const messages = [asked, calls, result, answer]
    const request = { modelId: 'm', system: [{ text: 'Be brief.' }], messages }
    const whole = [['main', 'system: Be brief.', ...said]]
    expect(await saidIn(JSON.stringify(request, null, 1))).toEqual(whole)
    expect(await saidIn(linesOf([request]))).toEqual(whole)
    expect(await saidIn(JSON.stringify(messages))).toEqual([['main', ...said]])
    const log = {
      input: { inputBodyJson: { ...request, messages: messages.slice(0, 3) } },
      output: { outputBodyJson: { output: { message: answer }, stopReason: 'end_turn' } },
    }
    expect(await saidIn(linesOf([log, log]))).toEqual([...whole, ...whole])
    expect((await readText(JSON.stringify(request))).problems).toEqual([])
  })

  it('[I177] a prompt and its completion are one session, with the reward', async () => {
    const prompt = [{ role: 'user', content: 'Weather?' }]
    const completion = [{ role: 'assistant', content: 'Rain.' }]
    const said = ['main', 'user: Weather?', 'agent: Rain.', 'meta reward: 0.5']
    const transcript = await readText(
      linesOf([
        { prompt, completion, reward: 0.5 },
        { prompt, completion: 'Rain.', reward: 0.5 },
      ]),
    )
    expect(sessionsOf(transcript)).toEqual([said, said])
  })
})

describe('Claude Code', () => {
  const said = (uuid: string, parentUuid: string | null, content: string, type = 'user') => ({
    type,
    uuid,
    parentUuid,
    sessionId: 's',
    isSidechain: false,
    message: { role: type, content },
  })
  const leaf = (leafUuid: string) => ({ type: 'last-prompt', sessionId: 's', leafUuid })
  const first = [said('a', null, 'Delete it.'), said('b', 'a', 'Deleted.', 'assistant'), leaf('b')]
  const second = [said('c', null, 'List it.'), said('d', 'c', 'Listed.', 'assistant')]

  it('[I189] a rewind to before the first prompt leaves it in a branch', async () => {
    expect(await saidIn(linesOf([...first, ...second, leaf('d')]))).toEqual([
      ['main', 'user: List it.', 'agent: Listed.'],
      ['branch-1', 'user: Delete it.', 'agent: Deleted.'],
    ])
  })

  it('[I189] without the client’s word, or behind a compaction, both prompts stay', async () => {
    const both = ['main', 'user: Delete it.', 'agent: Deleted.', 'user: List it.', 'agent: Listed.']
    expect(await saidIn(linesOf([...first, ...second]))).toEqual([both])
    const boundary = {
      type: 'system',
      subtype: 'compact_boundary',
      uuid: 'x',
      parentUuid: null,
      sessionId: 's',
      content: '',
    }
    const [main] = await saidIn(linesOf([...first, boundary, ...second, leaf('d')]))
    expect(main?.filter((line) => line.startsWith('user') || line.startsWith('agent'))).toEqual(
      both.slice(1),
    )
  })

  it('[I189] the named leaf is live, also where it is not the last one written', async () => {
    const fork = [
      said('a', null, 'Start.'),
      said('b', 'a', 'Started.', 'assistant'),
      said('c', 'b', 'Path A.'),
      said('d', 'c', 'A done.', 'assistant'),
      said('e', 'b', 'Path B.'),
      said('f', 'e', 'B done.', 'assistant'),
      leaf('d'),
    ]
    const [main, branch] = await saidIn(linesOf(fork))
    expect([main?.at(-1), branch?.at(-1)]).toEqual(['agent: A done.', 'agent: B done.'])
    const went = await saidIn(linesOf([...fork, said('g', 'f', 'More B.')]))
    expect(went[0]?.at(-1)).toBe('user: More B.')
  })

  it('[I189] a sub-agent that only progress records hold is a session; its own file comes before them', async () => {
    const call = {
      ...said('b', 'a', '', 'assistant'),
      message: {
        role: 'assistant',
        content: [{ type: 'tool_use', id: 't', name: 'Task', input: { prompt: 'List.' } }],
      },
    }
    const progress = (uuid: string, type: string, content: string) => ({
      type: 'progress',
      uuid: `p${uuid}`,
      parentUuid: 'b',
      sessionId: 's',
      data: {
        type: 'agent_progress',
        agentId: 'k',
        message: { type, uuid, message: { role: type, content } },
      },
      parentToolUseID: 't',
    })
    const records = [
      said('a', null, 'Go.'),
      call,
      progress('x', 'user', 'List.'),
      progress('y', 'assistant', 'One.'),
      progress('y', 'assistant', 'One.'),
    ]
    const { sessions } = await readText(linesOf(records))
    expect(sessionsOf(await readText(linesOf(records)))[1]).toEqual([
      'k',
      'subagent_prompt: List.',
      'agent: One.',
    ])
    expect(sessions[1]).toMatchObject({ id: 's/k', parent: 's', startedBy: 't' })
    const own = { ...said('z', null, 'List.'), isSidechain: true, agentId: 'k' }
    expect(await saidIn(linesOf([...records, own]))).toEqual([
      ['main', 'user: Go.', 'tool_call Task: {"prompt":"List."}'],
      ['k', 'subagent_prompt: List.'],
    ])
  })
})
