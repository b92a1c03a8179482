import type { IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { type Result, err, messageOf, ok } from '../../engine/result.ts'
import { MAX_PACKED, MAX_UNPACKED } from './limits.ts'

/** Why a request is not taken, and the answer of HTTP that says so. */
export interface Refused {
  readonly status: number
  /** For the window: the same for all requests of the kind. */
  readonly why: string
  /** For whoever sent it alone. */
  readonly more?: string
}

const unpack = promisify(gunzip)

export type Packing = 'gzip' | 'identity'

/** How a body is packed; null for a way that is not known. */
export function packingOf({ headers }: IncomingMessage): Packing | null {
  const name = (headers['content-encoding'] ?? 'identity').trim().toLowerCase()
  return name === 'gzip' || name === 'identity' ? name : null
}

/**
 * [F151] The body of a request, as it was sent. Null where the sender went away, or was too slow.
 * @param mayHold asked before more bytes are held
 */
export async function bodyOf(
  request: IncomingMessage,
  mayHold: (bytes: number) => boolean,
): Promise<Result<Buffer, Refused> | null> {
  if (Number(request.headers['content-length'] ?? 0) > MAX_PACKED) return err(TOO_LARGE)
  const parts: Buffer[] = []
  let size = 0
  try {
    // Whoever sent too much is still told so.
    for await (const part of request.iterator({ destroyOnReturn: false })) {
      if (!Buffer.isBuffer(part)) continue
      size += part.length
      if (size > MAX_PACKED) return err(TOO_LARGE)
      if (!mayHold(part.length)) return err(TOO_MUCH)
      parts.push(part)
    }
  } catch {
    return null
  }
  return ok(Buffer.concat(parts))
}

const TOO_LARGE: Refused = { status: 413, why: `it is larger than ${MAX_PACKED} bytes` }
const TOO_MUCH: Refused = { status: 429, why: 'too much comes at the same time' }

/** [F151] The same unpacked; what would be too large is never held. */
export async function unpacked(bytes: Buffer, packing: Packing): Promise<Result<Buffer, Refused>> {
  if (packing === 'identity') return ok(bytes)
  try {
    return ok(await unpack(bytes, { maxOutputLength: MAX_UNPACKED }))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE')
      return err({ status: 413, why: `unpacked it is larger than ${MAX_UNPACKED} bytes` })
    return err({ status: 400, why: 'its gzip is damaged', more: messageOf(error) })
  }
}
