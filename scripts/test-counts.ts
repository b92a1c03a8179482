import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { type Counts, NOTHING } from './stage.ts'

const count = z.int().min(0)

const VitestReport = z.object({
  numPassedTests: count,
  numFailedTests: count,
  numPendingTests: count,
  numTodoTests: count,
})

const PlaywrightReport = z.object({
  stats: z.object({ expected: count, unexpected: count, flaky: count, skipped: count }),
})

/** Counts of a vitest JSON report. `ok`: the runner's exit code was 0. */
export function vitestCounts(path: string, ok: boolean): Counts {
  const report = read(path, VitestReport)
  if (report === null) return { ...NOTHING, failed: 1 }
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = report
  const skipped = numPendingTests + numTodoTests
  return honest({ passed: numPassedTests, failed: numFailedTests, skipped }, ok)
}

/** Counts of a Playwright JSON report; a test that passed on its second try is passed. */
export function playwrightCounts(path: string, ok: boolean): Counts {
  const report = read(path, PlaywrightReport)
  if (report === null) return { ...NOTHING, failed: 1 }
  const { expected, unexpected, flaky, skipped } = report.stats
  return honest({ passed: expected + flaky, failed: unexpected, skipped }, ok)
}

/** A runner that failed without a failed test (a file that does not load) counts as one failure. */
function honest(counts: Counts, ok: boolean): Counts {
  return ok || counts.failed > 0 ? counts : { ...counts, failed: 1 }
}

function read<S extends z.ZodType>(path: string, schema: S): z.output<S> | null {
  try {
    return schema.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    return null
  }
}
