import { realpath } from '../platform/files/fenced-fs.ts'
import { basename, dirname, join } from 'node:path'
import { FOLDER_ROUNDS, type CompanionTag, type Importer } from '../../engine/import/source.ts'
import { type FolderNames, namesIn } from '../platform/files/folder-names.ts'
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
  const neighbours = await (importer.companionFolders === undefined
    ? aroundOf(dirname(path))
    : inNamedFolders(path, importer.companionFolders))
  const wanted = importer.companions(
    name,
    neighbours.filter((each) => each !== name),
  )
  const known = new Set(neighbours)
  return [...new Set(wanted)]
    .filter((each) => known.has(each) && each !== name)
    .slice(0, MAX_NEIGHBOURS)
}

/** Files of the folders that the format names, asked again as long as it names others. */
async function inNamedFolders(
  path: string,
  foldersFor: NonNullable<Importer['companionFolders']>,
): Promise<readonly string[]> {
  let files: readonly string[] = []
  let before = ''
  for (let round = 0; round < FOLDER_ROUNDS; round += 1) {
    const named = foldersFor(basename(path), { files, round })
    if (named.join('\n') === before && round > 1) break
    before = named.join('\n')
    files = await filesIn(dirname(path), named)
    if (files.length === 0) break
  }
  return files
}

/** The folders that a name matches: `*` matches each folder. */
async function expanded(folder: string, name: string): Promise<readonly string[]> {
  if (!name.endsWith('/*')) return [name]
  const around = name.slice(0, -2)
  return (await namesIn(join(folder, around))).folders.map((inside) => `${around}/${inside}`)
}

/** All files of these folders: the format takes those that it knows by name. */
async function filesIn(folder: string, named: readonly string[]): Promise<readonly string[]> {
  const files: string[] = []
  const folders = await Promise.all(named.map((name) => expanded(folder, name)))
  const root = await realpath(folder).catch(() => folder)
  for (const each of new Set(folders.flat())) {
    if (files.length >= MAX_NEIGHBOURS) break
    if (!(await isWithoutLinks(root, each))) continue
    for (const name of (await namesIn(join(folder, each))).files) {
      files.push(each === '.' ? name : `${each}/${name}`)
    }
  }
  return files
}

/**
 * Whether the path of a folder contains no links. The author of a session could choose the target of a link next to it.
 */
async function isWithoutLinks(root: string, name: string): Promise<boolean> {
  const place = join(root, name)
  return (await realpath(place).catch(() => null)) === place
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
 * [I101] Tags of companions. Their beginnings are read once for all sessions of the folder, and again only while they
 * contain no tag. A folder is listed once for all of its files.
 */
export function createTags(importer: Importer): (path: string) => Promise<CompanionTag> {
  const folders = new Map<string, FolderNames>()
  return async (path) => {
    if (importer.tag === undefined) return UNTAGGED
    const folder = dirname(path)
    const names = folders.get(folder) ?? (await namesIn(folder))
    folders.set(folder, names)
    const { tags } = names
    const known = tags.get(basename(path))
    if (known !== undefined) return known
    const source = await openSource(path, path).catch(() => null)
    const tag = source === null ? UNTAGGED : importer.tag(source.head)
    if (tag.session !== null) tags.set(basename(path), tag)
    return tag
  }
}
