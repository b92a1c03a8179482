import { PassThrough, type Readable, type Writable } from 'node:stream'
import {
  CallToolRequestSchema,
  ErrorCode,
  InitializeRequestSchema,
  JSONRPCMessageSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  PingRequestSchema,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import type { z } from 'zod'
import { fieldWords } from '../../engine/schema/issue-words.ts'
import { visible } from '../../host/platform/terminal.ts'

/** Bytes of one message. */
const MOST_BYTES = 10 * 1024 * 1024

type Id = string | number | null

interface ErrorAnswer {
  readonly jsonrpc: '2.0'
  readonly id: Id
  readonly error: { readonly code: number; readonly message: string }
}

/** A message for the server, an error for the client, or neither. */
type Vetted =
  | { readonly kind: 'message'; readonly line: string }
  | { readonly kind: 'error'; readonly answer: ErrorAnswer }
  | { readonly kind: 'ignored' }

/** Schemas of requests by method. The SDK answers other methods itself: -32601. */
const REQUESTS: ReadonlyMap<string, z.ZodType> = new Map<string, z.ZodType>([
  ['initialize', InitializeRequestSchema],
  ['ping', PingRequestSchema],
  ['tools/list', ListToolsRequestSchema],
  ['tools/call', CallToolRequestSchema],
  ['resources/list', ListResourcesRequestSchema],
  ['resources/templates/list', ListResourceTemplatesRequestSchema],
  ['resources/read', ReadResourceRequestSchema],
])

/**
 * [F201] What to do with one line of standard input. The SDK drops lines that it cannot parse, so that the client would
 * wait for its timeout; here they get the error of JSON-RPC 2.0. A null in place of optional members counts as left
 * out. A broken notification has no answer.
 */
export function vetMessage(line: string): Vetted {
  const value = jsonOf(line)
  if (value === undefined) return failed(null, ErrorCode.ParseError, 'this line is not JSON')
  if (Array.isArray(value))
    return failed(null, ErrorCode.InvalidRequest, 'send one message per line, not a batch')
  if (!isObject(value)) return failed(null, ErrorCode.InvalidRequest, 'a message is a JSON object')
  // A response to the server, which sends no requests.
  if (!('method' in value) && ('result' in value || 'error' in value)) return { kind: 'ignored' }
  const { id } = value
  const known: Id =
    typeof id === 'string' || Number.isSafeInteger(id) ? (id as string | number) : null
  const invalid = invalidIn(value, known)
  if (invalid !== null) return failed(known, ErrorCode.InvalidRequest, invalid)
  const message = withoutNulls(value)
  const method = String(value['method'])
  const problem = problemOf(message, method)
  if (problem === null) return { kind: 'message', line: JSON.stringify(message) }
  return known === null
    ? { kind: 'ignored' }
    : failed(known, ErrorCode.InvalidParams, `${method}: ${problem}`)
}

/** Why a message is no request; null if it is one. */
function invalidIn(message: Readonly<Record<string, unknown>>, id: Id): string | null {
  if (message['jsonrpc'] !== '2.0') return '`jsonrpc` must be "2.0"'
  if (typeof message['method'] !== 'string') return '`method` must be a string'
  return 'id' in message && id === null ? '`id` must be a string or a whole number' : null
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line) as unknown
  } catch {
    return undefined
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function failed(id: Id, code: number, message: string): Vetted {
  return {
    kind: 'error',
    answer: { jsonrpc: '2.0', id, error: { code, message: visible(message) } },
  }
}

/** Removes null parameters and null members of them: clients write null for omitted fields. */
function withoutNulls(message: Readonly<Record<string, unknown>>) {
  const { params, ...rest } = message
  if (params === undefined || params === null) return rest
  if (!isObject(params)) return message
  const given = Object.entries(params).filter(([, value]) => value !== null)
  return { ...rest, params: Object.fromEntries(given) }
}

/** Describes the problem with the parameters; null if there is no problem. */
function problemOf(message: Readonly<Record<string, unknown>>, method: string): string | null {
  const params = message['params']
  if (params !== undefined && !isObject(params)) return '`params` must be an object'
  for (const schema of [JSONRPCMessageSchema, REQUESTS.get(method)]) {
    const parsed = schema?.safeParse(message)
    if (parsed?.success === false) return fieldWords(parsed.error.issues[0], 'the message')
  }
  return null
}

/**
 * [F201] Standard input as the SDK reads it: lines that are no messages are answered here.
 * @param output receives the errors, one line each
 */
export function vettedInput(input: Readable, output: Writable): Readable {
  const vetted = new PassThrough()
  let parts: Buffer[] = []
  let bytes = 0
  const endLine = () => {
    const isLong = bytes > MOST_BYTES
    const line = Buffer.concat(parts).toString('utf8').trim()
    parts = []
    bytes = 0
    if (!isLong && line === '') return
    const found = isLong
      ? failed(null, ErrorCode.InvalidRequest, `a message has at most ${MOST_BYTES} bytes`)
      : vetMessage(line)
    if (found.kind === 'message') vetted.write(`${found.line}\n`)
    else if (found.kind === 'error') output.write(`${JSON.stringify(found.answer)}\n`)
  }
  const take = (part: Buffer) => {
    bytes += part.length
    if (bytes <= MOST_BYTES) parts.push(part)
    else parts = []
  }
  input.on('data', (chunk: Buffer) => {
    let from = 0
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      take(chunk.subarray(from, end))
      endLine()
      from = end + 1
    }
    if (from < chunk.length) take(chunk.subarray(from))
  })
  input.once('end', () => {
    if (bytes > 0) endLine()
    vetted.end()
  })
  return vetted
}
