import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** A benchmark's table. `failed`: results differ that must be equal. */
export interface Section {
  readonly title: string
  readonly head: readonly string[]
  readonly rows: ReadonlyArray<readonly string[]>
  readonly notes: readonly string[]
  readonly failed: boolean
}

/**
 * Seconds of processor time of the fastest of `rounds` runs after two to warm up. Noise only ever adds
 * time; other processes on the machine do not count. Compiler and collector threads do.
 */
export function fastest(rounds: number, run: () => void): number {
  run()
  run()
  let best = Infinity
  for (let round = 0; round < rounds; round += 1) {
    const start = process.cpuUsage()
    run()
    const { user, system } = process.cpuUsage(start)
    best = Math.min(best, user + system)
  }
  return best / 1e6
}

/** Bytes that are held in memory when all that is not needed has been collected. */
export function heldBytes(): number {
  setFlagsFromString('--expose-gc')
  for (let round = 0; round < 4; round += 1) runInNewContext('gc()')
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** The value below which 95 of 100 fall. */
export function p95(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.95))] ?? 0
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}

export function formatRatio(ratio: number): string {
  return ratio >= 10 ? ratio.toFixed(0) : ratio.toFixed(2)
}

/** A section as a Markdown table. */
export function formatSection(section: Section): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [
    `## ${section.title}`,
    '',
    line(section.head),
    line(section.head.map((_, at) => (at === 0 ? '---' : '---:'))),
    ...section.rows.map(line),
    '',
    ...section.notes.map((note) => `- ${note}`),
  ].join('\n')
}
