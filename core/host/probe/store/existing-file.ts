import { stat } from '../../platform/files/fenced-fs.ts'
import type { VectorStore } from '../../../engine/probe/ports.ts'
import { err, messageOf, ok, type Result } from '../../../engine/result.ts'
import type { CollectionEntry, ExistingIndex } from '../../../engine/schema/probe.ts'
import { readText } from '../../platform/files/regular-file.ts'
import type { StoreProblem } from '../ports.ts'
import { cosine } from './candidates.ts'
import { Refused } from './checks.ts'
import { existingStore, fieldOf, type ExistingRow } from './existing.ts'
import { notAsDeclared, unreachable } from './problems.ts'

type FileStore = Extract<NonNullable<CollectionEntry['store']>, { readonly kind: 'file' }>

const MOST_BYTES = 256 * 1024 * 1024
/** Names of vector fields in common exports, used if none is declared. */
const VECTORS = ['embedding', 'vector', 'values'] as const

function vectorOf(fields: unknown, { vector, dimensions }: ExistingIndex): Float32Array | null {
  const names = vector === undefined ? VECTORS : [vector]
  const list = names.map((name) => fieldOf(fields, name)).find((one) => Array.isArray(one))
  if (!Array.isArray(list) || list.length !== dimensions) return null
  return list.every((one) => typeof one === 'number' && Number.isFinite(one))
    ? Float32Array.from(list as readonly number[]) // looked at one by one
    : null
}

function rowsOf(text: string, collection: string, index: ExistingIndex): readonly ExistingRow[] {
  return text.split('\n').flatMap((line, at) => {
    if (line.trim() === '') return []
    const refused = (what: string) =>
      new Refused(notAsDeclared(collection, `line ${at + 1}: ${what}`))
    const fields = parsed(line)
    if (fields === undefined) throw refused('not valid JSON')
    const vector = vectorOf(fields, index)
    if (vector === null) throw refused(`no vector of ${index.dimensions} numbers`)
    const id = fieldOf(fields, 'id')
    return [{ id: typeof id === 'string' ? id : `line ${at + 1}`, fields, vector }]
  })
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

interface Loaded {
  readonly version: string
  readonly bytes: number
  readonly rows: readonly ExistingRow[]
}

/** [D73] Vectors in a file of JSON lines, read again when the file changes. Compared one by one. */
export async function openExistingFile(
  collection: string,
  { path, existing }: FileStore,
): Promise<Result<VectorStore, StoreProblem>> {
  let loaded: Loaded | null = null
  const problemOf = (error: unknown) =>
    unreachable(collection, messageOf(error), `Check the file ${path}`)

  async function load(): Promise<Loaded> {
    const { size, mtimeMs } = await stat(path)
    const version = `file.${size}.${mtimeMs}`
    if (loaded?.version === version) return loaded
    const rows = rowsOf(await readText(path, MOST_BYTES), collection, existing)
    loaded = { version, bytes: size, rows }
    return loaded
  }

  try {
    await load()
  } catch (error) {
    return err(error instanceof Refused ? error.problem : problemOf(error))
  }
  const source = {
    facts: async () => {
      const { version, bytes, rows } = await load()
      const dimensions = rows.length === 0 ? null : existing.dimensions
      return { version, bytes, chunks: rows.length, dimensions }
    },
    nearest: async (vector: Float32Array, limit: number) => {
      const { rows } = await load()
      return rows
        .map((row) => ({ row, similarity: cosine(vector, row.vector) }))
        .toSorted((a, b) => b.similarity - a.similarity)
        .slice(0, limit)
        .map(({ row }) => row)
    },
    close: () => Promise.resolve(),
  }
  return ok(existingStore({ collection, index: existing, problemOf }, source))
}
