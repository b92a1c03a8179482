import { lstat, rename } from './fenced-fs.ts'

/** Names that are tried for what is kept aside. */
const MOST = 1000

/**
 * [F17] Moves a file that cannot be used out of the way, as `NAME.bad`, `NAME.bad-2` and so on, so that a
 * new one never takes its place. Answers where it is now. Throws where it cannot be moved: then nothing
 * may be written in its place.
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
