import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { parseJson } from '../../engine/result.ts'
import { readBytesSync } from '../platform/files/regular-file.ts'
import { checkedBytes, checkedContent } from './checked.ts'
import type { AutomataPlaces } from './store.ts'
import { engineName } from './stamp.ts'

/** Cached results other than automata, as JSON values. */
export interface DerivedFiles {
  /** Undefined: it was not kept, or is damaged. */
  readonly read: (name: string) => unknown
  /** If the file cannot be written, no error is reported; the result is computed again. */
  readonly write: (name: string, value: unknown) => void
}

/** Of an account's own file of a few thousand patterns it is a few megabytes. */
const MOST_BYTES = 32 * 1024 * 1024

/** [C23] Name of the cache file for a result computed from these texts by this engine. */
export function derivedFileName(kind: string, texts: Iterable<string>): string {
  const hash = createHash('sha256').update(`${engineName()}\0${kind}`)
  for (const text of texts) hash.update('\0').update(text)
  return `${hash.digest('hex')}.kept`
}

/** Content of such a file. */
export const derivedBytes = (value: unknown): Uint8Array =>
  checkedBytes(new TextEncoder().encode(JSON.stringify(value)))

/**
 * [C23] Reads and writes files of cached results. The account's own folder takes precedence over the shipped one,
 * because it may know more. The name identifies the input and the engine, so a correct checksum is enough.
 */
export function createDerivedFiles(
  { shipped, own }: AutomataPlaces,
  write: (name: string, bytes: Uint8Array) => void,
): DerivedFiles {
  function readIn(folder: string, name: string): unknown {
    try {
      const content = checkedContent(readBytesSync(join(folder, name)), MOST_BYTES)
      const parsed = content === null ? null : parseJson(new TextDecoder().decode(content))
      return parsed?.ok === true ? parsed.value : undefined
    } catch {
      // The file does not exist.
      return undefined
    }
  }
  return {
    read: (name) => (own === null ? undefined : readIn(own, name)) ?? readIn(shipped, name),
    write: (name, value) => {
      if (own !== null) write(name, derivedBytes(value))
    },
  }
}
