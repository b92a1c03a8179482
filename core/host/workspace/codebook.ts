import { join, relative } from 'node:path'
import { LABELS_FOLDER } from './labels-place.ts'
import { textIfThere } from '../platform/files/regular-file.ts'

/** [L88] Possible paths of a workspace's codebook. The first existing one counts. */
export const CODEBOOK_PLACES = [`${LABELS_FOLDER}/CODEBOOK.md`, 'CODEBOOK.md', 'docs/CODEBOOK.md']

/** UTF-16 units that are read: a codebook is read beside the keys, not a book. */
const MOST = 200_000

interface Codebook {
  /** Path in the workspace; null if none exists. */
  readonly file: string | null
  readonly text: string
}

/** [L88] The codebook of a workspace. One that cannot be read is said as its text, and is there. */
export async function readCodebook(root: string): Promise<Codebook> {
  for (const place of CODEBOOK_PLACES) {
    const path = join(root, place)
    const found = await textIfThere(path)
    if (found === null) continue
    const text = found.ok ? found.value : `${found.error.what}. ${found.error.do}.`
    return { file: relative(root, path), text: text.slice(0, MOST) }
  }
  return { file: null, text: '' }
}
