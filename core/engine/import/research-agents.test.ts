import { describe, expect, it } from 'vitest'
import { NO_TEXTS, plainEvents } from '../schema/event.ts'
import { atif } from './atif/importer.ts'
import { makeHead } from './head.ts'
import { miniSweAgent } from './mini-swe-agent/importer.ts'
import { openaiMessages } from './openai-messages/importer.ts'
import { openhands } from './openhands/importer.ts'
import { finishSessions } from './shared/drafts.ts'
import { createLog } from './shared/import-log.ts'
import { shareGpt } from './sharegpt/importer.ts'
import type { Importer, Reader } from './source.ts'
import { sweAgent } from './swe-agent/importer.ts'
import { tauBench } from './tau-bench/importer.ts'
import { tau2Bench } from './tau2-bench/importer.ts'
import { whoAndWhen } from './who-and-when/importer.ts'

const ROWS = [
  sweAgent,
  miniSweAgent,
  openhands,
  tauBench,
  tau2Bench,
  atif,
  whoAndWhen,
  shareGpt,
  openaiMessages,
]

interface Reading {
  readonly reader: Reader
  readonly take: (value: unknown, more?: object) => void
  readonly events: () => string[][]
  readonly report: ReturnType<typeof createLog>['report']
}

function start(importer: Importer): Reading {
  const log = createLog()
  const reader = importer.read(log, NO_TEXTS)
  const ref = { offset: 0, length: 1, line: 1 }
  return {
    reader,
    take: (value, more = {}) => {
      reader.take({ value, ref, ...more })
    },
    events: () => {
      reader.tidy?.()
      return finishSessions(reader.drafts(), NO_TEXTS).map((session) =>
        plainEvents(session).map((event) => `${event.kind} ${event.text}`),
      )
    },
    report: log.report,
  }
}

const HISTORY = [
  { role: 'system', content: 'shell', agent: 'main' },
  { role: 'user', content: 'mend it', agent: 'main' },
  { role: 'assistant', content: 'x', thought: 'look', action: 'ls', agent: 'main' },
]
const TRAJECTORY = [{ action: 'ls', observation: 'a b', response: 'x', thought: 'look' }]

describe('SWE-agent', () => {
  it('[I20] [I28] the observation that no message holds comes last, and gives way when the history goes on', () => {
    const run = start(sweAgent)
    run.take({ trajectory: TRAJECTORY, info: { exit_status: 'early_exit' } }, { header: true })
    for (const message of HISTORY) run.take(message)
    const end = ['tool_result a b', 'meta early_exit']
    expect(run.events()[0]?.slice(-2)).toEqual(end)
    expect(run.events()[0]?.slice(-2)).toEqual(end)
    run.take({ role: 'user', content: 'a b', agent: 'main' })
    expect(run.events()[0]).toEqual([
      'system shell',
      'user mend it',
      'agent look',
      'tool_call ls',
      'tool_result a b',
      'meta early_exit',
    ])
  })

  it('[I5] [I20] the prompt is found behind a first step that is damaged', () => {
    const run = start(sweAgent)
    const query = [{ role: 'user', content: 'mend it' }]
    run.take({ trajectory: [{}, { ...TRAJECTORY[0], query }] })
    expect(run.events()[0]?.[0]).toBe('user mend it')
  })

  it('[I20] while no attempt was taken the last one is live, the others are branches', () => {
    const run = start(sweAgent)
    run.take({ attempts: [{ history: HISTORY }, { history: HISTORY.slice(0, 2) }] })
    const sessions = finishSessions(run.reader.drafts(), NO_TEXTS)
    expect(sessions.map(({ thread, parent, events }) => [thread, parent, events.length])).toEqual([
      ['main', null, 2],
      ['branch-1', 'session-1', 4],
    ])
  })
})

