import { hash } from 'node:crypto'
import { mkdir, rm } from '../../platform/files/fenced-fs.ts'
import { join } from 'node:path'
import { z } from 'zod'
import type { Immutable } from '../../../engine/schema/immutable.ts'
import { LibraryStats, ProblemText } from '../../../engine/schema/library.ts'
import type { ReplayConfig } from '../../../engine/schema/replay.ts'
import { LibraryFacts } from '../../../wire/internal/session.ts'
import { writeFileAtomic } from '../../platform/files/atomic-file.ts'
import type { DataKind } from '../../workspace/data-kinds.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { jsonAs } from '../../platform/json.ts'
import { messageOf } from '../../../engine/result.ts'
import { keepAside } from '../../platform/files/keep-aside.ts'
import {
  LONG_TEXT_BYTES,
  isMissing,
  readBytes,
  readText,
} from '../../platform/files/regular-file.ts'
import { notice } from '../../platform/terminal.ts'

const Stats = LibraryStats.omit({ flips: true })

const IndexRecord = z.object({
  /** Relative to the folder, with `/`. */
  path: z.string(),
  bytes: z.number(),
  modifiedAt: z.number(),
  /** Size and time of the file and of all that is read with it: when it differs, the rest is old. */
  stamp: z.string(),
  /** Read with this file, so not listed beside it. */
  companions: z.array(z.string()),
  /** Facts from reading the file, independent of the configuration. */
  facts: LibraryFacts.nullable(),
  problem: ProblemText.nullable(),
  /** Why the file is not listed. */
  skipped: z.string().nullable(),
  /** By fingerprint of the configuration. */
  stats: z.record(z.string(), Stats),
  /** By fingerprints of both configurations. */
  flips: z.record(z.string(), z.int()),
})
export type IndexRecord = Immutable<z.infer<typeof IndexRecord>>

const LibraryIndex = z.object({
  /** Another version is rebuilt: nothing here is worth a migration. */
  version: z.literal(1),
  folder: z.string(),
  scannedAt: z.number().nullable(),
  skipped: z.record(z.string(), z.int()),
  /** Fingerprints in order of use, the newest last. */
  used: z.array(z.string()),
  records: z.array(IndexRecord),
})
export type LibraryIndex = Immutable<z.infer<typeof LibraryIndex>>

export function emptyIndex(folder: string): LibraryIndex {
  return { version: 1, folder, scannedAt: null, skipped: {}, used: [], records: [] }
}

/** [K3] Cached indexes, one file a folder, in `library/` of the state. */
export interface IndexStore {
  /** An index that is missing, damaged or of another version is empty: it is made again by a scan. */
  load(folder: string): Promise<LibraryIndex>
  save(index: LibraryIndex): Promise<void>
  forget(folder: string): Promise<void>
}

export function createIndexStore(
  stateDir: string,
  say: (line: string) => void = notice,
): IndexStore {
  /** [F17] Folders whose index is there and cannot be read: it may be whole, so it is not written over. */
  const unread = new Set<string>()
  const known = new Map<string, Promise<LibraryIndex>>()
  const pathOf = (folder: string) => {
    const name = hash('sha256', folder, 'base64url').slice(0, 22)
    return join(stateDir, 'library', `${name}.json`)
  }
  return {
    load: (folder) => {
      const loaded =
        known.get(folder) ??
        readIndex(pathOf(folder), folder, { say, onUnread: () => unread.add(folder) })
      known.set(folder, loaded)
      return loaded
    },
    save: async (index) => {
      known.set(index.folder, Promise.resolve(index))
      if (unread.has(index.folder)) return
      await mkdir(join(stateDir, 'library'), { recursive: true })
      await writeFileAtomic(pathOf(index.folder), JSON.stringify(index), { isPrivate: true })
    },
    forget: async (folder) => {
      known.delete(folder)
      unread.delete(folder)
      await rm(pathOf(folder), { force: true })
    },
  }
}

interface Reading {
  readonly say: (line: string) => void
  readonly onUnread: () => void
}

async function readIndex(
  path: string,
  folder: string,
  { say, onUnread }: Reading,
): Promise<LibraryIndex> {
  try {
    const index = jsonAs(LibraryIndex, await readText(path, LONG_TEXT_BYTES))
    if (index?.folder === folder) return index
    say(
      `${path}: not an index of ${folder}; it is kept as ${await keepAside(path)} and made again.`,
    )
  } catch (error) {
    if (!isMissing(error)) {
      onUnread()
      const what = `the index of ${folder} cannot be read (${messageOf(error)})`
      say(`${path}: ${what}. It is left alone, and a scan lasts until you quit.`)
    }
  }
  return emptyIndex(folder)
}

/** Raised when the same files would give other stats. */
const STATS_VERSION = 1

/** Both keys of the indexed results under a configuration. */
export interface Fingerprints {
  readonly base: string
  /** Of both configurations; null without a comparison. */
  readonly pair: string | null
}

/**
 * [K4] Fingerprints of a configuration. They depend on the contents of its files, not on their names, so an edited file
 * counts as a different configuration. Nothing is parsed, because this must be fast.
 */
export async function fingerprintsOf(
  workspace: Workspace,
  version: string,
  { config, compare }: { readonly config: ReplayConfig; readonly compare: ReplayConfig | null },
): Promise<Fingerprints> {
  const one = async (each: ReplayConfig) => {
    const parts = await Promise.all([
      contentOf(workspace, 'presets', each.preset),
      contentOf(workspace, 'domains', each.domains),
      each.profile === null ? '' : contentOf(workspace, 'models', each.profile),
    ])
    return short(JSON.stringify([STATS_VERSION, version, parts, each.classify]))
  }
  const base = await one(config)
  return { base, pair: compare === null ? null : `${base}+${await one(compare)}` }
}

async function contentOf(workspace: Workspace, kind: DataKind, name: string): Promise<string> {
  const file = await workspace.find(kind, name)
  if (!file.ok) return 'missing'
  const bytes = await readBytes(file.value.path).catch(() => null)
  return bytes === null ? 'unreadable' : short(bytes)
}

function short(data: string | Uint8Array): string {
  return hash('sha256', data, 'base64url').slice(0, 16)
}
