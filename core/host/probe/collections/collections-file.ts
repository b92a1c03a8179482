import { readdir, stat } from '../../platform/files/fenced-fs.ts'
import { basename, extname, isAbsolute, join, relative, resolve } from 'node:path'
import { isSeq, parseDocument } from 'yaml'
import { type Result, err, ok, messageOf } from '../../../engine/result.ts'
import { type CollectionEntry, CollectionsFile, Persona } from '../../../engine/schema/probe.ts'
import { RpcError } from '../../../wire/rpc.ts'
import { COLLECTIONS_FILE, findCollectionsFile } from '../../workspace/collections-text.ts'
import { saveText } from '../../platform/files/atomic-file.ts'
import { withLock } from '../../platform/files/file-lock.ts'
import { refuseOutwardLink } from '../../platform/files/outward-link.ts'
import { parseDataFile } from '../../platform/files/parse-file.ts'
import { textIfThere } from '../../platform/files/regular-file.ts'

const PERSONAS = 'profiles/personas'
/** A file for a workspace that has none and nothing that ships. */
const EMPTY_FILE =
  '# Collections that the semantic probe asks. Vectors are made from the documents and can be deleted at any time.\ncollections: []\n'

/** Keeps the formatting of lists as the user wrote them. */
const AS_WRITTEN = { flowCollectionPadding: false, lineWidth: 0 } as const

/** A collection with its documents' places on this machine. */
export interface Collection {
  readonly entry: CollectionEntry
  /** Absolute, in the order of the file. */
  readonly paths: readonly string[]
  /** Part of what ships: may be indexed without a request. */
  readonly isSample: boolean
  /** The problem of the entry; null = none. */
  readonly problem: string | null
}

interface Collections {
  /** [D41] Name of the embedder that the workspace prescribes; null = that of the settings. */
  readonly embedder: string | null
  readonly collections: readonly Collection[]
}

/** No name twice: vectors of two collections would share a folder. */
const CheckedFile = CollectionsFile.superRefine(({ collections }, context) => {
  const seen = new Set<string>()
  for (const [index, { name }] of collections.entries()) {
    if (seen.has(name)) {
      const path = ['collections', index, 'name']
      context.addIssue({ code: 'custom', message: `"${name}" stands here twice`, path })
    }
    seen.add(name)
  }
})

/**
 * [D40] Reads the collections of a workspace: its own file, else the shipped one. A broken file is a problem with its
 * place; the shipped file never replaces it. Relative paths start in the workspace. If a path does not exist there, the
 * shipped folder is searched.
 * @param roots the workspace, then the shipped folder
 */
export async function readCollections(roots: readonly string[]): Promise<Result<Collections>> {
  const found = await findCollectionsFile(roots)
  if (found === null) return ok({ embedder: null, collections: [] })
  if (!found.text.ok) return found.text
  const parsed = parseDataFile(CheckedFile, found.text.value, COLLECTIONS_FILE)
  if (!parsed.ok) return parsed
  const personas = await readPersonas(roots)
  const samples = join(roots.at(-1) ?? found.root, 'fixtures', 'collections')
  const collections = parsed.value.collections.map(async (entry): Promise<Collection> => {
    const paths = await Promise.all(entry.paths.map((path) => locate(roots, path)))
    const isSample = paths.length > 0 && paths.every((path) => isInside(samples, path))
    const located = await withFile(roots, entry)
    return { entry: located, paths, isSample, problem: personaProblem(entry, personas) }
  })
  return ok({
    embedder: parsed.value.embedder ?? null,
    collections: await Promise.all(collections),
  })
}

/** [D73] The file of an existing index, if it is on this machine. */
async function withFile(
  roots: readonly string[],
  entry: CollectionEntry,
): Promise<CollectionEntry> {
  if (entry.store?.kind !== 'file') return entry
  return { ...entry, store: { ...entry.store, path: await locate(roots, entry.store.path) } }
}

async function locate(roots: readonly string[], path: string): Promise<string> {
  const [workspace = ''] = roots
  if (isAbsolute(path)) return path
  for (const root of roots) {
    const absolute = resolve(root, path)
    if ((await stat(absolute).catch(() => null)) !== null) return absolute
  }
  return resolve(workspace, path)
}

