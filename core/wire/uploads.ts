import { z } from 'zod'
import { call } from './method.ts'
import { Key } from './shapes.ts'

/** Files whose bytes a browser sends. */
export const uploadContract = {
  /** Bytes of a dropped file, in order, base64, at most 1 MiB a chunk; the upload lives until opened or closed. */
  'upload.begin': call(
    'main',
    { name: z.string().min(1).max(400), bytes: z.int().min(0) },
    { upload: Key },
  ),
  'upload.chunk': call(
    'main',
    { upload: Key, data: z.base64().max(1_500_000) },
    { received: z.int() },
  ),
  /**
   * [I99] The file of an upload has `bytes` bytes now, and is sent again from `from` on. The answer says where
   * the host takes it up: there, or at 0 where it does not have exactly so much; then it is replaced when all
   * of it is there.
   */
  'upload.renew': call(
    'main',
    { upload: Key, bytes: z.int().min(0), from: z.int().min(0) },
    { from: z.int() },
  ),
} as const
