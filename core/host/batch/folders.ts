import { existsSync, mkdir, rename, rm, writeFile } from '../platform/files/fenced-fs.ts'
import { dirname, join } from 'node:path'
import { readText } from '../platform/files/regular-file.ts'

/** Paths of a batch's files. Everything under `work` is removed when the batch is complete. */
export function foldersOf(out: string) {
  const work = join(out, '.work')
  const number = (at: number) => String(at).padStart(5, '0')
  return {
    out,
    work,
    manifest: join(out, 'manifest.json'),
    /** The plan with which this folder is being filled. */
    plan: join(work, 'plan.json'),
    /** Temporary storage for DuckDB. */
    scratch: join(work, 'scratch'),
    divided: (file: number) => join(work, 'divided', number(file)),
    /** [F134] A copy of a file of lines without what cannot be read. */
    plain: (file: number) => join(work, 'plain', `${number(file)}.jsonl`),
    /** File with the number of rows in a folder of `divided`. */
    dividedRows: (folder: string) => join(folder, 'rows'),
    /** Every file of divided rows, as a pattern. */
    allRows: join(work, 'divided', '*', '*', '*', '*.parquet'),
    rowsOfPart: (part: number) => join(work, 'divided', '*', '*', `part=${part}`, '*.parquet'),
    turns: (part: number) => join(out, 'turns', `part-${number(part)}.parquet`),
    /** [F145] Which signals matched on the turns of a part, in their order. */
    matches: (part: number) => join(out, 'matches', `part-${number(part)}.bin`),
    /** [F142] Offsets at which the lines of a source begin. */
    lineStarts: (file: number) => join(out, 'lines', `file-${number(file)}.bin`),
    /** The full configuration that the batch classified with. */
    config: join(out, 'config.json'),
    flips: (part: number) => join(out, 'flips', `part-${number(part)}.parquet`),
    /** Counts of a part, written last: a part without them is done again. */
    counts: (part: number) => join(work, 'counts', `${number(part)}.json`),
    errors: join(out, 'errors.jsonl'),
  } as const
}

export type BatchFolders = ReturnType<typeof foldersOf>

/**
 * [F116] Writes a file under a temporary name first, so that it exists completely or not at all. Unlike in
 * `writeFileAtomic` the temporary name is always the same. The remains of a killed batch are therefore overwritten and
 * never stay next to results.
 */
export async function writeWhole(path: string, text: string | Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(`${path}.partial`, text)
  await rename(`${path}.partial`, path)
}

/** Makes a folder by filling another one, which gets the name when it is full. */
export async function fillFolder(
  path: string,
  fill: (folder: string) => Promise<void>,
): Promise<void> {
  if (existsSync(path)) return
  const partial = `${path}.partial`
  await rm(partial, { recursive: true, force: true })
  await mkdir(partial, { recursive: true })
  await fill(partial)
  await rename(partial, path)
}

/** The text of a file of this batch; null if it does not exist. */
export async function textOrNull(path: string): Promise<string | null> {
  return existsSync(path) ? readText(path) : null
}
