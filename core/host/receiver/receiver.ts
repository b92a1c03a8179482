import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { createJsonMeter } from '../../engine/json-bounds.ts'
import { counted, err, messageOf, ok } from '../../engine/result.ts'
import type { ReceiverCounts } from '../../wire/receiver.ts'
import { OTLP_FOLDER } from '../hook/places.ts'
import { type Answer, type Encoding, accepted, encodingOf, refusedWith } from './answers.ts'
import {
  type Packing,
  type Refused,
  HOLDS_TOO_MUCH,
  TOO_MUCH,
  bodyOf,
  packingOf,
  unpacked,
} from './body.ts'
import { guard } from './guard.ts'
import {
  BODY_BOUNDS,
  BOUNDS,
  type Bounds,
  LEAST_HELD,
  MAX_CONNECTIONS,
  MAX_IN_WORK,
  SLOW,
  createRate,
} from './limits.ts'
import { notWritten } from './not-written.ts'
import { type Signal, readExport } from './request.ts'
import { type OtlpStore, openOtlpStore } from './store.ts'

interface ReceiverOptions {
  /** As `liveFolder` gives it. */
  readonly folder: string
  /** 0 = any free one. */
  readonly port: number
  /** [F148] Null accepts requests without a token. */
  readonly token: string | null
  /** Called when counts changed. */
  readonly onChange?: (counts: ReceiverCounts) => void
  /** [F168] Called once for each reason that the disk accepts no data. */
  readonly onTrouble?: (why: string) => void
  /** Milliseconds in which a request has to be here. */
  readonly slow?: number
  /** Limits for records. */
  readonly bounds?: Bounds
}

export interface Receiver {
  readonly port: number
  readonly counts: () => ReceiverCounts
  readonly close: () => Promise<void>
}

interface Parts {
  readonly store: OtlpStore
  /** Folder of the records, for messages. */
  readonly records: string
  readonly counts: Counting
  readonly trouble: (why: string) => void
  readonly mayCome: (now: number) => boolean
  /** Bytes of bodies that are held. */
  readonly work: { bytes: number }
  readonly turns: Turns
  readonly token: string | null
}

