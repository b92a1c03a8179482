import { stat } from '../../platform/files/fenced-fs.ts'
import { join } from 'node:path'
import { z } from 'zod'
import { CHUNKING } from '../../../engine/probe/chunk.ts'
import { writeFileAtomic } from '../../platform/files/atomic-file.ts'
import { jsonAs } from '../../platform/json.ts'
import { LONG_TEXT_BYTES, readText } from '../../platform/files/regular-file.ts'

const FILE = 'manifest.json'

const DocumentRecord = z.strictObject({
  name: z.string(),
  /** Path that it was read from. */
  path: z.string(),
  /** SHA-256 of its bytes as text, hex. */
  hash: z.string(),
  bytes: z.number(),
  modifiedAt: z.number(),
  chunks: z.int(),
})
export type DocumentRecord = Readonly<z.infer<typeof DocumentRecord>>

/** [D43] Sources of a collection's vectors. Written only after the store has accepted them. */
const Manifest = z.strictObject({
  version: z.literal(1),
  /**
   * [D67] Version of the code that cut and read the documents. If another version made them, all documents are indexed
   * again.
   */
  chunking: z.int(),
  embedder: z.string().nullable(),
  /** Version of the store that this describes; another one = the store has changed without us. */
  storeVersion: z.string(),
  /** Epoch milliseconds. */
  indexedAt: z.number(),
  documents: z.array(DocumentRecord),
  /** [D44] */
  calibration: z.strictObject({ embedder: z.string(), percentile: z.number() }).nullable(),
  /** The last repair that was needed; null = none. */
  note: z.string().nullable(),
})
export type Manifest = Readonly<z.infer<typeof Manifest>>

/** [D67] Whether vectors and words were made as this version makes them. */
export function isCurrent({ chunking }: Manifest): boolean {
  return chunking === CHUNKING
}

/** The manifest of a collection's folder. Null if it does not exist, `damaged` if it is unusable. */
async function readManifest(folder: string): Promise<Manifest | null | 'damaged'> {
  const text = await readText(join(folder, FILE), LONG_TEXT_BYTES).catch(() => null)
  return text === null ? null : (jsonAs(Manifest, text) ?? 'damaged')
}

/** The same, read again only when the file is another one: a manifest of many documents is large. */
export function createManifestReader(folder: string): () => ReturnType<typeof readManifest> {
  let known: { readonly stamp: string; readonly read: ReturnType<typeof readManifest> } | null =
    null
  return async () => {
    const info = await stat(join(folder, FILE)).catch(() => null)
    const stamp = info === null ? '' : `${info.ino}:${info.mtimeMs}:${info.size}`
    if (known?.stamp !== stamp) known = { stamp, read: readManifest(folder) }
    return await known.read
  }
}

/** Throws if the folder cannot be written. */
export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  await writeFileAtomic(join(folder, FILE), `${JSON.stringify(manifest)}\n`)
}