describe('[I28] looking between two records changes no count', () => {
  const closed: ReadonlyArray<readonly [string, Importer, unknown, readonly unknown[]]> = [
    [
      'tau2-bench',
      tau2Bench,
      { id: 's', task_id: 't', trial: 0, termination_reason: 'user_stop', reward_info: null },
      [
        { role: 'assistant', content: 'hello' },
        { role: 'user', content: 'my phone is dead' },
        { role: 'tool', id: 'c', content: 'on' },
      ],
    ],
    [
      'mini-swe-agent',
      miniSweAgent,
      { info: { exit_status: 'Submitted', mini_version: '1' } },
      [
        { role: 'system', content: 'shell' },
        { role: 'user', content: 'mend it' },
      ],
    ],
    ['SWE-agent', sweAgent, { info: { exit_status: 'submitted' }, trajectory: [] }, HISTORY],
  ]

  it.each(closed)('%s: what closes a session is no content', (_, importer, header, items) => {
    const looked = start(importer)
    const unseen = start(importer)
    for (const run of [looked, unseen]) run.take(header, { header: true })
    for (const item of items) {
      looked.events()
      looked.take(item)
      unseen.take(item)
    }
    expect(looked.events()).toEqual(unseen.events())
    expect(looked.report()).toEqual(unseen.report())
    expect(Object.keys(looked.report().skipped).join()).not.toContain('without content')
  })
})

describe('mini-swe-agent', () => {
  const said = (content: string): string[] => {
    const run = start(miniSweAgent)
    run.take({ info: { mini_version: '1' }, messages: [{ role: 'assistant', content }] })
    return run.events()[0] ?? []
  }
  it('[I21] one fenced block is the action, none or several are talk', () => {
    expect(said('why\n\n```bash\nls\n```\nso')).toEqual(['agent why\n\nso', 'tool_call ls'])
    expect(said('```bash\nls\n```')).toEqual(['tool_call ls'])
    expect(said('nothing to do')).toEqual(['agent nothing to do'])
    const two = '```bash\nls\n```\n```bash\npwd\n```'
    expect(said(two)).toEqual([`agent ${two}`])
    expect(said('```bash\nnever closed')).toEqual(['agent ```bash\nnever closed'])
    expect(said('```python\n1\n```')).toEqual(['agent ```python\n1\n```'])
  })

  it('[I21] fences that never close are read once', () => {
    const open = '```bash\nx'.repeat(200_000)
    expect(said(open)).toEqual([`agent ${open}`])
  })
})

describe('OpenHands', () => {
  it('[I22] 50,000 delegates within delegates cost no more than themselves', () => {
    const run = start(openhands)
    for (let id = 0; id < 50_000; id += 1)
      run.take({
        id,
        source: 'agent',
        action: 'delegate',
        args: { agent: 'A', inputs: { task: 't' } },
      })
    const sessions = finishSessions(run.reader.drafts(), NO_TEXTS)
    expect(sessions).toHaveLength(50_001)
    expect(sessions.at(-1)).toMatchObject({ thread: 'A-49999', parent: 'session-1/A-49998' })
  })

  it('[I22] files of one event each are read with the first, by their number', () => {
    const events = ['event-00010-b.json', 'event-00002-a.json', 'notes.json']
    expect(openhands.companions?.('event-00000-x.json', events)).toEqual([
      'event-00002-a.json',
      'event-00010-b.json',
    ])
    const below = [...events.map((name) => `events/${name}`), 'other.json']
    expect(openhands.companions?.('base_state.json', below)).toEqual([
      'events/event-00002-a.json',
      'events/event-00010-b.json',
    ])
    expect(openhands.companions?.('run.json', ['events/event-1-a.json'])).toEqual([])
  })
})

