import { writeOutput } from '../../host/platform/files/output-file.ts'
import { type JUnitCase, junitText } from '../../host/check/lab/junit.ts'
import { type SarifResult, type SarifRule, sarifText } from '../../host/check/lab/sarif.ts'
import { packageVersion } from '../../version.ts'
import type { Given, REPORTS } from '../kit/options.ts'

interface Report {
  /** Of the command. */
  readonly name: string
  readonly cases: readonly JUnitCase[]
  readonly rules: readonly SarifRule[]
  readonly results: readonly SarifResult[]
  /** Inputs that could not be used. */
  readonly errors: readonly string[]
}

/** [T48] Writes the report files that the options ask for. */
export async function writeReports(
  { junit, sarif }: Given<typeof REPORTS>,
  { name, cases, rules, results, errors }: Report,
): Promise<void> {
  const broken = errors.map((error) => ({ suite: 'input', name: error, error }))
  if (junit !== undefined) {
    const text = junitText(`turnscope ${name}`, [...cases, ...broken])
    await writeOutput(junit, [text], { root: process.cwd() })
  }
  if (sarif === undefined) return
  const run = { version: packageVersion(), rules, results, errors, root: process.cwd() }
  await writeOutput(sarif, [sarifText(run)], { root: process.cwd() })
}