/** Whether `path` is `folder` or below it. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way === '' || (!way.startsWith('..') && !isAbsolute(way))
}

/** Names of personas, with the problems of their files. */
async function readPersonas(roots: readonly string[]): Promise<ReadonlyMap<string, string | null>> {
  const personas = new Map<string, string | null>()
  for (const root of roots) {
    const files = await readdir(join(root, PERSONAS)).catch(() => [])
    for (const file of files.filter((name) => extname(name) === '.json').toSorted()) {
      const shown = `${PERSONAS}/${file}`
      const text = (await textIfThere(join(root, PERSONAS, file), shown)) ?? ok('')
      const parsed = text.ok ? parseDataFile(Persona, text.value, shown) : text
      const name = parsed.ok ? parsed.value.name : basename(file, '.json')
      const problem = parsed.ok ? null : `${parsed.error.where}: ${parsed.error.what}`
      if (!personas.has(name)) personas.set(name, problem)
    }
  }
  return personas
}

function personaProblem(
  { persona }: CollectionEntry,
  personas: ReadonlyMap<string, string | null>,
): string | null {
  if (persona === null || persona === undefined) return null
  const problem = personas.get(persona)
  return problem === undefined ? `there is no persona "${persona}" in ${PERSONAS}` : problem
}

/**
 * [D40] Adds a collection, or documents to it, to the workspace's file; comments and order stay. A
 * workspace without a file gets a copy of the one that ships. Paths inside the workspace are kept
 * relative, so that the workspace can be moved.
 * @param paths absolute
 */
export async function addToCollections(
  roots: readonly string[],
  name: string,
  paths: readonly string[],
): Promise<Result<null>> {
  return await alone(roots, () => add(roots, name, paths))
}

async function add(
  roots: readonly string[],
  name: string,
  paths: readonly string[],
): Promise<Result<null>> {
  const [workspace = ''] = roots
  const file = await openFile(roots)
  if (!file.ok) return file
  const { document, entries } = file.value
  const shown = paths.map((path) => shownPath(workspace, path))
  const at = entries.findIndex((entry) => entry.name === name)
  const known = entries[at]?.paths ?? []
  if (at < 0) document.addIn(['collections'], document.createNode({ name, paths: shown }))
  else {
    const list = document.getIn(['collections', at, 'paths'], true)
    for (const path of shown.filter((each) => !known.includes(each))) {
      if (isSeq(list)) list.add(document.createNode(path))
    }
  }
  const text = document.toString(AS_WRITTEN)
  const checked = parseDataFile(CheckedFile, text, COLLECTIONS_FILE)
  if (!checked.ok) return checked
  return await write(join(workspace, COLLECTIONS_FILE), text)
}

/** The raw file for an edit, with its parsed value. */
async function openFile(roots: readonly string[]) {
  const found = await findCollectionsFile(roots)
  const text = found?.text ?? ok(EMPTY_FILE)
  if (!text.ok) return text
  const document = parseDocument(text.value, { prettyErrors: false })
  const parsed = parseDataFile(CheckedFile, String(document), COLLECTIONS_FILE)
  return parsed.ok ? ok({ document, entries: parsed.value.collections }) : parsed
}

/** [F20] Reads and writes the workspace's file under a lock, so that entries added by other processes stay. */
async function alone(
  roots: readonly string[],
  work: () => Promise<Result<null>>,
): Promise<Result<null>> {
  const [workspace = ''] = roots
  const path = join(workspace, COLLECTIONS_FILE)
  try {
    refuseOutwardLink(workspace, path)
    return await withLock(path, work)
  } catch (error) {
    if (error instanceof RpcError) {
      return err({ what: error.what, where: COLLECTIONS_FILE, do: error.do ?? '' })
    }
    const what = `cannot be written (${messageOf(error)})`
    return err({ what, where: COLLECTIONS_FILE, do: 'Check the rights of the workspace' })
  }
}

async function write(path: string, text: string): Promise<Result<null>> {
  await saveText(path, text)
  return ok(null)
}

/** A path as stored in the file: relative to the workspace if it is inside, with `/`. */
function shownPath(workspace: string, path: string): string {
  if (!isInside(workspace, path)) return path
  const way = relative(workspace, path).replaceAll('\\', '/')
  return way === '' ? '.' : way
}

/** [D40] Removes a collection from the workspace's file. Its documents are not touched. */
export async function takeFromCollections(
  roots: readonly string[],
  name: string,
): Promise<Result<null>> {
  return await alone(roots, () => take(roots, name))
}

async function take(roots: readonly string[], name: string): Promise<Result<null>> {
  const [workspace = ''] = roots
  const file = await openFile(roots)
  if (!file.ok) return file
  const { document, entries } = file.value
  const at = entries.findIndex((entry) => entry.name === name)
  if (at < 0) return ok(null)
  document.deleteIn(['collections', at])
  return await write(join(workspace, COLLECTIONS_FILE), document.toString(AS_WRITTEN))
}
