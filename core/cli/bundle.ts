import { readFileSync } from 'node:fs'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { bundleEstimators } from '../engine/bundle/budget.ts'
import type { BuiltBundle } from '../engine/bundle/build.ts'
import { measure } from '../engine/bundle/report.ts'
import { recommendedBundle } from '../engine/bundle/options.ts'
import { BundleEstimatorName, StepRecord, type BudgetOverrides } from '../engine/schema/bundle.ts'
import { buildRecord } from '../host/session/bundle/build-step.ts'
import { openRootFiles } from '../host/session/bundle/root-files.ts'
import { loadStepLibrary } from '../host/session/bundle/step-library.ts'
import { loadTokenizers } from '../host/session/bundle/tokenizers.ts'
import { loadPresetOrPath } from '../host/files/config-files.ts'
import { openWorkspace } from '../host/files/workspace.ts'
import { formatReport } from './bundle-report.ts'
import { HOME, parseCount, withWorkspace } from './options.ts'
import { CommandError, EXIT, notice, print, valueOrFail } from './output.ts'

interface BundleArguments {
  readonly workspace: string
  readonly preset: string
  readonly step: number
  readonly results?: string
  readonly manifest?: string
  readonly state: readonly string[]
  readonly run?: string
  readonly runNumber: number
  readonly ctx?: number
  readonly capTier0?: number
  readonly capTier1?: number
  readonly capHistory?: number
  readonly capTelemetry?: number
  readonly reserve?: number
  readonly estimator?: BundleEstimatorName
  readonly root: string
  readonly now?: string
  readonly until?: string
  readonly report?: boolean
  readonly json?: boolean
}

/** `bundle --step N`: what the model would receive for a step, its tiers and its prompt. */
export function addBundle(program: Command): void {
  const command = program
    .command('bundle')
    .description('build the step awareness bundle of a step and print its prompt')
    .requiredOption('--step <n>', 'step 1 to 6, or 13 for Chapter 13', parseCount)
    .option('--results <file>', 'results of the step (JSON); - reads stdin')
    .option('--manifest <path>', 'manifest of the agent, below --root')
    .option('--state <path>', 'state file, below --root; may be repeated', addPath, [])
    .option('--root <dir>', 'folder where paths and history files start', '.')
    .option('--run <id>', 'id of the run (default: made from the step and its results)')
    .option('--run-number <n>', 'number of the run', parseCount, 1)
    .option('--ctx <tokens>', 'context of the model', parseTokens)
    .option('--cap-tier0 <tokens>', 'reservation of tier 0', parseTokens)
    .option('--cap-tier1 <tokens>', 'most tokens of tier 1', parseTokens)
    .option('--cap-history <tokens>', 'most tokens of the history', parseTokens)
    .option('--cap-telemetry <tokens>', 'most tokens of the telemetry', parseTokens)
    .option('--reserve <tokens>', 'tokens kept for the answer', parseTokens)
    .addOption(
      new Option(
        '--estimator <name>',
        'what budgets count with (default: as the preset says)',
      ).choices(BundleEstimatorName.options),
    )
    .option('--now <time>', 'time of the bundle (default: now)')
    .option('--until <time>', 'leave out history that is later')
    .option('--preset <name>', 'preset, or the path of a preset file', 'recommended')
    .option('--report', 'the table of tiers instead of the prompt')
    .option('--json', 'one line of JSON: bundle, prompt, report')
  withWorkspace(command).action(runBundle)
}

async function runBundle(options: BundleArguments): Promise<void> {
  const workspace = openWorkspace(options.workspace, HOME)
  const preset = valueOrFail(await loadPresetOrPath(workspace, options.preset)).value
  const library = valueOrFail(loadStepLibrary(workspace.roots))
  for (const problem of library.problems) notice(`${problem.where}: ${problem.what}`)
  const tokenizers = await loadTokenizers()
  const built = valueOrFail(
    buildRecord(recordOf(options), {
      library,
      tokenizers,
      options: preset.bundle ?? recommendedBundle,
      budgets: budgetsOf(options),
      estimator: options.estimator ?? null,
      now: options.now === undefined ? Date.now() : timeOf('now', options.now),
      until: options.until === undefined ? null : timeOf('until', options.until),
      files: openRootFiles([options.root]),
    }),
  )
  const measures = measure(built.layout, built.bundle.budgets, bundleEstimators(tokenizers))
  await print(`${shown(options, built, measures)}\n`)
  for (const { code, message } of built.bundle.diagnostics) notice(`${code}: ${message}`)
  if (built.report.overflow) process.exitCode = EXIT.findings
}

function shown(
  options: BundleArguments,
  { bundle, prompt, report }: BuiltBundle,
  measures: ReturnType<typeof measure>,
): string {
  if (options.json === true)
    return JSON.stringify({
      bundle,
      prompt,
      grammar_name: bundle.context.grammar_name,
      report,
      measures,
    })
  return options.report === true ? formatReport(bundle, report, measures) : prompt
}

function recordOf(options: BundleArguments): StepRecord {
  return StepRecord.parse({
    step_id: options.step,
    run_id: options.run,
    results: options.results === undefined ? null : readJson(options.results),
    run_number: options.runNumber,
    manifest_path: options.manifest,
    state_paths: options.state,
  })
}

function readJson(path: string): unknown {
  const wrong = (what: string) =>
    new CommandError({ what, where: path, do: 'Give a file with one JSON value' })
  let text: string
  try {
    text = readFileSync(path === '-' ? 0 : path, 'utf8')
  } catch (error) {
    throw wrong(error instanceof Error ? error.message : String(error))
  }
  try {
    return JSON.parse(text.replace(/^\uFEFF/u, '')) as unknown
  } catch (error) {
    throw wrong(`not JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function budgetsOf(options: BundleArguments): BudgetOverrides {
  const given: ReadonlyArray<readonly [keyof BudgetOverrides, number | undefined]> = [
    ['ctx_max_tokens', options.ctx],
    ['tier0_reserved', options.capTier0],
    ['tier1_cap', options.capTier1],
    ['history_cap', options.capHistory],
    ['telemetry_cap', options.capTelemetry],
    ['generation_reserve', options.reserve],
  ]
  return Object.fromEntries(given.filter(([, value]) => value !== undefined))
}

function timeOf(option: string, text: string): number {
  const at = Date.parse(text)
  if (Number.isFinite(at)) return at
  throw new CommandError({
    what: `"${text}" is no time`,
    where: `--${option}`,
    do: 'Write it as 2026-02-02T10:00:00Z',
  })
}

function parseTokens(text: string): number {
  if (/^\d{1,9}$/u.test(text)) return Number(text)
  throw new InvalidArgumentError('It is a whole number of tokens.')
}

function addPath(path: string, before: readonly string[]): readonly string[] {
  return [...before, path]
}