describe('tau2-bench', () => {
  const tick = (id: number, agent: string | null, user: string | null): object => ({
    tick_id: id,
    agent_chunk: { content: agent, contains_speech: agent !== null },
    user_chunk: { content: user, contains_speech: user !== null },
  })
  it('[I24] [I28] what is being said is shown, and said again when more of it comes', () => {
    const run = start(tau2Bench)
    run.take({ task_id: '1', trial: 0, seed: 1, termination_reason: 'user_stop' }, { header: true })
    run.take(tick(0, 'Good ', null))
    expect(run.events()).toEqual([['agent Good ', 'meta user_stop']])
    run.take(tick(1, 'day.', 'Hi.'))
    expect(run.events()).toEqual([['agent Good day.', 'user Hi.', 'meta user_stop']])
    run.take(tick(2, null, null))
    run.take(tick(3, 'Bye.', null))
    expect(run.events()).toEqual([['agent Good day.', 'user Hi.', 'agent Bye.', 'meta user_stop']])
    expect(run.report().skipped).toEqual({ 'tick without speech': 1 })
  })

  it('[I119] both at once: what begins first stands first, a call too, whenever it is looked at', () => {
    const run = start(tau2Bench)
    run.take({ task_id: '1', trial: 0 }, { header: true })
    const call = { id: 'c', name: 'look', arguments: {}, requestor: 'assistant' }
    const ticks: object[] = [
      tick(0, null, 'It '),
      tick(1, 'Mm-hm.', 'leaks.'),
      { ...tick(2, null, 'Now.'), agent_tool_calls: [call] },
      tick(3, 'Here.', null),
    ]
    const seen = ticks.map((each) => {
      run.take(each)
      return run.events()[0]
    })
    expect(seen).toEqual([
      ['user It '],
      ['user It leaks.', 'agent Mm-hm.'],
      ['user It leaks.Now.', 'agent Mm-hm.', 'tool_call {}'],
      ['user It leaks.Now.', 'agent Mm-hm.', 'tool_call {}', 'agent Here.'],
    ])
  })

  it('[I24] messages beside ticks are counted, not said twice', () => {
    const run = start(tau2Bench)
    const messages = [{ role: 'user', content: 'Hi.' }]
    run.take({ task_id: '1', trial: 0, messages, ticks: [tick(0, null, 'Hi.')] })
    expect(run.events()).toEqual([['user Hi.']])
    expect(run.report().skipped['ticks said twice']).toBe(1)
  })
})

describe('ATIF', () => {
  const first = {
    schema_version: 'ATIF-v1.7',
    session_id: 's',
    continued_trajectory_ref: 'x.cont-1.json',
    steps: [{ step_id: 1, source: 'user', message: 'sort' }],
  }
  const next = {
    schema_version: 'ATIF-v1.7',
    session_id: 's',
    steps: [
      { step_id: 1, source: 'user', message: 'sort', is_copied_context: true },
      { step_id: 2, source: 'agent', message: 'done' },
    ],
  }
  it('[I25] a file that goes on with a trajectory is the same session; alone, another', () => {
    const run = start(atif)
    run.take(first)
    run.take(next)
    expect(run.events()).toEqual([['user sort', 'injected sort', 'agent done']])
    const other = start(atif)
    other.take(next)
    other.take({ ...next, session_id: 't' })
    expect(other.events()).toHaveLength(2)
  })

  it('[I25] files beside a trajectory: what goes on with it by number, then the others', () => {
    const neighbours = [
      'a.cont-10.json',
      'a.cont-2.json',
      'a.summary.json',
      'a.json',
      'b.cont-1.json',
    ]
    expect(atif.companions?.('a.json', neighbours)).toEqual([
      'a.cont-2.json',
      'a.cont-10.json',
      'a.summary.json',
    ])
  })

  it('[I25] sub-agents deeper than anyone nests them are counted', () => {
    let nested: object = { ...next, session_id: 'deepest' }
    for (let depth = 0; depth < 2000; depth += 1)
      nested = { ...next, session_id: `d${depth}`, subagent_trajectories: [nested] }
    const run = start(atif)
    run.take(nested)
    expect(run.events()).toHaveLength(17)
    expect(run.report().skipped).toEqual({ subagent_trajectory: 1 })
  })
})

describe('Who&When', () => {
  it('[I26] a label behind the last message stands at the end', () => {
    const run = start(whoAndWhen)
    const history = [{ role: 'human', content: 'q' }]
    run.take({ history, mistake_step: '7', mistake_agent: 'A', mistake_reason: 'r' })
    expect(run.events()).toEqual([['user q', 'meta step 7, A: r']])
  })
})

