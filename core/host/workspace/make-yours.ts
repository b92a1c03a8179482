import { constants, copyFile, existsSync, mkdir, readdir } from '../platform/files/fenced-fs.ts'
import { dirname, join, resolve } from 'node:path'
import { type Result, err, messageOf, ok } from '../../engine/result.ts'

/** What a person edits in a workspace, and the schemas that it names; sample sessions are read where they ship. */
const YOURS = ['profiles', 'prompts', 'schemas'] as const

export interface MadeYours {
  /** Absolute path of the workspace. */
  readonly folder: string
  /** Files that were copied, and files that were there already and stayed as they are. */
  readonly copied: number
  readonly kept: number
}

/**
 * [F122] Copies domains, presets, prompts and their schemas (F187) that ship into a folder, which is then a workspace of one's own. A file
 * that is there is never touched. Where the disk refuses, what was copied stays, and the next try goes on.
 * @param shipped the folder that ships
 */
export async function makeYours(shipped: string, folder: string): Promise<Result<MadeYours>> {
  if (resolve(shipped) === resolve(folder)) return err({ ...ITSELF, where: folder })
  let copied = 0
  let kept = 0
  try {
    for (const path of await shippedFiles(shipped)) {
      const target = join(folder, path)
      await mkdir(dirname(target), { recursive: true })
      if (await copyNew(join(shipped, path), target)) copied += 1
      else kept += 1
    }
    return ok({ folder, copied, kept })
  } catch (error) {
    const what = `the files that ship cannot be copied (${messageOf(error)})`
    return err({ what, where: folder, do: 'Make room, or choose a folder that can be written' })
  }
}

const ITSELF = {
  what: 'this workspace is the folder that ships, and can be edited as it is',
  do: 'Name another folder: turnscope init FOLDER',
}

async function shippedFiles(shipped: string): Promise<readonly string[]> {
  const lists = YOURS.map(async (name) => {
    const folder = join(shipped, name)
    if (!existsSync(folder)) return []
    const found = await readdir(folder, { recursive: true, withFileTypes: true })
    return found.filter((each) => each.isFile()).map((each) => join(each.parentPath, each.name))
  })
  return (await Promise.all(lists)).flat().map((path) => path.slice(shipped.length))
}

/** False where a file of this name is there. */
async function copyNew(from: string, to: string): Promise<boolean> {
  try {
    await copyFile(from, to, constants.COPYFILE_EXCL)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}
