/** A benchmark's table. `failed`: results differ where they must agree. */
export interface Section {
  readonly title: string
  readonly head: readonly string[]
  readonly rows: ReadonlyArray<readonly string[]>
  readonly notes: readonly string[]
  readonly failed: boolean
}

/** Seconds of the fastest of `rounds` runs after one to warm up: noise only ever adds time. */
export function fastest(rounds: number, run: () => void): number {
  run()
  let best = Infinity
  for (let round = 0; round < rounds; round += 1) {
    const start = performance.now()
    run()
    best = Math.min(best, performance.now() - start)
  }
  return best / 1000
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
