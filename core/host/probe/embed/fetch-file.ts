import { createHash } from 'node:crypto'
import { mkdir, open, rename, rm, stat } from '../../platform/files/fenced-fs.ts'
import { dirname } from 'node:path'
import { type Problem, type Result, err, ok } from '../../../engine/result.ts'
import { type FailureKind, failureOf } from '../../platform/net/call-failures.ts'
import { retryAfter } from '../../platform/net/guarded-fetch.ts'
import {
  askWithRetries,
  createRateLimit,
  type Answered,
  type Chronometer,
} from '../../platform/net/retry.ts'
import type { ModelFile } from './pinned-models.ts'
import { byteChunks } from '../../platform/files/byte-input.ts'

/** A download. Received data is stored under `.part` until the file is complete and verified. */
interface Fetching {
  readonly url: string
  readonly target: string
  readonly file: ModelFile
  readonly time: Chronometer
  /** Milliseconds without a byte after which the connection counts as cut. */
  readonly idleMs: number
  readonly onBytes: (here: number) => void
  readonly signal: AbortSignal
}

const partOf = (target: string) => `${target}.part`

/** Bytes of a file on this machine: all of it, or the part of an interrupted download. */
export async function bytesHere(target: string): Promise<number> {
  const size = async (path: string) => (await stat(path).catch(() => null))?.size ?? null
  return (await size(target)) ?? (await size(partOf(target))) ?? 0
}

/**
 * [D28] Fetches one file, and resumes a partial one. A broken connection is resumed as long as each attempt makes
 * progress. Size and SHA-256 are verified before the file takes its final name.
 */
export async function fetchFile(fetching: Fetching): Promise<Result<null>> {
  const { target, file, time, signal } = fetching
  const limit = createRateLimit(time, 4)
  await mkdir(dirname(target), { recursive: true })
  for (;;) {
    const before = await bytesHere(target)
    const tried = await askWithRetries(() => attempt(fetching), {
      time,
      limit,
      perMinute: 100_000,
      signal,
    })
    if (tried.ok) break
    const isFurther = (await bytesHere(target)) > before
    if (tried.error.kind !== 'cut_off' || !isFurther) return err(problemOf(tried.error, fetching))
  }
  if ((await sha256Of(partOf(target))) !== file.sha256) {
    await rm(partOf(target), { force: true })
    return err({
      what: `${file.path} is not the file that was checked: its SHA-256 is another`,
      where: fetching.url,
      do: 'Try again; if it stays so, the file was changed at its source, or on the way: do not use it',
    })
  }
  await rename(partOf(target), target)
  return ok(null)
}

const DO: Partial<Record<FailureKind, string>> = {
  unreachable:
    'Check the network, or copy the model into a folder and add that; what is here is kept',
  cut_off: 'Start it again: it goes on from where it was',
  cancelled: 'Start it again: it goes on from where it was',
}

function problemOf(
  { kind, what, do: advice }: ReturnType<typeof failureOf>,
  fetching: Fetching,
): Problem {
  const detail = /\(.*\)$/.exec(what)?.[0] ?? ''
  const said = kind === 'malformed' ? `the server does not send the file ${detail}`.trim() : what
  return { what: said, where: fetching.url, do: DO[kind] ?? advice }
}

async function attempt(fetching: Fetching): Promise<Answered<null>> {
  const { target, file, signal, url, idleMs } = fetching
  const idle = new AbortController()
  const timer = setTimeout(() => idle.abort(), idleMs)
  let wait: number | null = null
  const failed = (kind: FailureKind, detail: string | null = null): Answered<never> => ({
    ok: false,
    error: failureOf(signal.aborted ? 'cancelled' : kind, signal.aborted ? null : detail),
    retryAfterMs: wait,
  })
  let hasAnswered = false
  try {
    const from = await startOf(target, file)
    if (from === file.bytes) return { ok: true, value: null }
    const response = await fetch(url, {
      signal: AbortSignal.any([signal, idle.signal]),
      headers: { 'accept-encoding': 'identity', ...(from > 0 ? { range: `bytes=${from}-` } : {}) },
    })
    hasAnswered = true
    wait = retryAfter(response.headers, Date.now())
    const refusal = refusalOf(response)
    if (refusal !== null) {
      await response.body?.cancel()
      return failed(refusal, `status ${response.status}`)
    }
    const place = placeOf(response, from)
    if (!fits(response, place, file)) {
      await response.body?.cancel()
      return failed('malformed', 'it has another size')
    }
    const here = await append(response, place, fetching, () => timer.refresh())
    if (here === file.bytes) return { ok: true, value: null }
    if (here < file.bytes) return failed('cut_off', `${here} of ${file.bytes} bytes came`)
    await rm(partOf(target), { force: true })
    return failed('malformed', `more than ${file.bytes} bytes`)
  } catch (error) {
    return failed(hasAnswered ? 'cut_off' : 'unreachable', codeOf(error))
  } finally {
    clearTimeout(timer)
  }
}

/** Offset to resume at. A partial file longer than the target is discarded. */
async function startOf(target: string, { bytes }: ModelFile): Promise<number> {
  const here = (await stat(partOf(target)).catch(() => null))?.size ?? 0
  if (here <= bytes) return here
  await rm(partOf(target), { force: true })
  return 0
}

function refusalOf({ status, body }: Response): FailureKind | null {
  if (status === 429) return 'rate_limited'
  if (status >= 500) return 'server_error'
  if (status === 401 || status === 403) return 'unauthorized'
  return (status === 200 || status === 206) && body !== null ? null : 'malformed'
}

/** A server without range support sends the whole file again. */
function placeOf({ status, headers }: Response, from: number): number {
  if (status !== 206) return 0
  const start = Number(/^bytes (\d+)-/.exec(headers.get('content-range') ?? '')?.[1] ?? Number.NaN)
  if (start !== from) throw new Error('another range than was asked')
  return from
}

/** Rejects a sign-in page or a different file by its size, before any byte is stored. */
function fits({ headers }: Response, place: number, { bytes }: ModelFile): boolean {
  const length = headers.get('content-length')
  return length === null || Number(length) === bytes - place
}

/** Bytes that are here afterwards; more than the file has are not waited for. */
async function append(
  response: Response,
  place: number,
  { target, file, onBytes }: Fetching,
  onChunk: () => void,
): Promise<number> {
  const part = await open(partOf(target), place === 0 ? 'w' : 'r+')
  let here = place
  try {
    // Node's own stream of the body.
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      onChunk()
      await part.write(chunk, 0, chunk.length, here)
      here += chunk.length
      if (here > file.bytes) break
      onBytes(here)
    }
    await part.sync()
  } finally {
    await part.close()
  }
  return here
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of byteChunks(path)) hash.update(chunk)
  return hash.digest('hex')
}

function codeOf(error: unknown): string | null {
  const cause = error instanceof Error ? (error.cause ?? error) : null
  if (typeof cause !== 'object' || cause === null || !('code' in cause)) return null
  return typeof cause.code === 'string' ? cause.code : null
}
