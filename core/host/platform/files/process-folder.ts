import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MACHINE, isAlive } from '../threads/processes.ts'
import { lstatSync, mkdtempSync, readdirSync, rmSync } from './fenced-fs.ts'

/** Whether this is a folder of this account, and no link to one. */
export function isOwnFolder(folder: string): boolean {
  try {
    const info = lstatSync(folder)
    // A system without accounts in numbers has a temporary folder for each.
    return info.isDirectory() && info.uid === (process.getuid?.() ?? info.uid)
  } catch {
    return false
  }
}

/**
 * [F24] Makes a temporary folder `kind-MACHINE-PID-xxxxxx` for this process, and removes those of this kind, machine
 * and account whose process is gone: it was killed before it could. The maker removes its own. Throws the system's
 * error when the folder cannot be made.
 */
export function processFolder(kind: string, parent: string = tmpdir()): string {
  for (const name of namesIn(parent)) {
    const rest = name.startsWith(`${kind}-`) ? name.slice(kind.length + 1) : ''
    const { machine, pid } = OWNER.exec(rest)?.groups ?? {}
    const folder = join(parent, name)
    if (machine !== MACHINE || isAlive(Number(pid)) || !isOwnFolder(folder)) continue
    try {
      rmSync(folder, { recursive: true, force: true })
    } catch {
      // It cannot be removed now, and does not matter to this process.
    }
  }
  return mkdtempSync(join(parent, `${kind}-${MACHINE}-${process.pid}-`))
}

const OWNER = /^(?<machine>[0-9a-f]{8})-(?<pid>\d{1,10})-\w{6}$/u

/** A temporary folder that cannot be listed can still be written. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
