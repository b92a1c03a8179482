import type { Result } from '../../../engine/result.ts'
import type { CoachFailure, CoachSettings } from '../../../engine/schema/coach-wire.ts'
import { PROVIDERS } from '../../../engine/trust/items.ts'
import { failureOf } from '../../platform/net/call-failures.ts'
import { LOOPBACK } from '../../platform/net/loopback-names.ts'

const PRIVATE =
  /^(?:10(?:\.\d{1,3}){3}|192\.168(?:\.\d{1,3}){2}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d{1,3}){2}|[\w-]+|[\w.-]+\.local)$/

/** Address that calls go to. */
export interface Endpoint {
  readonly baseUrl: string
  readonly origin: string
  /** This machine. */
  readonly loopback: boolean
  /** This machine or its own network: may do without a key. */
  readonly local: boolean
  /** The provider's own address. */
  readonly own: boolean
}

/** The address in the settings; a failure if it cannot be used. */
export function endpointOf(settings: CoachSettings): Result<Endpoint, CoachFailure> {
  const own = PROVIDERS[settings.provider]
  const given = settings.baseUrl ?? own
  const url = URL.parse(given)
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '') {
    return { ok: false, error: failureOf('unreachable', 'the address is not http or https') }
  }
  const loopback = LOOPBACK.test(url.hostname)
  return {
    ok: true,
    value: {
      baseUrl: given.replace(/\/+$/, ''),
      origin: url.origin,
      loopback,
      local: loopback || PRIVATE.test(url.hostname),
      own: url.origin === new URL(own).origin,
    },
  }
}
