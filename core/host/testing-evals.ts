import type { ZipMember } from './testing-zip.ts'

/** What the `.eval` files of fixtures/import/inspect hold; archive-fixtures.test.ts writes those that are missing. */
type Members = Readonly<Record<string, unknown>>

const spec = {
  run_id: 'run2',
  created: '2026-02-02T09:00:00+00:00',
  task: 'ponds',
  dataset: { name: 'ponds', samples: 2 },
  model: 'acme/grow-2',
}

const question = { id: 'a', role: 'user', source: 'input', content: 'How deep is the pond?' }
const asks = {
  id: 'b',
  role: 'assistant',
  source: 'generate',
  content: 'I measure it.',
  tool_calls: [{ id: 'p1', function: 'measure', arguments: { what: 'pond' }, type: 'function' }],
}
const measured = { id: 'c', role: 'tool', tool_call_id: 'p1', function: 'measure', content: '2 m' }
const answer = { id: 'd', role: 'assistant', source: 'generate', content: 'Two metres.' }

function at(second: number): string {
  return `2026-02-02T09:00:0${second}.000000+00:00`
}

function output(message: object): object {
  return { model: 'grow-2', choices: [{ message, stop_reason: 'stop' }] }
}

function model(second: number, refs: readonly number[][], message: object): object {
  const event = { event: 'model', timestamp: at(second), model: 'acme/grow-2', input: [] }
  return { ...event, input_refs: refs, output: output(message), completed: at(second + 1) }
}

const events = [
  model(1, [[0, 1]], asks),
  {
    event: 'tool',
    timestamp: at(3),
    id: 'p1',
    function: 'measure',
    arguments: {},
    result: '2 m',
    completed: at(4),
  },
  model(5, [[0, 3]], answer),
]

const scores = { match: { value: 'C', answer: 'Two metres.', explanation: 'right' } }

/** One member a sample; the message pool is in it. */
const pooled: Members = {
  '_journal/start.json': { version: 3, eval: spec, plan: {} },
  'samples/pond_epoch_1.json': {
    id: 'pond',
    epoch: 1,
    input: 'How deep is the pond?',
    target: '2',
    messages: [question, asks, measured, answer],
    scores,
    events,
    message_pool: [question, asks, measured, answer],
    attachments: {},
  },
  '_journal/summaries/1.json': [{ id: 'pond', epoch: 1 }],
  'summaries.json': [{ id: 'pond', epoch: 1 }],
  'header.json': { version: 3, status: 'success', eval: spec, plan: {}, results: {} },
}

/** Still running: no header, and no final messages, so the events tell. */
const running: Members = {
  '_journal/start.json': { version: 3, eval: spec, plan: {} },
  'samples/pond_epoch_2.json': {
    id: 'pond',
    epoch: 2,
    input: 'How deep is the pond?',
    target: '2',
    messages: [],
    events,
    events_data: { messages: [question, asks, measured, answer], calls: [] },
    attachments: {},
  },
}

const folder = 'samples/pond_epoch_1'

/** A sample in parts; parts are out of order in the archive, and attachments have numbers. */
const chunked: Members = {
  'header.json': { version: 3, status: 'success', eval: spec, plan: {}, results: {} },
  [`${folder}/events/0.json`]: events.slice(0, 2),
  [`${folder}/events/2.json`]: events.slice(2),
  [`${folder}/events/stats.json`]: { version: 1 },
  [`${folder}/messages/0.json`]: [{ ...question, content: 'attachment://1' }, asks],
  [`${folder}/messages/2.json`]: [measured, answer],
  [`${folder}/calls/0.json`]: [{ role: 'user', content: 'attachment://1' }],
  [`${folder}/attachments/0.json`]: ['unused'],
  [`${folder}/attachments/1.json`]: ['How deep is the pond?'],
  [`${folder}/sample.json`]: {
    id: 'pond',
    epoch: 1,
    input: 'attachment://1',
    target: '2',
    scores,
    message_refs: [[0, 4]],
  },
  'samples/pond_epoch_2.json': {
    id: 'pond',
    epoch: 2,
    input: 'x',
    target: '',
    messages: [question],
  },
}

function zipped(members: Members, method: number): readonly ZipMember[] {
  return Object.entries(members).map(([name, value]) => ({
    name,
    data: JSON.stringify(value),
    method,
  }))
}

/** Name of the file to what it holds. One has a member that is not JSON and one that leads out. */
export const EVALS: Readonly<Record<string, readonly ZipMember[]>> = {
  'pooled.eval': zipped(pooled, 8),
  'running.eval': zipped(running, 93),
  'chunked.eval': zipped(chunked, 93),
  'damaged.eval': [
    ...zipped(pooled, 8),
    { name: 'samples/torn_epoch_1.json', data: '{"id":"torn","epoch":1,"inp' },
    { name: 'samples/wrong_epoch_1.json', data: '{}', crc: 1 },
    { name: '../samples/out_epoch_1.json', data: '{}' },
  ],
}
