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
