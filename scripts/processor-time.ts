import { readFileSync } from 'node:fs'

/** Units of `/proc`, on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100
/** Fields of `/proc/PID/stat` behind the name: ended children in user mode, and in the kernel. */
const OF_CHILDREN = 13
const IN_KERNEL = 14

/**
 * Processor seconds of ended children and their descendants, from the text of a `/proc/PID/stat`; null if it has none.
 */
export function childSeconds(stat: string): number | null {
  // The name is in parentheses, and may contain parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const ticks = Number(fields[OF_CHILDREN]) + Number(fields[IN_KERNEL])
  return Number.isFinite(ticks) ? ticks / TICKS_PER_SECOND : null
}

/**
 * [F105] Returns the processor time of the children that ended since the last call. Called at each end, it gives the
 * time of one child and its descendants, independent of other processes. Null if the system does not report it (no
 * Linux).
 */
export function createMeter(read = (): string => readFileSync('/proc/self/stat', 'utf8')) {
  let counted = 0
  return (): number | null => {
    try {
      const all = childSeconds(read())
      if (all === null) return null
      const seconds = all - counted
      counted = all
      return seconds
    } catch {
      return null
    }
  }
}
