import { readFileSync } from 'node:fs'

/** Units of `/proc`, on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100
/** Fields of `/proc/PID/stat` behind the name: ended children in user mode, and in the kernel. */
const OF_CHILDREN = 13
const IN_KERNEL = 14

/** Seconds of a processor that the text of a `/proc/PID/stat` says of ended children and theirs; null where it is none. */
export function childSeconds(stat: string): number | null {
  // The name stands in brackets, and may hold some itself.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const ticks = Number(fields[OF_CHILDREN]) + Number(fields[IN_KERNEL])
  return Number.isFinite(ticks) ? ticks / TICKS_PER_SECOND : null
}

/**
 * [F105] Tells what the children took that ended since the last time it was asked: asked at each end, that of one child
 * with all that it started, whatever else runs. Null where the system does not say (no Linux).
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
