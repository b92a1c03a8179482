import { lstat, readdir } from '../platform/files/fenced-fs.ts'
import { basename, dirname, join } from 'node:path'
import { foldersOf } from '../batch/folders.ts'
import { type Manifest, readManifest } from '../batch/manifest-schema.ts'
import { refusal } from '../platform/threads/refusal.ts'

/** A folder of results, as far as its files tell. */
export interface ResultFiles {
  readonly folder: string
  readonly manifest: Manifest
  readonly turns: readonly string[]
  readonly flips: readonly string[]
}

const PART = /^part-\d{5}\.parquet$/u
const MANIFEST = 'manifest.json'

/** [F141] The folder that a path refers to: the folder itself, or the folder of a manifest. */
export function folderOfResults(path: string): string {
  return basename(path) === MANIFEST ? dirname(path) : path
}

/** Parts of a result, in their order. [F143] A link may lead anywhere, and a pipe waits for ever: neither is one. */
export async function partsOf(folder: string): Promise<readonly string[]> {
  const own = await lstat(folder).catch(() => null)
  if (own?.isSymbolicLink() === true)
    throw refusal({
      what: 'a folder of the results is a link',
      where: folder,
      do: 'Put the folder itself in its place',
    })
  const names = await readdir(folder).catch(() => [])
  const paths = names
    .filter((name) => PART.test(name))
    .toSorted()
    .map((name) => join(folder, name))
  for (const path of paths) {
    if ((await lstat(path)).isFile()) continue
    throw refusal({
      what: 'a part of the results is no regular file',
      where: path,
      do: 'Put the file itself in its place',
    })
  }
  return paths
}

/** [F140] Contents of a folder of results, from its manifest and the names of its parts. */
export async function resultFiles(path: string): Promise<ResultFiles> {
  const folder = folderOfResults(path)
  const folders = foldersOf(folder)
  const manifest = await readManifest(folders)
  const nothing = { where: folder, do: 'Name the folder that `turnscope batch --out` filled' }
  if (manifest === null) throw refusal({ what: 'this folder holds no finished batch', ...nothing })
  const turns = await partsOf(dirname(folders.turns(0)))
  const flips = await partsOf(dirname(folders.flips(0)))
  if (turns.length === 0) throw refusal({ what: 'the parts of these results are gone', ...nothing })
  return { folder, manifest, turns, flips }
}
