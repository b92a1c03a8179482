import type {
  BundleContext,
  OutcomeRecord,
  StepAwarenessBundle,
  TrendSummary,
} from '../schema/bundle.ts'
import type { TierName } from '../schema/bundle-report.ts'
import { isRecord, showJson } from './json.ts'

/** A traceable bit of the prompt. */
export interface Piece {
  readonly id: string
  /** The origin of the piece: a field of the step's data, a result, or a file. */
  readonly source: string
  /** Separator from the previous piece. */
  readonly before: string
  readonly text: string
  /** An item can be left out alone; a heading is kept only if an item follows it. */
  readonly role: 'heading' | 'item'
}

/** The fields of a bundle that the prompt uses: everything except run and time. */
export type Renderable = Pick<
  StepAwarenessBundle,
  'step_id' | 'step_name' | 'context' | 'budgets' | 'diagnostics'
>

const FRAME = 'prompt frame'
/** Maximum number of dictionary entries that become separate pieces; the rest is one piece. */
const MAX_ENTRIES = 200

/** [A5] The text of every tier, in order, before anything is left out. */
export function piecesOf(bundle: Renderable): Readonly<Record<TierName, readonly Piece[]>> {
  const { context } = bundle
  return {
    tier0: tier0(bundle),
    tier1: tier1(bundle),
    history: section(
      'outcomes',
      '## Recent outcomes, newest first',
      context.recent_outcomes.map((outcome) => ['chapter13/summaries', outcomeLine(outcome)]),
    ),
    telemetry: [
      ...section(
        'trends',
        '## Trends, oldest value first',
        context.trend_summary.map((trend) => ['run_history.jsonl', trendLine(trend)]),
      ),
      ...section(
        'incidents',
        '## Open incidents, newest first',
        context.open_incidents.map((incident) => ['watcher_failures.jsonl', incident]),
      ),
    ],
  }
}

function heading(id: string, text: string, before = '\n\n'): Piece {
  return { id: `${id}.heading`, source: FRAME, before, text, role: 'heading' }
}

function item(id: string, source: string, text: string, before = '\n'): Piece {
  return { id, source, before, text, role: 'item' }
}

function tier0({ step_id, step_name, context, diagnostics }: Renderable): readonly Piece[] {
  const title = step_id === 13 ? 'Chapter 13' : `Step ${step_id}`
  const data = (field: string) => `prompts/steps, step ${step_id}, ${field}`
  const list = (lines: readonly string[]) =>
    lines.length === 0 ? '- none' : lines.map((line) => `- ${line}`).join('\n')
  const blocks: ReadonlyArray<readonly [string, string, string, string]> = [
    ['mission', '## Mission', data('mission'), context.mission],
    ['schema', '## Evaluation schema', data('schema_excerpt'), context.schema_excerpt],
    ['guardrails', '## Guardrails', data('guardrails'), list(context.guardrails)],
    [
      'contracts',
      '## Authority contracts',
      'prompts/steps/contracts.yaml',
      list(context.contracts),
    ],
    [
      'grammar',
      '## Answer',
      data('grammar_name'),
      `Answer in the grammar ${context.grammar_name}.`,
    ],
  ]
  const notice = diagnostics.some(({ code }) => code === 'results_empty')
    ? [
        heading('notice', '## Results'),
        item(
          'notice',
          'results',
          'There are no results for this step. Nothing was evaluated; do not read this as a success.',
        ),
      ]
    : []
  return [
    heading('title', `# ${title}: ${step_name}`, ''),
    ...blocks.flatMap(([id, head, source, text]) => [
      heading(id, head),
      item(id, source, text.trimEnd()),
    ]),
    ...notice,
  ]
}

/**
 * The verdict comes before numbers that may be long lists; for Chapter 13 the evaluation is the long one.
 */
function tier1(bundle: Renderable): readonly Piece[] {
  const blocks = [inputs(bundle), evaluation(bundle.context)]
  return (bundle.step_id === 13 ? blocks : blocks.toReversed()).flat()
}

function inputs({ context, diagnostics }: Renderable): readonly Piece[] {
  if (context.inputs_summary === null) return []
  const missing = diagnostics.find(({ code }) => code === 'metrics_missing')?.names ?? []
  const gap =
    missing.length === 0
      ? []
      : [item('inputs.missing', 'results', `Not in the results: ${missing.join(', ')}.`)]
  const lines = entries('inputs', context.inputs_summary)
  if (gap.length === 0 && lines.length === 0) return []
  return [heading('inputs', '## Inputs'), ...gap, ...lines]
}

function evaluation({ evaluation_summary }: BundleContext): readonly Piece[] {
  if (evaluation_summary === null) return []
  const lines = isRecord(evaluation_summary)
    ? entries('evaluation', evaluation_summary)
    : [item('evaluation', 'results', showJson(evaluation_summary))]
  return [heading('evaluation', '## Evaluation'), ...lines]
}

function entries(id: string, values: Readonly<Record<string, unknown>>): readonly Piece[] {
  const all = Object.entries(values)
  const lines = all
    .slice(0, MAX_ENTRIES)
    .map(([name, value]) => item(`${id}.${name}`, `results.${name}`, entryLine(name, value)))
  const rest = all.slice(MAX_ENTRIES)
  if (rest.length === 0) return lines
  const text = rest.map(([name, value]) => entryLine(name, value)).join('\n')
  return [...lines, item(`${id} (${rest.length} more)`, 'results', text)]
}

function entryLine(name: string, value: unknown): string {
  if (value === null || value === undefined) return `- ${name}: not stated`
  const text = showJson(value)
  return text.includes('\n') ? `- ${name}:\n${text}` : `- ${name}: ${text}`
}

function section(
  id: string,
  head: string,
  lines: ReadonlyArray<readonly [source: string, text: string]>,
): readonly Piece[] {
  if (lines.length === 0) return []
  const items = lines.map(([source, text], index) => item(`${id}.${index}`, source, `- ${text}`))
  return [heading(id, head), ...items]
}

function outcomeLine(outcome: OutcomeRecord): string {
  const { step, run_id, result, key_metric, metric_delta, timestamp } = outcome
  const delta =
    metric_delta === null ? '' : `; ${key_metric ?? 'key metric'} ${signed(metric_delta)}`
  const when = timestamp === null ? '' : ` (${timestamp})`
  return `step ${step}, run ${run_id}: ${result}${delta}${when}`
}

function signed(value: number): string {
  return value > 0 ? `+${value}` : String(value)
}

function trendLine({ metric_name, direction, recent_values, window_size }: TrendSummary): string {
  return `${metric_name}: ${direction} over ${recent_values.length} of the last ${window_size} runs: ${recent_values.join(', ')}`
}
