import { realpath } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { messageOf } from '../../engine/result.ts'
import { refusal } from '../shared/refusal.ts'
import { fileBehind } from './atomic-file.ts'

/**
 * [F21] Refuses to write where a path inside of `root` leads out of it by symbolic links, of the file or of
 * a folder above it: whoever made the folder would choose what is overwritten. A link within `root` is
 * followed (F13). A path that is outside of `root` as it is written was named by the person.
 */
export async function refuseOutwardLink(root: string, path: string): Promise<void> {
  const named = resolve(path)
  if (!isWithin(resolve(root), named)) return
  const behind = await fileBehind(named).catch((error: unknown) => {
    // A link that leads in a circle, or a name that the system refuses.
    throw refusal({
      what: messageOf(error),
      where: path,
      do: 'Check the path, its rights and the space that is left',
    })
  })
  const target = await realPlace(behind)
  if (isWithin(await realPlace(resolve(root)), target)) return
  throw refusal({
    what: `a symbolic link leads out of ${root}, to ${target}; nothing was written`,
    where: path,
    do: 'Put a file in the place of the link, or open the folder that it leads to',
  })
}

function isWithin(root: string, path: string): boolean {
  const way = relative(root, path)
  return way === '' || (!/^\.\.(?:[/\\]|$)/u.test(way) && !isAbsolute(way))
}

/** A path without links; what is not there yet is where its folder is. */
async function realPlace(path: string): Promise<string> {
  const real = await realpath(path).catch(() => null)
  if (real !== null) return real
  const folder = dirname(path)
  return folder === path ? path : join(await realPlace(folder), relative(folder, path))
}
