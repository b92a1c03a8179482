import { readdir, stat } from '../platform/files/fenced-fs.ts'
import { basename, join } from 'node:path'

/** File names of a pipeline's results, best first: the history of runs contains all steps. */
const NAMES = [/^run_history\.jsonl$/iu, /^(?:step|results?)[\w.-]*\.jsonl?$/iu]

/** A file, and its displayed name. */
interface Located {
  readonly path: string
  readonly name: string
}

/**
 * [I86] The file by which a results folder of a pipeline is opened; the files beside it are read with
 * it. Any other path is itself; a folder without results stays a folder, and is refused as that.
 */
export async function fileOfFolder(path: string): Promise<Located> {
  const itself = { path, name: basename(path) }
  const info = await stat(path).catch(() => null)
  if (info?.isDirectory() !== true) return itself
  const names = (await readdir(path).catch(() => [])).toSorted()
  const found = NAMES.map((one) => names.find((name) => one.test(name))).find(
    (name) => name !== undefined,
  )
  if (found === undefined) return itself
  return { path: join(path, found), name: `${basename(path)}/${found}` }
}
