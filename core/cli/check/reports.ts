import { reportPath, repositoryRoot } from '../../host/check/lab/repository-root.ts'
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

/** [T48] Writes the report files that the options request. */
export async function writeReports(
  { junit, sarif }: Given<typeof REPORTS>,
  { name, cases, rules, results, errors }: Report,
): Promise<void> {
  const root = repositoryRoot(process.cwd())
  const named = cases.map((each) => ({
    ...each,
    suite: each.isFile === true ? reportPath(each.suite, root, process.cwd()) : each.suite,
  }))
  const broken = errors.map((error) => ({ suite: 'input', name: error, error }))
  if (junit !== undefined) {
    const text = junitText(`turnscope ${name}`, [...named, ...broken])
    await writeOutput(junit, [text], { root: process.cwd() })
  }
  if (sarif === undefined) return
  const run = { version: packageVersion(), rules, results, errors, root }
  await writeOutput(sarif, [sarifText(run)], { root: process.cwd() })
}
