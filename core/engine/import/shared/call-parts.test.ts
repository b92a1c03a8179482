import { describe, expect, it } from 'vitest'
import { argsText, jsonIn, partsOf } from './call-parts.ts'

const one = (part: unknown): unknown => partsOf([part])[0]
const call = (text: string, name: string | null, id: string | null) => ({
  kind: 'call',
  text,
  name,
  id,
})
const result = (text: string, id: string | null, name: string | null, isError = false) => ({
  kind: 'result',
  text,
  id,
  name,
  isError,
})

describe('[I32] calls and results of every family are the same parts', () => {
  it.each([
    [{ type: 'tool_call', name: 'f', id: '1', arguments: { a: 1 } }, call('{"a":1}', 'f', '1')],
    [{ type: 'tool-call', toolName: 'f', toolCallId: '1', input: [1] }, call('[1]', 'f', '1')],
    [{ type: 'function_call', call_id: 'c', id: 'item', name: 'f' }, call('', 'f', 'c')],
    [{ functionCall: { name: 'f', args: { a: 1 } } }, call('{"a":1}', 'f', null)],
    [{ function_call: { name: 'f', args: {} } }, call('{}', 'f', null)],
    [{ toolUse: { name: 'f', toolUseId: 't', input: {} } }, call('{}', 'f', 't')],
  ])('%j is a call', (part, expected) => {
    expect(one(part)).toEqual(expected)
  })

  it.each([
    [{ type: 'tool_call_response', id: '1', response: 'ok' }, result('ok', '1', null)],
    [{ type: 'tool_call_response', id: '1', result: 'ok' }, result('ok', '1', null)],
    [{ type: 'function_call_output', call_id: 'c', output: 'ok' }, result('ok', 'c', null)],
    [
      { type: 'tool-result', toolCallId: '1', toolName: 'f', output: { type: 'text', value: 'v' } },
      result('v', '1', 'f'),
    ],
    [
      { type: 'tool-result', output: { type: 'error-text', value: 'no' } },
      result('no', null, null, true),
    ],
    [{ type: 'tool-result', isError: true, result: 'no' }, result('no', null, null, true)],
    [
      { toolResult: { toolUseId: 't', status: 'error', content: 'no' } },
      result('no', 't', null, true),
    ],
    [{ functionResponse: { name: 'f', response: 'ok' } }, result('ok', null, 'f')],
    [{ function_response: { name: 'f', response: 'ok' } }, result('ok', null, 'f')],
  ])('%j is a result', (part, expected) => {
    expect(one(part)).toEqual(expected)
  })
})

describe('[I32] words and thoughts', () => {
  it.each([
    [{ type: 'text', text: 'a' }, 'text', 'a'],
    [{ type: 'text', content: 'a' }, 'text', 'a'],
    [{ type: 'text', value: 'a' }, 'text', 'a'],
    [{ type: 'text' }, 'text', ''],
    [{ text: 'a' }, 'text', 'a'],
    [{ text: 'a', thought: true }, 'reasoning', 'a'],
    [{ type: 'reasoning', reasoning: 'a', summary: 'b' }, 'reasoning', 'a'],
    [{ type: 'thinking', thinking: 'a' }, 'reasoning', 'a'],
    [{ type: 'reasoning', summary: [{ text: 'a' }] }, 'reasoning', 'a'],
    [{ type: 'reasoning', redacted: true }, 'reasoning', '[redacted thinking]'],
    [{ type: 'reasoning', redacted: true, reasoning: '' }, 'reasoning', '[redacted thinking]'],
    [{ type: 'data', data: { a: 1 } }, 'text', '{"a":1}'],
  ])('%j is %s', (part, kind, text) => {
    expect(one(part)).toEqual({ kind, text })
  })

  it('content that is a text, one part, or nothing at all', () => {
    expect(partsOf('a')).toEqual([{ kind: 'text', text: 'a' }])
    expect(partsOf({ type: 'text', text: 'a' })).toEqual([{ kind: 'text', text: 'a' }])
    expect(partsOf(null)).toEqual([])
    expect(partsOf([])).toEqual([])
  })

  it.each([null, 7, true, [], {}, { type: '__proto__' }, { type: 'constructor' }, { type: 'xyz' }])(
    '%j is one part of no known kind, and nothing throws',
    (part) => {
      expect(partsOf([part])).toHaveLength(1)
    },
  )
})

describe('[I32] bytes and links become stubs of their type and size', () => {
  it.each([
    [
      { type: 'image', image: `data:image/png;base64,${'A'.repeat(4_000)}` },
      '[image image/png 3 kB]',
    ],
    [{ type: 'image', image: 'https://a.b/c.png' }, '[image https://a.b/c.png]'],
    [{ type: 'audio', audio: '', format: 'wav' }, '[audio wav]'],
    [{ type: 'video', video: 'A' }, '[video 1 kB]'],
    [
      { type: 'blob', modality: 'audio', mime_type: 'audio/mp3', content: 'A' },
      '[audio audio/mp3 1 kB]',
    ],
    [{ type: 'blob', content: 'A' }, '[file 1 kB]'],
    [{ type: 'uri', uri: 's3://b/k' }, '[file s3://b/k]'],
    [{ type: 'uri', modality: 'image', uri: 'gs://b/k' }, '[image gs://b/k]'],
    [{ type: 'document', document: 'A' }, '[document 1 kB]'],
    [{ inlineData: { mimeType: 'image/png', data: 'A' } }, '[file image/png 1 kB]'],
    [{ inline_data: { data: '' } }, '[file]'],
    [{ fileData: { fileUri: 'gs://b/k' } }, '[file gs://b/k]'],
    [
      { file_data: { mime_type: 'text/plain', file_uri: 'gs://b/k' } },
      '[file text/plain gs://b/k]',
    ],
    [{ type: 'audio', audio: 'data:,' }, '[audio 0 kB]'],
  ])('%j', (part, text) => {
    expect(one(part)).toEqual({ kind: 'stub', text })
  })

  it('names and links that somebody made long are cut', () => {
    const long = 'x'.repeat(10_000)
    const stubs = partsOf([
      { type: 'blob', modality: long, mime_type: long, content: long },
      { type: 'uri', uri: `https://${long}` },
      { type: 'image', image: `data:${long},` },
    ])
    for (const stub of stubs) expect(JSON.stringify(stub).length).toBeLessThan(500)
  })
})

describe('[I32] arguments', () => {
  it.each([
    ['{ "a": 1 }', '{"a":1}'],
    ['[ 1 ]', '[1]'],
    ['"just words"', '"just words"'],
    ['{ broken', '{ broken'],
    ['ls -l', 'ls -l'],
    [7, '7'],
  ])('%j are written as %s', (args, text) => {
    expect(argsText(args)).toBe(text)
  })

  it('only what begins like JSON is read as JSON', () => {
    expect(jsonIn(' {"a":1}')).toEqual({ a: 1 })
    expect(jsonIn('12')).toBeUndefined()
    expect(jsonIn('')).toBeUndefined()
  })
})
