import { z } from 'zod'
import { call } from './method.ts'
import { Key, nothing } from './shapes.ts'

/** A file that a browser sent and the workspace keeps. */
export const StoredUpload = z.object({
  upload: Key,
  name: z.string(),
  bytes: z.int(),
  /** SHA-256 of the content, in hex. */
  hash: z.string(),
  /** When it was sent or last opened, in epoch milliseconds. */
  usedAt: z.number(),
})
export type StoredUpload = Readonly<z.infer<typeof StoredUpload>>

/** Files whose bytes a browser sends. */
export const uploadContract = {
  /** [I96] The bytes follow in order, base64, at most 1 MiB a chunk. The workspace keeps the file until it is removed. */
  'upload.begin': call(
    'main',
    { name: z.string().min(1).max(400), bytes: z.int().min(0) },
    { upload: Key },
  ),
  'upload.chunk': call(
    'main',
    { upload: Key, data: z.base64().max(1_500_000) },
    /** `upload`: the id to continue with. It changes with the last chunk if the workspace has the same content. */
    { received: z.int(), upload: Key },
  ),
  /**
   * [I99] The file of an upload now has `bytes` bytes, and is sent again starting at `from`. The answer gives the
   * offset at which the host resumes: `from`, or 0 if it does not hold exactly that many bytes. From 0, the upload is
   * replaced once all of it has arrived.
   */
  'upload.renew': call(
    'main',
    { upload: Key, bytes: z.int().min(0), from: z.int().min(0) },
    { from: z.int() },
  ),
  /** [I96] Removes a stored upload. Its labels stay. Refused while a window has it open. */
  'upload.remove': call('main', { upload: Key }, nothing),
} as const
