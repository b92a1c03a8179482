import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lstatSync, readdirSync, rmSync } from '../platform/files/fenced-fs.ts'
import { isOwnFolder } from '../platform/files/process-folder.ts'

/** The beginning of the name of a folder with a host's socket. */
export const SOCKET_FOLDER = 'turnscope-hook-'
/** A host makes its folder before it listens. */
const STARTING_MS = 60_000

/** [F222] Removes folders of hosts that were killed: ours, with a socket at which no host listens. */
export async function removeLeftFolders(parent: string = tmpdir()): Promise<void> {
  const names = readdirSync(parent).filter((name) => name.startsWith(SOCKET_FOLDER))
  for (const name of names) {
    const folder = join(parent, name)
    if (isOwnFolder(folder) && !(await listens(folder)))
      rmSync(folder, { recursive: true, force: true })
  }
}

function listens(folder: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(join(folder, 's'))
    socket.setTimeout(1000)
    const end = (does: boolean) => {
      socket.destroy()
      resolve(does)
    }
    socket.once('connect', () => end(true))
    // A host that is busy does listen.
    socket.once('timeout', () => end(true))
    socket.once('error', (error: NodeJS.ErrnoException) => end(!isGone(error, folder)))
  })
}

function isGone({ code }: NodeJS.ErrnoException, folder: string): boolean {
  if (code === 'ECONNREFUSED' || code === 'ENOTSOCK') return true
  if (code !== 'ENOENT') return false
  // Another host that starts may have removed the folder meanwhile.
  const info = lstatSync(folder, { throwIfNoEntry: false })
  return info === undefined || Date.now() - info.mtimeMs > STARTING_MS
}
