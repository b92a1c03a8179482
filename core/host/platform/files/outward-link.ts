import { resolve } from 'node:path'
import { messageOf } from '../../../engine/result.ts'
import { refusal } from '../threads/refusal.ts'
import { isOutside, isWithin, placeWithin } from './fence.ts'

/**
 * [F21] Refuses to write to a path inside of `root` that leads out of it by symbolic links of the file or a parent
 * folder. If it were allowed, the author of the folder could choose the overwritten file. A link within `root` is
 * followed (F13). A path that is written as outside of `root` was named by the operator. The error does not depend on
 * files outside (F200).
 */
export function refuseOutwardLink(root: string, path: string): void {
  const named = resolve(path)
  const above = resolve(root)
  if (!isWithin(above, named)) return
  try {
    // A root that does not exist yet can hold no link.
    placeWithin(above, named, 'followed')
  } catch (error) {
    const isOut = isOutside(error)
    throw refusal({
      what: isOut ? `a symbolic link leads out of ${root}; nothing was written` : messageOf(error),
      where: path,
      do: isOut
        ? 'Put a file in the place of the link, or name the file that it leads to'
        : 'Check the path, its rights and the space that is left',
    })
  }
}
