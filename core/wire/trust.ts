import { TrustState } from '../engine/schema/trust.ts'
import { z } from 'zod'
import { call } from './method.ts'
import { nothing } from './shapes.ts'

/** [V30] The permissions requested by the opened workspace, and the operator's answer. */
export const trustContract = {
  /** The items that the workspace currently names, read from its files. Nothing is connected, loaded or started. */
  'trust.state': call('main', nothing, TrustState),
  /**
   * "Trust this workspace": allows all listed items. Refused if the workspace now names other items than the list with
   * this digest, so that the operator never agrees to unread items.
   */
  'trust.grant': call('main', { digest: z.string().max(100) }, TrustState),
  /** Revokes the permissions. Open items are no longer used, starting with the next request. */
  'trust.revoke': call('main', nothing, TrustState),
} as const
