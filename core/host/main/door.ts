import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** Who may come in: tokens that open once, and the keys that they were exchanged for. */
export interface Door {
  /** A token for one use. The first one waits for as long as the host runs, later ones ten minutes. */
  token(): string
  /** [U18] The key for a token: null where it is none, was used or is too old. */
  exchange(token: string): string | null
  holds(key: string): boolean
}

/** How long a token that was asked for later waits, in milliseconds. */
const TOKEN_MS = 10 * 60_000
/** Tokens that wait at once, and keys: whoever asks for more loses the oldest. */
const MOST_TOKENS = 20
const MOST_KEYS = 1000

const secret = () => randomBytes(32).toString('base64url')
/** What is looked up is a hash, so that the time of a look says nothing of a secret. */
const hashOf = (text: string) => createHash('sha256').update(text).digest()

export function openDoor(now: () => number = () => performance.now()): Door {
  let tokens: ReadonlyArray<{ readonly hash: Buffer; readonly until: number }> = []
  let keys: readonly Buffer[] = []
  let isFirst = true
  return {
    token: () => {
      const token = secret()
      const until = isFirst ? Infinity : now() + TOKEN_MS
      isFirst = false
      tokens = [...tokens.filter((each) => each.until > now()), { hash: hashOf(token), until }]
      tokens = tokens.slice(-MOST_TOKENS)
      return token
    },
    exchange: (token) => {
      const hash = hashOf(token)
      const found = tokens.find((each) => timingSafeEqual(each.hash, hash))
      if (found === undefined) return null
      tokens = tokens.filter((each) => each !== found)
      if (found.until <= now()) return null
      const key = secret()
      keys = [...keys, hashOf(key)].slice(-MOST_KEYS)
      return key
    },
    holds: (key) => {
      const hash = hashOf(key)
      return keys.some((each) => timingSafeEqual(each, hash))
    },
  }
}