describe('OpenAI messages', () => {
  it('[I29] the rejected answer is a branch without what both answers share', () => {
    const run = start(openaiMessages)
    const asked = { role: 'user', content: 'q' }
    const answer = (content: string): object => ({ role: 'assistant', content })
    run.take({ chosen: [asked, answer('yes')], rejected: [asked, answer('no')] })
    expect(run.events()).toEqual([['user q', 'agent yes'], ['agent no']])
  })
})

describe('files whose beginning is longer than the head', () => {
  const long = 'x'.repeat(100_000)
  const step = { action: long, observation: 'o', response: 'r' }
  const info = { exit_status: 'Submitted', submission: long, mini_version: '1' }
  const event = { id: 0, timestamp: '2025-01-01T00:00:00.1', source: 'agent', message: long }
  const cases: Readonly<Record<string, readonly [Importer, unknown]>> = {
    'a first action': [sweAgent, { environment: 'e', trajectory: [step], history: [] }],
    'a submission': [miniSweAgent, { info, messages: [] }],
    'a system prompt': [openhands, [{ ...event, action: 'system' }]],
    'a patch': [openhands, { instance_id: 'i', test_result: { git_patch: long }, history: [] }],
    'a crashed run': [tauBench, [{ task_id: 1, info: { task: { actions: [] }, error: long } }]],
    tasks: [tau2Bench, { info: {}, tasks: [{ user_scenario: {}, x: long }], simulations: [] }],
    'a first message': [
      atif,
      { schema_version: 'ATIF-v1.0', steps: [{ step_id: 1, message: long }] },
    ],
  }
  it.each(Object.entries(cases))('[I1] %s', (_name, [row, value]) => {
    const head = makeHead(JSON.stringify(value, null, 1).slice(0, 65_536), false)
    expect(ROWS.filter((each) => each.detect(head))).toEqual([row])
  })
})

describe('hostile records', () => {
  const values: readonly unknown[] = [
    null,
    1,
    'text',
    true,
    [],
    {},
    [[]],
    [null],
    { role: 5 },
    { role: '__proto__', content: 1 },
    { role: 'constructor', content: [null, { type: 'toString' }] },
    {
      role: 'assistant',
      tool_calls: [null, 1, { function: 'x' }],
      content: { type: 'hasOwnProperty' },
    },
    { messages: [null, 'x', { role: 'user' }] },
    { history: [null, [null], 'x', { role: 'user', content: null }], trajectory: [null, 5] },
    { traj: [null, { role: 'user' }], info: 5 },
    { simulations: [null, { ticks: [null, { tick_id: null, agent_chunk: 5 }] }] },
    {
      task_id: 1,
      trial: 1,
      ticks: [{ tick_id: 1, agent_tool_calls: [null], user_tool_results: [5] }],
    },
    { steps: [null, { source: 'agent', tool_calls: [null], observation: { results: [null, 5] } }] },
    { subagent_trajectories: [null, { steps: [] }], steps: [] },
    { conversations: [null, { from: '__proto__', value: {} }], chosen: 5, rejected: [] },
    { action: 'constructor', args: null, id: {}, source: 'agent' },
    { observation: '__proto__', extras: 5, cause: {} },
    { kind: 'ActionEvent', id: 'x', tool_call: 5, action: 5, thought: 5 },
    { attempts: [null, { history: [5] }, { trajectory: [null] }], info: { best_attempt_idx: 'x' } },
    { choices: [null], output: [null], input: 5, body: { messages: [] }, response: { body: 5 } },
    JSON.parse('{"__proto__": {"role": "user"}, "messages": [{"__proto__": 1}]}'),
  ]
  it.each(ROWS.map((row) => [row.name, row] as const))(
    '[I5] %s throws on none of them, whatever came before, and looks at them without throwing',
    (_name, row) => {
      for (const value of values) {
        expect(() =>
          row.detect({ layout: 'lines', text: '', values: [value], objects: [] }),
        ).not.toThrow()
      }
      const run = start(row)
      for (const value of values) {
        run.take(value)
        run.take(value, { header: true })
        run.events()
      }
      expect(run.report().problemTotal).toBeGreaterThan(0)
    },
  )
})
