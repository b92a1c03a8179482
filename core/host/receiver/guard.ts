import { hash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { SIGNALS, type Signal } from './request.ts'

/** Header in which the token comes: it needs no blank, which environment variables of exporters would have to encode. */
export const TOKEN_HEADER = 'x-turnscope-token'

/** Why a request may not send, before anything of its body is read. */
interface Turned {
  readonly status: 401 | 403 | 404 | 405 | 421
  /** Message for the sender. */
  readonly message: string
  /** For the window: the same for all such requests. */
  readonly why: string
}

/** [F148] Accepts requests only from a program of this machine that knows the token. Refuses pages of any site. */
export function guard(
  request: IncomingMessage,
  hosts: readonly string[],
  token: string | null,
): Signal | Turned {
  const { host = '', origin } = request.headers
  // Any other name is DNS rebinding.
  if (!hosts.includes(host))
    return turned(421, 'misdirected request', 'addressed to another host than this machine')
  if (origin !== undefined)
    return turned(403, 'pages of the web may not send', 'sent by a page of the web')
  if (token !== null && !knows(request, token)) {
    const message = `the token is missing or wrong: set the header ${TOKEN_HEADER}, as turnscope says it`
    return turned(401, message, 'without the token, or with a wrong one')
  }
  const signal = signalAt(request.url ?? '')
  if (signal === undefined) {
    const paths = SIGNALS.map((each) => each.path).join(' and ')
    return turned(404, `only ${paths} are taken`, 'sent to another path (metrics are not taken)')
  }
  return request.method === 'POST' ? signal : turned(405, 'only POST is taken', 'not sent by POST')
}

/** [F148] Exporters that join a base address and a path write `/v1//traces` or `/v1/traces/`. */
function signalAt(url: string): Signal | undefined {
  const [path = ''] = url.split('?', 1)
  const parts = path.split('/').filter((part) => part !== '')
  return path.startsWith('/')
    ? SIGNALS.find((each) => each.path === `/${parts.join('/')}`)
    : undefined
}

function turned(status: Turned['status'], message: string, why: string): Turned {
  return { status, message, why }
}

function knows({ headers }: IncomingMessage, token: string): boolean {
  const given = headers[TOKEN_HEADER] ?? /^Bearer (.+)$/iu.exec(headers.authorization ?? '')?.[1]
  // Hashes have the same length for any input.
  const [a, b] = [String(given ?? ''), token].map((text) => hash('sha256', text, 'buffer'))
  return a !== undefined && b !== undefined && timingSafeEqual(a, b)
}
