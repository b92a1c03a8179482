import { readFileSync } from 'node:fs'
import { z } from 'zod'

const Counted = z.object({ total: z.number(), covered: z.number(), pct: z.number() })
const Summary = z.object({ total: z.object({ lines: Counted, branches: Counted }) })

/** Coverage target of the engine, in percent. */
const AIM = { lines: 95, branches: 90 } as const

/** One line for the end of the gate; below the aim it says so, but a gate is no place for a rounding error. */
export function coverageLine(path: string): string {
  const summary = read(path)
  if (summary === null) return 'coverage of core/engine: not measured'
  const parts = (['lines', 'branches'] as const).map((what) => {
    const { covered, total, pct } = summary.total[what]
    const aim = pct >= AIM[what] ? `aim ${AIM[what]} %` : `BELOW the aim of ${AIM[what]} %`
    return `${pct.toFixed(1)} % of ${what} (${covered} of ${total}, ${aim})`
  })
  return `coverage of core/engine: ${parts.join(', ')}`
}

function read(path: string): z.infer<typeof Summary> | null {
  try {
    return Summary.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    return null
  }
}
