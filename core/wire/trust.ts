import { TrustState } from '../engine/schema/trust.ts'
import { z } from 'zod'
import { call } from './method.ts'
import { nothing } from './shapes.ts'

/** [V30] What the opened workspace may use, and the person's answer to the question. */
export const trustContract = {
  /** What the workspace names now, by its files; nothing is connected to, loaded or started. */
  'trust.state': call('main', nothing, TrustState),
  /**
   * "Trust this workspace": allows all that was listed. Refused where the workspace names something else
   * by now than the list with this digest, so that nobody agrees to what was not read.
   */
  'trust.grant': call('main', { digest: z.string().max(100) }, TrustState),
  /** Forgets what was allowed; what is open is not used any more from the next question on. */
  'trust.revoke': call('main', nothing, TrustState),
} as const
