import { sha256 } from '@noble/hashes/sha2.js'
import { Buffer } from 'buffer'

// `node:crypto`, limited to the functions that the host uses. The page may not be a secure context (file://), so hashes
// cannot come from WebCrypto, which is also asynchronous.

type Encoding = 'hex' | 'base64' | 'base64url'
const ALPHABETS = { base64url: true } as const

function written(bytes: Uint8Array, encoding: Encoding): string {
  if (encoding in ALPHABETS) {
    const text = Buffer.from(bytes).toString('base64')
    return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
  }
  return Buffer.from(bytes).toString(encoding)
}

const bytesOf = (data: string | Uint8Array) => (typeof data === 'string' ? Buffer.from(data) : data)

function known(algorithm: string): void {
  if (algorithm !== 'sha256') throw new Error(`${algorithm} is not in this page`)
}

export function hash(algorithm: string, data: string | Uint8Array, encoding: Encoding = 'hex') {
  known(algorithm)
  return written(sha256(bytesOf(data)), encoding)
}

export function createHash(algorithm: string) {
  known(algorithm)
  return hashFrom(sha256.create())
}

function hashFrom(running: ReturnType<typeof sha256.create>) {
  const self = {
    update: (data: string | Uint8Array) => {
      running.update(bytesOf(data))
      return self
    },
    digest: (encoding: Encoding = 'hex') => written(running.digest(), encoding),
    copy: () => hashFrom(running.clone()),
  }
  return self
}

/** The `buffer` package does not know base64url. */
export function randomBytes(size: number) {
  const bytes = Buffer.from(crypto.getRandomValues(new Uint8Array(size)))
  return Object.assign(bytes, {
    toString: (encoding: Encoding) => written(Uint8Array.from(bytes), encoding),
  })
}

export function randomUUID(): string {
  const hex = randomBytes(16).toString('hex')
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ].join('-')
}

export const timingSafeEqual = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, index) => byte === b[index])
