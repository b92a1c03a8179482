import { readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Importer } from '../../engine/import/source.ts'

/** Names that are looked at for one file, and companions that are read with it. */
const MAX_NEIGHBOURS = 5000
const MAX_COMPANIONS = 500

/**
 * [I56] Files beside an opened one that its format says belong to it, by their path relative to its
 * folder: that folder and the folders in it are looked at, links are not followed.
 */
export async function companionsOf(path: string, importer: Importer): Promise<readonly string[]> {
  if (importer.companions === undefined) return []
  const name = basename(path)
  const neighbours = await neighboursOf(dirname(path))
  const wanted = importer.companions(
    name,
    neighbours.filter((each) => each !== name),
  )
  const known = new Set(neighbours)
  return [...new Set(wanted)]
    .filter((each) => known.has(each) && each !== name)
    .slice(0, MAX_COMPANIONS)
}

async function neighboursOf(folder: string): Promise<readonly string[]> {
  const files: string[] = []
  const folders: string[] = []
  for (const entry of await list(folder)) {
    if (entry.isFile()) files.push(entry.name)
    else if (entry.isDirectory()) folders.push(entry.name)
  }
  for (const each of folders) {
    if (files.length >= MAX_NEIGHBOURS) break
    for (const entry of await list(join(folder, each))) {
      if (entry.isFile()) files.push(`${each}/${entry.name}`)
    }
  }
  return files.slice(0, MAX_NEIGHBOURS)
}

/** In a fixed order, so that the same folder always reads the same. */
async function list(folder: string) {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1))
}
