import { InvalidArgumentError } from 'commander'
import { rightCells } from '../kit/table.ts'
import { bundleEstimators } from '../../engine/bundle/budget.ts'
import type { BuiltBundle } from '../../engine/bundle/build.ts'
import { measure } from '../../engine/bundle/report.ts'
import { recommendedBundle } from '../../engine/bundle/options.ts'
import { messageOf, parseJson } from '../../engine/result.ts'
import {
  BundleEstimatorName,
  StepRecord,
  type BudgetOverrides,
  type StepAwarenessBundle,
} from '../../engine/schema/bundle.ts'
import { buildRecord } from '../../host/bundle/session/build-step.ts'
import { openRootFiles } from '../../host/bundle/session/root-files.ts'
import { loadStepLibrary } from '../../host/bundle/session/step-library.ts'
import { loadTokenizers } from '../../host/bundle/session/tokenizers.ts'
import { loadPresetOrPath } from '../../host/workspace/config-files.ts'
import { openWorkspace } from '../../host/workspace/workspace.ts'
import { command } from '../kit/command.ts'
import { HOME } from '../../place.ts'
import {
  type Given,
  PRESET,
  WORKSPACE,
  collect,
  flag,
  oneOf,
  parseCount,
  parseFolder,
  parsed,
  required,
  text,
} from '../kit/options.ts'
import { CommandError, EXIT, print, valueOrFail } from '../kit/output.ts'
import type { BuildReport, BundleMeasure } from '../../engine/schema/bundle-report.ts'
import { readDescriptor, readTextSync } from '../../host/platform/files/regular-file.ts'
import { jsonLine, notice } from '../../host/platform/terminal.ts'

const tokens = (name: string, help: string) => parsed(`--${name} <tokens>`, help, parseTokens)

const OPTIONS = {
  step: required(parsed('--step <n>', 'step 1 to 6, or 13 for Chapter 13', parseCount)),
  results: text('--results <file>', 'results of the step (JSON); - reads stdin'),
  manifest: text('--manifest <path>', 'manifest of the agent, below --root'),
  state: parsed('--state <path>', 'state file, below --root; may be repeated', collect, []).default(
    [],
    'none',
  ),
  root: parsed('--root <dir>', 'folder where paths and history files start', parseFolder, '.'),
  run: text('--run <id>', 'id of the run (default: made from the step and its results)'),
  runNumber: parsed('--run-number <n>', 'number of the run', parseCount, 1),
  ctx: tokens('ctx', 'size of the context of the model'),
  capTier0: tokens('cap-tier0', 'reservation of tier 0'),
  capTier1: tokens('cap-tier1', 'most tokens of tier 1'),
  capHistory: tokens('cap-history', 'most tokens of the history'),
  capTelemetry: tokens('cap-telemetry', 'most tokens of the telemetry'),
  reserve: tokens('reserve', 'tokens kept for the answer'),
  estimator: oneOf(
    '--estimator <name>',
    'what budgets count with (default: as the preset says)',
    BundleEstimatorName.options,
  ),
  now: text('--now <time>', 'time of the bundle (default: now)'),
  until: text('--until <time>', 'leave out history after this time'),
  ...PRESET,
  report: flag('--report', 'the table of tiers instead of the prompt'),
  json: flag('--json', 'one line of JSON: bundle, prompt, report'),
  ...WORKSPACE,
}
type BundleArguments = Given<typeof OPTIONS>

/** `bundle --step N`: prints the bundle of a step, with its tiers and its prompt. */
export const bundle = command({
  name: 'bundle',
  summary: 'build the step awareness bundle of a step and print its prompt',
  options: OPTIONS,
  run: runBundle,
})

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
    return jsonLine({
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
  let written: string
  try {
    written = path === '-' ? readDescriptor(0).toString('utf8') : readTextSync(path)
  } catch (error) {
    throw wrong(messageOf(error))
  }
  const value = parseJson(written.replace(/^\uFEFF/u, ''))
  if (value.ok) return value.value
  throw wrong(`not JSON: ${value.error}`)
}

function budgetsOf(options: BundleArguments): BudgetOverrides {
  const given: Readonly<Record<keyof BudgetOverrides, number | undefined>> = {
    ctx_max_tokens: options.ctx,
    tier0_reserved: options.capTier0,
    tier1_cap: options.capTier1,
    history_cap: options.capHistory,
    telemetry_cap: options.capTelemetry,
    generation_reserve: options.reserve,
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

function timeOf(option: string, written: string): number {
  const at = Date.parse(written)
  if (Number.isFinite(at)) return at
  throw new CommandError({
    what: `"${written}" is not a time`,
    where: `--${option}`,
    do: 'Write it as 2026-02-02T10:00:00Z',
  })
}

function parseTokens(value: string): number {
  if (/^\d{1,9}$/u.test(value)) return Number(value)
  throw new InvalidArgumentError('Give a whole number of tokens.')
}

const WIDTH = 11

/** The tiers of a bundle as a table for people, then provenance and warnings. */
function formatReport(
  bundle: StepAwarenessBundle,
  report: BuildReport,
  measures: readonly BundleMeasure[],
): string {
  const right = (cells: ReadonlyArray<string | number>) => rightCells(cells, WIDTH)
  const sizes = (index: number) => measures.map(({ tiers }) => tiers[index]?.used ?? 0)
  const rows = report.tiers.map(
    ({ tier, limit, used, whole, why }, index) =>
      `${tier.padEnd(10)}${right([limit, used, whole, ...sizes(index)])}  ${why}`,
  )
  const names = measures.map(({ estimator }) => estimator)
  const over = measures.filter(({ overContext }) => overContext).map(({ estimator }) => estimator)
  return [
    `step        ${bundle.step_id} ${bundle.step_name}, run ${bundle.run_id}`,
    `grammar     ${bundle.context.grammar_name}`,
    `budget      ${report.used} of ${report.available} tokens by ${report.estimator}: context ${report.context}, ${report.generationReserve} kept for the answer`,
    `headroom    ${report.headroom}; everything fits at ${report.fitsAtContext}`,
    ...report.warnings.map((warning) => `warning     ${warning}`),
    ...(over.length === 0 ? [] : [`warning     over the context by ${over.join(', ')}`]),
    '',
    `${' '.repeat(10)}${right(['limit', 'used', 'whole', ...names])}`,
    ...rows,
    `${'prompt'.padEnd(10)}${right([report.available, report.used, '', ...measures.map(({ total }) => total)])}`,
    '',
    ...bundle.provenance.map(
      ({ path, sha256, size_bytes }) =>
        `${sha256.slice(0, 16).padEnd(17)}${String(size_bytes).padStart(10)}  ${path}`,
    ),
  ]
    .join('\n')
    .trimEnd()
}
