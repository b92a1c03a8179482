import { randomBytes } from 'node:crypto'
import { mkdir } from '../platform/files/fenced-fs.ts'
import { join } from 'node:path'
import { writeFileAtomic } from '../platform/files/atomic-file.ts'
import { textIfThere } from '../platform/files/regular-file.ts'

const TOKEN = /^[\w-]{32}$/

/**
 * [F155] The token of this account, made when it is asked for the first time: what stands in the environment of a
 * program that sends stays good. It stands in a file for its owner alone.
 * @param folder as `liveFolder` gives it
 */
export async function receiverToken(folder: string): Promise<string> {
  const path = join(folder, 'otlp-token')
  const kept = await textIfThere(path)
  const before = kept?.ok === true ? kept.value.trim() : ''
  if (TOKEN.test(before)) return before
  const token = randomBytes(24).toString('base64url')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await writeFileAtomic(path, `${token}\n`, { isPrivate: true })
  return token
}
