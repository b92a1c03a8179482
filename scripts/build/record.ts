import { createHash } from 'node:crypto'
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, isAbsolute, join, relative } from 'node:path'
import { z } from 'zod'
import { hashInput } from './source-hash.ts'

const FileRow = z.tuple([z.string(), z.number(), z.number(), z.string()])
const BuildRecord = z.object({
  options: z.string(),
  files: z.array(FileRow),
  outputs: z.array(z.string()),
})

/** Path from the root, modification time in ms, size in bytes, and the hash of the content that counts (hex). */
type FileRow = z.infer<typeof FileRow>

/** The inputs of one part of `dist/` at its last build. bin/launch.cjs reads the record of the command line. */
export type BuildRecord = z.infer<typeof BuildRecord>

/** Hash of a file that changed during the build: no content has it. */
const UNKNOWN = ''

/**
 * Records a build that just ended.
 * @param root absolute path of the project
 * @param paths files that the build read, absolute or from the root. Files of packages are dropped: the lock file counts
 * @param startedAt ms since 1970. A file that changed since then may differ from the one that was read
 */
export function recordBuild(
  root: string,
  paths: Iterable<string>,
  startedAt: number,
  { options = '', outputs = [] as readonly string[] } = {},
): BuildRecord {
  const files = new Set([...paths].flatMap((path) => ownPath(root, path) ?? []))
  return {
    options,
    files: [...files].toSorted().map((path): FileRow => {
      const { mtimeMs, size } = statSync(join(root, path))
      const hash = mtimeMs < startedAt ? hashFile(root, path) : UNKNOWN
      return [path, mtimeMs, size, hash]
    }),
    outputs: outputs.map((path) => relative(root, join(root, path)).replaceAll('\\', '/')).sort(),
  }
}

/** Path from the root; null if the file belongs to a package, is virtual, or is outside the project. */
function ownPath(root: string, id: string): string | null {
  const path = id.replace(/\?.*$/u, '')
  if (path.startsWith('\0')) return null
  const own = (isAbsolute(path) ? relative(root, path) : path).replaceAll('\\', '/')
  const isOwn = !own.startsWith('..') && !/(?:^|\/)node_modules\//u.test(own)
  // A package that is left out of a bundle may have the name of a folder.
  return isOwn && isFile(join(root, own)) ? own : null
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
}

/** Hashes of files with their times and sizes: several parts read the same files. */
const hashes = new Map<string, readonly [time: number, size: number, hash: string]>()

function hashFile(root: string, path: string): string {
  const full = join(root, path)
  const { mtimeMs, size } = statSync(full)
  const known = hashes.get(full)
  if (known?.[0] === mtimeMs && known[1] === size) return known[2]
  const hash = hashInput(path, readFileSync(full))
  hashes.set(full, [mtimeMs, size, hash])
  return hash
}

/** Null if no build wrote it, or a build was interrupted. */
export function readRecord(path: string): BuildRecord | null {
  try {
    return BuildRecord.safeParse(JSON.parse(readFileSync(path, 'utf8'))).data ?? null
  } catch {
    return null
  }
}

/** Replaces the file in one step, so that readers never see a partial file. */
export function writeRecord(path: string, record: BuildRecord): void {
  mkdirSync(dirname(path), { recursive: true })
  const temporary = `${path}.${process.pid}.tmp`
  writeFileSync(temporary, JSON.stringify(record))
  renameSync(temporary, path)
}

/** The record with the current state of the same inputs; a missing file has no hash. */
export function currentInputs(root: string, record: BuildRecord): BuildRecord {
  const files = record.files.map(([path, time, size, hash]): FileRow => {
    const info = statSync(join(root, path), { throwIfNoEntry: false })
    if (info === undefined) return [path, -1, 0, UNKNOWN]
    const isSame = info.mtimeMs === time && info.size === size
    return [path, info.mtimeMs, info.size, isSame ? hash : hashFile(root, path)]
  })
  return { ...record, files }
}

/**
 * Cache key of a part (hex): its options and the content of the files that it reads. Times, comments, layout and files
 * that no module imports do not count.
 */
export function keyOf({ options, files }: BuildRecord): string {
  const hash = createHash('sha256').update(options)
  for (const [path, , , content] of files) hash.update(`\0${path}\0${content}`)
  return hash.digest('hex')
}

/** Files below a folder, as paths from the root, sorted. */
export function filesBelow(root: string, folder: string): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort()
}

/** Marks a part as not built. */
export function removeRecord(path: string): void {
  rmSync(path, { force: true })
}
