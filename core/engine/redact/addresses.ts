import type { Finder, Rule } from './rule.ts'
import { createRunEnd } from './wrapped.ts'
import { isPlaceholder, isRandom, isCredential, isUuid } from './secret-like.ts'

const ADDRESS = /[^\s"'`<>\\]*/uy
const MOST = 1200
/** Text after the `@` of an address: a host, and the characters that may follow it. */
const HOST =
  /^(?:\[[\da-f:.]{2,45}\]|[A-Za-z0-9](?:[A-Za-z0-9._-]{0,252}[A-Za-z0-9])?)(?::\d{1,5})?(?=[/?#,;)\]}]|$)/u
const WEB = /(?:https?|wss?|git|ssh|file|npm|vscode)$/iu

/**
 * [R18] `user:password` of an address whose password holds raw `@`, `#`, `/` or `?`: up to the `@` with a host behind it. A
 * port in place of the password is none, and on the web a path is.
 */
const rawUserinfo: Finder = (text) => {
  const runEnd = createRunEnd(text, ADDRESS)
  return (at) => rawIn(text, at, runEnd(at + 3))
}

function rawIn(text: string, at: number, end: number): readonly [number, number] | null {
  const start = at + 3
  const address = text.slice(start, Math.min(end, start + MOST))
  const colon = address.indexOf(':')
  if (colon < 0 || /[/?#@[\]{}$]/u.test(address.slice(0, colon))) return null
  const sign = signOf(address, colon)
  if (sign < 0) return null
  const value = address.slice(0, sign)
  const password = value.slice(colon + 1)
  // A password without any of these characters is left to the pattern.
  if (!/[@#/?]/u.test(password) || !isCredential(value)) return null
  const isWeb = WEB.test(text.slice(Math.max(0, at - 12), at))
  if (/^\d{1,5}(?:[/?#]|$)/u.test(password) && isWeb) return null
  if (isWeb && /^[^@#]*\//u.test(password) && !/\d/u.test(password)) return null
  return [start, start + sign]
}

/** The place of the `@` before the host, -1 if there is none. */
function signOf(address: string, colon: number): number {
  let first = -1
  for (let at = address.indexOf('@', colon); at >= 0; at = address.indexOf('@', at + 1)) {
    const host = HOST.exec(address.slice(at + 1))?.[0]
    if (host === undefined) continue
    if (first < 0) first = at
    // A name without dot and port may be a piece of the password: a later host decides.
    if (/[.:]|^localhost$/u.test(host) || /[?#]/u.test(address.slice(first, at)))
      return first === at ? at : first
  }
  return first
}

/** Names in a query whose value is a secret, and how much the value has to look like one. */
const QUERY =
  /(?<name>x-(?:amz|goog)-(?:signature|security-token)|access_?token|auth_?token|id_?token|refresh_?token|api[_-]?key|client_secret|subscription-key|signature|password|passwd|ticket|secret|token|hmac|auth|code|jwt|key|pwd|sas|sig)=/iuy
const NAMES = [
  'x-amz-signature',
  'x-amz-security-token',
  'x-goog-signature',
  'access_token',
  'accesstoken',
  'auth_token',
  'id_token',
  'refresh_token',
  'api_key',
  'api-key',
  'apikey',
  'client_secret',
  'subscription-key',
  'signature',
  'password',
  'passwd',
  'ticket',
  'secret',
  'token',
  'hmac',
  'auth',
  'code',
  'jwt',
  'key',
  'pwd',
  'sas',
  'sig',
]
const BEFORE = /(?:[?&#;]|\\u0026)$/u
const VALUE = /(?:[^\s"'`<>\\&#;,)\]}]){1,4000}/uy

/** [R18] Finds the value after a name in the query or fragment of an address: a signature, a token, a key. */
const queryValue: Finder = (text) => (at) => {
  QUERY.lastIndex = at
  const match = QUERY.exec(text)
  if (match === null || !BEFORE.test(text.slice(Math.max(0, at - 6), at))) return null
  const start = at + match[0].length
  VALUE.lastIndex = start
  const value = VALUE.exec(text)?.[0] ?? ''
  const name = match.groups?.['name'] ?? ''
  if (isPlaceholder(value) || /^[{$:[]/u.test(value)) return null
  const isSigned = /sig|token|hmac|jwt|sas/iu.test(name)
  const isLong = value.length >= (isSigned ? 12 : 20)
  if (!isLong || !isRandom(value) || (!isSigned && isUuid(value))) return null
  return [start, start + value.length]
}

/** [R18] Addresses. */
export const ADDRESS_RULES: readonly Rule[] = [
  {
    kind: 'token',
    name: 'credentials with raw signs in an address',
    anchors: ['://'],
    before: 'any',
    find: rawUserinfo,
  },
  {
    kind: 'token',
    name: 'signature or token in an address',
    anchors: NAMES.map((name) => `${name}=`),
    anyCase: true,
    before: 'any',
    find: queryValue,
  },
  {
    kind: 'key',
    name: 'bot token in a path',
    anchors: ['/bot'],
    before: 'any',
    shape: /\/bot(?<v>[0-9]{6,12}:[A-Za-z0-9_-]{20,60})(?![A-Za-z0-9_-])/uy,
  },
  {
    kind: 'token',
    name: 'signature of a request',
    anchors: ['signature=', 'response='],
    anyCase: true,
    before: 'word',
    lookAgain: true,
    shape: /(?:signature|response)=(?:\\{0,15}["'])?(?<v>[A-Za-z0-9+/%_-]{16,2000}={0,2})/iuy,
    accept: ({ index, groups }, text) =>
      isRandom(groups?.['v'] ?? '') &&
      /(?:authorization|credential|keyid|digest|nonce|oauth)/iu.test(
        text.slice(Math.max(0, index - 600), index),
      ),
  },
]
