import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { vetMessage, vettedInput } from './messages.ts'

const line = (message: object) => JSON.stringify({ jsonrpc: '2.0', ...message })

test.each([
  ['bad JSON', 'not json', null, -32700],
  ['an empty batch', '[]', null, -32600],
  ['a batch', `[${line({ id: 1, method: 'ping' })}]`, null, -32600],
  ['a number', '7', null, -32600],
  ['null', 'null', null, -32600],
  ['no version', '{"id":1,"method":"ping"}', 1, -32600],
  ['no method', line({ id: 'a' }), 'a', -32600],
  ['a method that is no string', line({ id: 2, method: 3 }), 2, -32600],
  ['an id that is null', line({ id: null, method: 'ping' }), null, -32600],
  ['an id that is an object', line({ id: {}, method: 'ping' }), null, -32600],
  ['an id that is a fraction', line({ id: 1.5, method: 'ping' }), null, -32600],
  ['params as a list', line({ id: 3, method: 'tools/list', params: [] }), 3, -32602],
  ['params as a text', line({ id: 3, method: 'any', params: 'x' }), 3, -32602],
  ['initialize without params', line({ id: 4, method: 'initialize', params: null }), 4, -32602],
  [
    'initialize without protocolVersion',
    line({
      id: 4,
      method: 'initialize',
      params: { capabilities: {}, clientInfo: { name: 'x', version: '1' } },
    }),
    4,
    -32602,
  ],
  ['a call without a name', line({ id: 5, method: 'tools/call', params: {} }), 5, -32602],
  [
    'arguments as a list',
    line({ id: 6, method: 'tools/call', params: { name: 'x', arguments: [] } }),
    6,
    -32602,
  ],
  ['a resource without a URI', line({ id: 7, method: 'resources/read', params: null }), 7, -32602],
])('[F201] %s is answered by the error of JSON-RPC', (_, text, id, code) => {
  const found = vetMessage(text)
  expect(found).toMatchObject({ kind: 'error', answer: { jsonrpc: '2.0', id, error: { code } } })
  const { message } = found.kind === 'error' ? found.answer.error : { message: '' }
  // Words, not a dump of a parser.
  expect(message).toMatch(/^[^[{\n]{10,160}$/u)
})

test('[F201] null counts as left out', () => {
  const passed = (message: object) => {
    const found = vetMessage(line(message))
    return found.kind === 'message' ? (JSON.parse(found.line) as unknown) : found
  }
  expect(passed({ id: 1, method: 'tools/list', params: null })).toEqual({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/list',
  })
  const call = { name: 'list_sessions', arguments: null, _meta: null }
  expect(passed({ id: 1, method: 'tools/call', params: call })).toMatchObject({
    params: { name: 'list_sessions' },
  })
})

test('[F201] notifications and responses have no answer, also broken ones', () => {
  expect(vetMessage(line({ method: 'notifications/initialized', params: 7 })).kind).toBe('ignored')
  expect(vetMessage(line({ method: 'tools/call' })).kind).toBe('ignored')
  expect(vetMessage(line({ id: 1, result: {} })).kind).toBe('ignored')
  expect(vetMessage(line({ method: 'notifications/initialized' })).kind).toBe('message')
  expect(vetMessage(line({ id: 1, method: 'no/such' })).kind).toBe('message')
})

test('[F201] lines arrive whole whatever chunks they come in; a line that is too long costs itself', async () => {
  const input = new PassThrough()
  const output = new PassThrough()
  const vetted = vettedInput(input, output)
  const ping = line({ id: 1, method: 'ping', params: { _meta: { text: 'ä' } } })
  const bytes = Buffer.from(`${ping}\r\n\nnot json\n`)
  for (const byte of bytes) input.write(Buffer.of(byte))
  const long = Buffer.alloc(6_000_000, 'x')
  input.write(long)
  input.write(long)
  input.end(`\n${ping}`)
  const passed = (await vetted.toArray()).join('').trim().split('\n')
  expect(passed.map((each) => JSON.parse(each) as unknown)).toEqual([
    JSON.parse(ping),
    JSON.parse(ping),
  ])
  output.end()
  const answers = (await output.toArray()).join('').trim().split('\n')
  expect(
    answers.map((each) => (JSON.parse(each) as { error: { code: number } }).error.code),
  ).toEqual([-32700, -32600])
})
