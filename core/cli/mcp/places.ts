import { realpath, stat } from 'node:fs/promises'
import { relative, resolve } from 'node:path'
import { fence, isOutside, isWithin, placeOf } from '../../host/platform/files/fence.ts'
import { CommandError } from '../kit/output.ts'

/** [F157] The places from which an agent may read files. */
export interface Places {
  /** Absolute, with links resolved: the workspace, and the folders and files that the operator allowed. */
  readonly roots: readonly string[]
  /** The real path of a name that the agent gives. Throws if it does not exist or is outside. */
  real(path: string): Promise<string>
  isInside(path: string): Promise<boolean>
  /** A path as shown in answers: relative to the workspace if it is inside. */
  shown(path: string): string
}

/** Whether a path that cannot be resolved leads out: the target of a link may be missing outside. */
function leadsOut(path: string): boolean {
  try {
    placeOf(path)
    return false
  } catch (error) {
    return isOutside(error)
  }
}

/**
 * [F157] An agent reads transcripts, and transcripts are untrusted. It may therefore name only files of the workspace
 * and files that the operator allowed. Links are resolved before the location is checked.
 * @param alone files outside of them that may be read too: samples that ship
 * @param live another allowed folder, which may not exist yet
 */
export async function openPlaces(
  workspace: string,
  allowed: readonly string[],
  alone: readonly string[],
  live: string | null = null,
): Promise<Places> {
  const real = await Promise.all(
    allowed.map((path) =>
      realpath(path).catch(() => {
        const where = `--allow ${path}`
        throw new CommandError({
          what: 'there is no such file or folder',
          where,
          do: 'Check the path',
        })
      }),
    ),
  )
  // A personal workspace need not be there yet.
  const own = await realpath(workspace).catch(() => resolve(workspace))
  const recorded = live === null ? [] : [await realpath(live).catch(() => resolve(live))]
  const roots = [...new Set([own, ...real, ...recorded])]
  // [F200] Files opened there are checked again when they are open.
  for (const root of roots) fence(root)
  const files = new Set(await Promise.all(alone.map((path) => realpath(path).catch(() => path))))
  const isInside = (path: string) => files.has(path) || roots.some((root) => isWithin(root, path))

  return {
    roots,
    isInside: async (path) => {
      const found = await realpath(path).catch(() => null)
      return found !== null && isInside(found)
    },
    shown: (path) => (isWithin(own, path) && path !== own ? relative(own, path) : path),
    real: async (path) => {
      const named = resolve(own, path)
      // Whether something is there is not said of places outside.
      const found = await realpath(named).catch(() => null)
      if (!isInside(found ?? named) || (found === null && leadsOut(named)))
        throw new CommandError({
          what: 'this lies outside of what this server may read',
          where: path,
          do: `Ask for files below ${roots.join(', ')}; the person can allow more: turnscope mcp --allow PATH`,
        })
      if (found === null || (await stat(found).catch(() => null)) === null)
        throw new CommandError({
          what: 'there is no such file or folder',
          where: path,
          do: 'Check the path: list_sessions says what there is',
        })
      return found
    },
  }
}
