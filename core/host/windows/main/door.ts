import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** Admits browsers: tokens that let one browser in, and the keys that they were exchanged for. */
export interface Door {
  /** A token for one browser. The first one waits for as long as the host runs, later ones ten minutes. */
  token(): string
  /**
   * [U18] Exchanges a token for a key. Returns null if the token is unknown, was already used, or has expired. A page
   * that was left before it connected may repeat the exchange. This invalidates the earlier key, so a token never has
   * two.
   */
  exchange(token: string): string | null
  holds(key: string): boolean
  /** Accepts a client key. Returns false if the key is unknown; invalidates its token otherwise. */
  admit(key: string): boolean
}

/** Lifetime in ms of later tokens, and of any token after its first exchange. */
const TOKEN_MS = 10 * 60_000
/** Maximum pending tokens and keys. When the limit is exceeded, the oldest is dropped. */
const MOST_TOKENS = 20
const MOST_KEYS = 1000

interface Token {
  readonly hash: Buffer
  readonly until: number
  /** Hash of the key it was exchanged for, until a client connects with that key. */
  readonly key: Buffer | null
}

const secret = () => randomBytes(32).toString('base64url')
/** Secrets are looked up by hash, so that the lookup time reveals nothing about them. */
const hashOf = (text: string) => createHash('sha256').update(text).digest()
const isSame = (a: Buffer | null, b: Buffer) => a !== null && timingSafeEqual(a, b)

export function openDoor(now: () => number = () => performance.now()): Door {
  let tokens: readonly Token[] = []
  let keys: readonly Buffer[] = []
  let isFirst = true

  const holds = (hash: Buffer) => keys.some((each) => timingSafeEqual(each, hash))

  return {
    token: () => {
      const token = secret()
      const until = isFirst ? Infinity : now() + TOKEN_MS
      isFirst = false
      const waiting = tokens.filter((each) => each.until > now())
      tokens = [...waiting, { hash: hashOf(token), until, key: null }].slice(-MOST_TOKENS)
      return token
    },
    exchange: (token) => {
      const hash = hashOf(token)
      const found = tokens.find((each) => timingSafeEqual(each.hash, hash))
      if (found === undefined) return null
      const others = tokens.filter((each) => each !== found)
      if (found.until <= now()) {
        tokens = others
        return null
      }
      const key = secret()
      const until = Math.min(found.until, now() + TOKEN_MS)
      tokens = [...others, { hash, until, key: hashOf(key) }]
      keys = [...keys.filter((each) => !isSame(found.key, each)), hashOf(key)].slice(-MOST_KEYS)
      return key
    },
    holds: (key) => holds(hashOf(key)),
    admit: (key) => {
      const hash = hashOf(key)
      if (!holds(hash)) return false
      tokens = tokens.filter((each) => !isSame(each.key, hash))
      return true
    },
  }
}
