import { createHash } from 'node:crypto'
import { readdir } from '../platform/files/fenced-fs.ts'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import { openRegular } from '../platform/files/regular-file.ts'
import { type Database, quoted } from './duckdb.ts'
import { UNUSABLE } from './write-parts.ts'
import { type BatchFolders, textOrNull, writeWhole } from './folders.ts'
import type { Manifest } from './manifest-schema.ts'
import type { Plan } from './plan-schema.ts'

const Counts = z.object({
  sessions: z.number(),
  rows: z.number(),
  turns: z.number(),
  flips: z.number(),
  cutOffs: z.array(z.string()),
})

/** Collects the results of the parts. Written last. */
export async function writeManifest(
  database: Database,
  folders: BatchFolders,
  plan: Plan,
): Promise<Manifest> {
  const unusable = await writeErrors(database, folders, plan)
  const sums = { sessions: 0, rows: 0, turns: 0, flips: 0 }
  const cutOffs: string[] = []
  for (let part = 0; part < plan.parts; part += 1) {
    const counts = Counts.parse(JSON.parse((await textOrNull(folders.counts(part))) ?? 'null'))
    for (const name of ['sessions', 'rows', 'turns', 'flips'] as const) sums[name] += counts[name]
    cutOffs.push(...counts.cutOffs)
  }
  const manifest: Manifest = {
    schemaVersion: 1,
    plan,
    ...sums,
    unusable,
    cutOffs,
    flips: plan.against === null ? null : sums.flips,
    files: await filesOf(folders),
  }
  await writeWhole(folders.manifest, `${JSON.stringify(manifest, null, 2)}\n`)
  return manifest
}

/** Rows that cannot be used, in the order of the files. */
async function writeErrors(database: Database, folders: BatchFolders, plan: Plan): Promise<number> {
  const glob = folders.rowsOfPart(UNUSABLE)
  const some = await database.rows(`SELECT file FROM glob(${quoted(glob)}) LIMIT 1`)
  const found =
    some.length === 0
      ? []
      : await database.rows(
          `SELECT file, row::DOUBLE, reason FROM read_parquet(${quoted(glob)}, hive_partitioning = false)
           ORDER BY file, row, reason`,
        )
  const lines = found.map(
    ([file, row, reason]) =>
      `${JSON.stringify({ file: plan.files[Number(file)]?.path, row: Number(row), error: reason })}\n`,
  )
  await writeWhole(folders.errors, lines.join(''))
  return found.length
}

async function filesOf({ out }: BatchFolders): Promise<Manifest['files']> {
  const names = ['turns', 'matches', 'flips', 'lines'].map((folder) =>
    readdir(join(out, folder)).then(
      (files) => files.toSorted().map((name) => `${folder}/${name}`),
      () => [],
    ),
  )
  const paths = [...(await Promise.all(names)).flat(), 'config.json', 'errors.jsonl']
  const files: Array<Manifest['files'][number]> = []
  for (const path of paths) {
    const full = join(out, path)
    const hash = createHash('sha256')
    const stream = (await openRegular(full)).createReadStream()
    await pipeline(stream, hash)
    files.push({ path, bytes: stream.bytesRead, sha256: hash.digest('hex') })
  }
  return files
}