/** [F147] Listens for OTLP/HTTP on 127.0.0.1. Rejects if the port is taken or the folder cannot be written. */
export async function startReceiver(options: ReceiverOptions): Promise<Receiver> {
  const { folder, token, slow = SLOW, bounds = BOUNDS } = options
  const { onChange = () => undefined, onTrouble = () => undefined } = options
  const counts: Counting = createCounts(Date.now, () => onChange(counts.now()))
  const store = await openOtlpStore(folder, bounds)
  const parts: Parts = {
    store,
    counts,
    token,
    work: { bytes: 0 },
    records: join(folder, OTLP_FOLDER),
    mayCome: createRate(),
    turns: createTurns(),
    trouble: once(onTrouble),
  }
  const times = { requestTimeout: slow, headersTimeout: slow, connectionsCheckingInterval: 500 }
  const server = createServer(times, (request, response) => {
    void answerTo(request, server, parts)
      .catch((error: unknown) =>
        refused(parts, { status: 503, why: `a fault of Turnscope (${messageOf(error)})` }),
      )
      .then((answer) => send(request, response, answer))
  })
  server.maxConnections = MAX_CONNECTIONS
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, '127.0.0.1', () => resolve())
  })
  return {
    port: portOf(server),
    counts: counts.now,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** [F168] Says each sentence once. */
function once(say: (why: string) => void): (why: string) => void {
  const said = new Set<string>()
  return (why) => {
    if (said.has(why) || said.size > MAX_TROUBLES) return
    said.add(why)
    say(said.size > MAX_TROUBLES ? 'more records cannot be written' : why)
  }
}

/** Sentences on a log. */
const MAX_TROUBLES = 100

function portOf(server: Server): number {
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** Null: the client is gone, so no answer is sent. */
async function answerTo(
  request: IncomingMessage,
  server: Server,
  parts: Parts,
): Promise<Answer | null> {
  const port = portOf(server)
  const signal = guard(request, [`127.0.0.1:${port}`, `localhost:${port}`], parts.token)
  const encoding = encodingOf(request.headers['content-type'])
  if ('status' in signal) {
    parts.counts.refused(signal.why, 1)
    return refusedWith(signal.status, signal.message, encoding)
  }
  if (encoding === null)
    return refused(parts, {
      status: 415,
      why: 'its content-type is neither application/json nor application/x-protobuf',
    })
  const packing = packingOf(request)
  if (packing === null)
    return refused(
      parts,
      { status: 415, why: 'its content-encoding is neither gzip nor identity' },
      encoding,
    )
  if (!parts.mayCome(performance.now()))
    return refused(parts, { status: 429, why: 'requests come too fast' }, encoding)
  let held = 0
  const mayHold = (bytes: number): boolean => {
    if (parts.work.bytes + bytes > MAX_IN_WORK) return false
    held += bytes
    parts.work.bytes += bytes
    return true
  }
  try {
    if (!mayHold(LEAST_HELD)) return refused(parts, TOO_MUCH, encoding)
    const body = await bodyOf(request, mayHold)
    if (body?.ok === true)
      return await parts.turns(request.socket, () =>
        take(body.value, { signal, encoding, packing }, parts),
      )
    if (body !== null) return refused(parts, body.error, encoding)
    parts.counts.refused('the sender went away, or was too slow', 1)
    return null
  } finally {
    parts.work.bytes -= held
  }
}

interface Asked {
  readonly signal: Signal
  readonly encoding: Encoding
  readonly packing: Packing
}

async function take(
  packed: Buffer,
  { signal, encoding, packing }: Asked,
  parts: Parts,
): Promise<Answer> {
  const { store, counts } = parts
  const meter = encoding === 'json' ? createJsonMeter(BODY_BOUNDS) : null
  const body = await unpacked(packed, packing, meter)
  if (!body.ok) return refused(parts, body.error, encoding)
  const read = readExport(body.value, encoding, signal)
  if (!read.ok) {
    const { isTooMuch, what } = read.error
    const why = isTooMuch ? HOLDS_TOO_MUCH : 'it cannot be read'
    return refused(parts, { status: isTooMuch ? 413 : 400, why, more: what }, encoding)
  }
  const kept = await store
    .keep(read.value.batches)
    .then(ok, (error: unknown) => err(notWritten(error, parts.records)))
  if (!kept.ok) {
    parts.trouble(kept.error.why)
    return refused(parts, kept.error, encoding)
  }
  const reasons = [...read.value.refused, ...kept.value.refused]
  for (const [why, count] of reasons) counts.refused(`a ${signal.noun}: ${why}`, count)
  const taken = read.value.taken - sum(kept.value.refused.values())
  const isSpans = signal.noun === 'span'
  counts.took({ ...kept.value, spans: isSpans ? taken : 0, logs: isSpans ? 0 : taken })
  const message = reasons.map(([why, count]) => `${counted(count, signal.noun)}: ${why}`).join('; ')
  const rejected = sum(reasons.map(([, count]) => count))
  return accepted(encoding, signal, rejected === 0 ? null : { rejected, message })
}

function sum(numbers: Iterable<number>): number {
  return [...numbers].reduce((total, one) => total + one, 0)
}

/** Answers after which the same may come again, in a second. */
const AGAIN: readonly number[] = [429, 503]

function refused(
  { counts }: Pick<Parts, 'counts'>,
  { status, why, more }: Refused,
  encoding: Encoding | null = null,
): Answer {
  counts.refused(why, 1)
  const message = more === undefined ? why : `${why} (${more})`
  return refusedWith(status, message, encoding, AGAIN.includes(status) ? 1 : null)
}

/** Milliseconds that a refused body may still come, so that its sender reads why. */
const DRAIN = 1000

function send(request: IncomingMessage, response: ServerResponse, answer: Answer | null): void {
  if (answer === null || response.destroyed) {
    response.destroy()
    return
  }
  const isRead = request.complete
  response.writeHead(
    answer.status,
    isRead ? answer.headers : { ...answer.headers, connection: 'close' },
  )
  response.end(answer.body)
  if (isRead) return
  request.on('error', () => undefined)
  request.resume()
  setTimeout(() => request.destroy(), DRAIN).unref()
}

/** Runs work when its owner's turn comes. Resolves with the result of the work. */
type Turns = <T>(owner: object, work: () => Promise<T>) => Promise<T>

/**
 * [F151] A queue that runs one piece of work at a time, because many small bodies may unpack to a lot. Owners take
 * turns, so that a connection with many costly requests delays each other connection by one of them.
 */
export function createTurns(): Turns {
  /** Waiting work by owner; the owner whose turn is next is first. */
  const waiting = new Map<object, Array<() => Promise<void>>>()
  let isRunning = false

  async function run(): Promise<void> {
    isRunning = true
    for (let next = waiting.entries().next(); next.done !== true; next = waiting.entries().next()) {
      const [owner, list] = next.value
      waiting.delete(owner)
      const work = list.shift()
      if (list.length > 0) waiting.set(owner, list)
      await work?.()
    }
    isRunning = false
  }

  return (owner, work) =>
    new Promise((resolve, reject) => {
      const list = waiting.get(owner) ?? []
      waiting.set(owner, list)
      list.push(() => work().then(resolve, reject))
      if (!isRunning) void run()
    })
}

/** [F154] Counts of a receiver. Reasons are ours, so there are few. */
interface Counting {
  /** An export that was answered with 200. */
  readonly took: (export_: {
    readonly spans: number
    readonly logs: number
    readonly bytes: number
    readonly sessions: readonly string[]
  }) => void
  readonly refused: (why: string, count: number) => void
  readonly now: () => ReceiverCounts
}

/** Maximum sessions counted separately; further ones count as one. */
const MAX_SESSIONS = 10_000

/** Maximum reasons counted separately, because a reason may name a record. */
const MAX_REASONS = 100
const OTHERS = 'other reasons, too many to be told apart'

/** @param onChange called after each change */
function createCounts(clock: () => number, onChange: () => void): Counting {
  const sessions = new Set<string>()
  const refused = new Map<string, { readonly count: number; readonly at: number }>()
  let exports = 0
  let spans = 0
  let logs = 0
  let bytes = 0
  return {
    took(one) {
      exports += 1
      spans += one.spans
      logs += one.logs
      bytes += one.bytes
      for (const session of one.sessions) sessions.add(sessions.size < MAX_SESSIONS ? session : '…')
      onChange()
    },
    refused(said, count) {
      const why = refused.has(said) || refused.size < MAX_REASONS ? said : OTHERS
      refused.set(why, { count: (refused.get(why)?.count ?? 0) + count, at: clock() })
      onChange()
    },
    now: () => ({
      exports,
      spans,
      logs,
      bytes,
      sessions: sessions.size,
      refused: [...refused].map(([why, { count, at }]) => ({ why, count, at })),
    }),
  }
}
