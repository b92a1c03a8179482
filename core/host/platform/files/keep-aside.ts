import { lstat, rename } from './fenced-fs.ts'

/** Maximum names to try for the set-aside file. */
const MOST = 1000

/**
 * [F17] Moves an unusable file aside, as `NAME.bad`, `NAME.bad-2` and so on, so that a new file never replaces it.
 * Returns the new path. Throws if the file cannot be moved; in that case its path must not be written.
 */
export async function keepAside(path: string): Promise<string> {
  for (let n = 1; n <= MOST; n += 1) {
    const aside = n === 1 ? `${path}.bad` : `${path}.bad-${n}`
    if ((await lstat(aside).catch(() => null)) !== null) continue
    await rename(path, aside)
    return aside
  }
  throw new Error(`there are ${MOST} files ${path}.bad already`)
}
