import { statSync } from './fenced-fs.ts'
import type { Problem } from '../../../engine/result.ts'

/**
 * [F165] The problem of a folder that the operator named; null if it is a folder.
 * @param path as it is shown in the message; a relative one starts at the current folder
 */
export function folderProblem(path: string): Problem | null {
  let found
  try {
    found = statSync(path, { throwIfNoEntry: false })
  } catch (error) {
    // A folder above that may not be entered, or a name that no system takes.
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    return {
      what: `this folder cannot be looked at (${code})`,
      where: path,
      do: 'Check the path, and that you may read it',
    }
  }
  if (found === undefined)
    return {
      what: 'there is no such folder',
      where: path,
      do: 'Check the path, or make the folder',
    }
  if (found.isDirectory()) return null
  return { what: 'this is a file, not a folder', where: path, do: 'Name the folder' }
}
