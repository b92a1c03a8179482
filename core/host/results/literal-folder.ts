import { basename, dirname, join } from 'node:path'
import { symlinkSync } from '../platform/files/fenced-fs.ts'

/** Characters that the database reads as a pattern of names. */
const PATTERN = /[*?[\]{}]/u

/**
 * [F219] Paths of parts as the database has to get them: it takes every path for a pattern, and knows no escapes that its
 * rights know too. A folder whose name has signs of a pattern gets another name, in a folder of ours.
 * @param scratch a folder of ours, whose path has no such signs
 */
export function literalPaths(paths: readonly string[], scratch: string): readonly string[] {
  const names = new Map<string, string>()
  return paths.map((path) => {
    if (!PATTERN.test(path)) return path
    const folder = dirname(path)
    const known = names.get(folder) ?? join(scratch, `parts-${names.size}`)
    if (!names.has(folder)) symlinkSync(folder, known, 'junction')
    names.set(folder, known)
    return join(known, basename(path))
  })
}
