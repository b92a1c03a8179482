import { basename, dirname, join } from 'node:path'
import type { CompanionTag, Importer } from '../../engine/import/source.ts'
import { namesIn } from './folder-names.ts'
import { openSource } from './read-transcript.ts'

/** Names that are looked at for one file. */
const MAX_NEIGHBOURS = 5000

/**
 * [I56] Files beside an opened one that may belong to it by their names, by their path relative to its
 * folder: in the folders that its format names, or else in its own and those in it. Links are not followed.
 */
export async function companionsOf(path: string, importer: Importer): Promise<readonly string[]> {
  if (importer.companions === undefined) return []
  const name = basename(path)
  const named = importer.companionFolders?.(name)
  const neighbours = await (named === undefined
    ? aroundOf(dirname(path))
    : filesIn(dirname(path), named))
  const wanted = importer.companions(
    name,
    neighbours.filter((each) => each !== name),
  )
  const known = new Set(neighbours)
  return [...new Set(wanted)]
    .filter((each) => known.has(each) && each !== name)
    .slice(0, MAX_NEIGHBOURS)
}

/** All files of these folders: the format takes those that it knows by name. */
async function filesIn(folder: string, named: readonly string[]): Promise<readonly string[]> {
  const files: string[] = []
  for (const each of named) {
    for (const name of (await namesIn(join(folder, each))).files) {
      files.push(each === '.' ? name : `${each}/${name}`)
    }
  }
  return files
}

async function aroundOf(folder: string): Promise<readonly string[]> {
  const { files: own, folders } = await namesIn(folder)
  const files = [...own]
  for (const each of folders) {
    if (files.length >= MAX_NEIGHBOURS) break
    for (const name of (await namesIn(join(folder, each))).files) files.push(`${each}/${name}`)
  }
  return files.slice(0, MAX_NEIGHBOURS)
}

const UNTAGGED: CompanionTag = { session: null, agent: null }

/**
 * [I101] What a companion says of itself. Its beginning is read once, however many sessions of the folder
 * ask; again only while it says nothing.
 */
export async function tagOf(path: string, importer: Importer): Promise<CompanionTag> {
  if (importer.tag === undefined) return UNTAGGED
  const { tags } = await namesIn(dirname(path))
  const known = tags.get(basename(path))
  if (known !== undefined) return known
  const source = await openSource(path, path).catch(() => null)
  const tag = source === null ? UNTAGGED : importer.tag(source.head)
  if (tag.session !== null) tags.set(basename(path), tag)
  return tag
}
