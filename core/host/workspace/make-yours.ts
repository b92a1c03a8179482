import { constants, copyFile, existsSync, mkdir, readdir } from '../platform/files/fenced-fs.ts'
import { dirname, join, resolve } from 'node:path'
import { type Result, err, messageOf, ok } from '../../engine/result.ts'

/**
 * Folders of a workspace that the operator edits, and the schemas that they name. Sample sessions are read from the
 * shipped folder.
 */
const YOURS = ['profiles', 'prompts', 'schemas'] as const

export interface MadeYours {
  /** Absolute path of the workspace. */
  readonly folder: string
  /** Number of copied files, and of existing files left unchanged. */
  readonly copied: number
  readonly kept: number
}

/**
 * [F122] Copies the shipped domains, presets, prompts and their schemas (F187) into a folder, which becomes the
 * operator's workspace. Existing files are never touched. If the disk refuses, the copied files stay, and the next
 * attempt continues.
 * @param shipped the shipped folder
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

/** False if a file of this name exists. */
async function copyNew(from: string, to: string): Promise<boolean> {
  try {
    await copyFile(from, to, constants.COPYFILE_EXCL)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}
