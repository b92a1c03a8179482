import { hash } from 'node:crypto'
import { hostname } from 'node:os'

/** Stands for this machine in names of files: containers share folders, and not the numbers of processes. */
export const MACHINE = hash('sha256', hostname()).slice(0, 8)

/** Whether a process with this number runs. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // It runs, and belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
