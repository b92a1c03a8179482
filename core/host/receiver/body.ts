import type { IncomingMessage } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import { createGunzip } from 'node:zlib'
import { type JsonMeter, excessText } from '../../engine/json-bounds.ts'
import { type Result, err, messageOf, ok } from '../../engine/result.ts'
import { BODY_BOUNDS, MAX_PACKED, MAX_UNPACKED } from './limits.ts'

/** Why a request is not taken, and the answer of HTTP that says so. */
export interface Refused {
  readonly status: number
  /** For the window: the same for all requests of the kind. */
  readonly why: string
  /** Additional text for the sender only. */
  readonly more?: string
}

export type Packing = 'gzip' | 'identity'

/** Compression of a body; null if it is unknown. */
export function packingOf({ headers }: IncomingMessage): Packing | null {
  const name = (headers['content-encoding'] ?? 'identity').trim().toLowerCase()
  return name === 'gzip' || name === 'identity' ? name : null
}

/**
 * [F151] Reads the body of a request. Null if the sender went away or was too slow.
 * @param mayHold called before more bytes are held; false refuses the request
 */
export async function bodyOf(
  request: IncomingMessage,
  mayHold: (bytes: number) => boolean,
): Promise<Result<Buffer, Refused> | null> {
  if (Number(request.headers['content-length'] ?? 0) > MAX_PACKED) return err(TOO_LARGE)
  const joined = createJoined()
  let size = 0
  try {
    // A sender that sent too much still reads why.
    for await (const part of request.iterator({ destroyOnReturn: false })) {
      if (!Buffer.isBuffer(part)) continue
      size += part.length
      if (size > MAX_PACKED) return err(TOO_LARGE)
      if (!mayHold(part.length)) return err(TOO_MUCH)
      joined.add(part)
    }
  } catch {
    return null
  }
  return ok(joined.all())
}

const TOO_LARGE: Refused = { status: 413, why: `it is larger than ${MAX_PACKED} bytes` }
export const TOO_MUCH: Refused = { status: 429, why: 'too much comes at the same time' }

/** Bytes of a block that small pieces are copied to. */
const BLOCK = 64 * 1024

/** Pieces of a body. */
interface Joined {
  readonly add: (piece: Buffer) => void
  readonly all: () => Buffer
  /** Buffers that are held. */
  readonly count: () => number
}

/**
 * [F151] Joins the pieces of a body. Small pieces are copied into blocks, because a chunk of one byte would otherwise
 * hold a buffer of more than a hundred.
 */
export function createJoined(): Joined {
  const blocks: Buffer[] = []
  let block = Buffer.alloc(0)
  let used = 0
  const close = (): void => {
    if (used > 0) blocks.push(block.subarray(0, used))
    used = 0
  }
  return {
    add(piece) {
      if (used + piece.length > block.length) {
        close()
        block = Buffer.alloc(0)
      }
      if (piece.length >= BLOCK / 2) {
        close()
        block = Buffer.alloc(0)
        blocks.push(piece)
        return
      }
      if (block.length === 0) block = Buffer.allocUnsafe(BLOCK)
      used += piece.copy(block, used)
    },
    all() {
      close()
      block = Buffer.alloc(0)
      return Buffer.concat(blocks)
    },
    count: () => blocks.length + (used > 0 ? 1 : 0),
  }
}

/** Bytes that are unpacked or measured before other requests get a turn. */
const STEP = 256 * 1024

/**
 * [F151] [F206] Unpacks a body and measures it in steps, so that other requests get their turn. Stops at the first
 * limit: the rest of the body is neither unpacked nor kept.
 * @param meter of a JSON body; null for protobuf, whose reader counts
 */
export async function unpacked(
  bytes: Buffer,
  packing: Packing,
  meter: JsonMeter | null,
): Promise<Result<Buffer, Refused>> {
  const pieces = packing === 'gzip' ? gunzipped(bytes) : slices(bytes)
  const held: Buffer[] = []
  let size = 0
  try {
    for await (const piece of pieces) {
      size += piece.length
      if (size > MAX_UNPACKED) return err(TOO_LARGE_UNPACKED)
      const excess = meter?.push(piece) ?? null
      if (excess !== null)
        return err({ status: 413, why: HOLDS_TOO_MUCH, more: excessText(excess, BODY_BOUNDS) })
      held.push(piece)
    }
  } catch (error) {
    return err({ status: 400, why: 'its gzip is damaged', more: messageOf(error) })
  }
  return ok(packing === 'gzip' ? Buffer.concat(held, size) : bytes)
}

export const HOLDS_TOO_MUCH = 'it holds too much'

const TOO_LARGE_UNPACKED: Refused = {
  status: 413,
  why: `unpacked it is larger than ${MAX_UNPACKED} bytes`,
}

/** Leaving the loop over the pieces ends the stream. */
async function* gunzipped(bytes: Buffer): AsyncGenerator<Buffer, void, undefined> {
  const stream = createGunzip({ chunkSize: STEP })
  stream.end(bytes)
  for await (const piece of stream) if (Buffer.isBuffer(piece)) yield piece
}

async function* slices(bytes: Buffer): AsyncGenerator<Buffer, void, undefined> {
  for (let at = 0; at < bytes.length; at += STEP) {
    if (at > 0) await setImmediate()
    yield bytes.subarray(at, at + STEP)
  }
}
