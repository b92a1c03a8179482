import { err, ok, type Problem, type Result } from '../result.ts'
import type {
  ComposedPrompt,
  PromptOptions,
  PromptSegment,
  SegmentOutcome,
  SegmentReport,
} from '../schema/prompt.ts'
import type { QueryType } from '../schema/query.ts'
import { type TokenEstimator, ESTIMATORS } from '../tokens.ts'
import { selectSegments, type AddedSegment, type Candidate } from './select.ts'
import { renderTemplate, type Rendered, type TemplateContext } from './template.ts'

/** [P8] Reads a segment's file, path relative to the prompts folder; a missing file is a failure. */
export type PromptFiles = (path: string) => Result<string>

export const SEPARATOR = '\n\n---\n\n'

export interface ComposeInput {
  readonly registry: readonly PromptSegment[]
  readonly files: PromptFiles
  readonly options: PromptOptions
  readonly queryType: QueryType
  readonly context?: TemplateContext
  /** Ids of registry segments to include beside those of the type. */
  readonly extraSegments?: readonly string[]
  readonly added?: readonly AddedSegment[]
  /** Estimators and tokenizers to show side by side; the preset's must be among them or built in. */
  readonly estimators?: Readonly<Record<string, TokenEstimator>>
}

interface Draft {
  readonly input: ComposeInput
  readonly estimators: Readonly<Record<string, TokenEstimator>>
  readonly estimate: TokenEstimator
  content: string
  total: number
  readonly included: string[]
  readonly warnings: string[]
  readonly segments: SegmentReport[]
}

function load({ segment, text }: Candidate, input: ComposeInput): Result<Rendered> {
  if (text !== null)
    return ok({ text, variables: { needed: [], supplied: [], missing: [], unused: [] } })
  const source = input.files(segment.file_path)
  if (!source.ok) return source
  const rendered = renderTemplate(source.value, input.context ?? {}, segment.file_path)
  if (!rendered.ok || !input.options.strictVariables) return rendered
  const { missing } = rendered.value.variables
  if (missing.length === 0) return rendered
  return err({
    what: `undefined variable ${missing.map((name) => `'${name}'`).join(', ')}`,
    where: segment.file_path,
    do: 'Supply the variable, give it a default, or switch strictVariables off.',
  })
}

function report(draft: Draft, candidate: Candidate, rendered: Rendered | null): SegmentReport {
  const { segment, origin } = candidate
  const sizes =
    rendered === null
      ? null
      : Object.fromEntries(
          Object.entries(draft.estimators).map(([name, count]) => [name, count(rendered.text)]),
        )
  return {
    id: segment.id,
    origin,
    filePath: origin === 'added' ? null : segment.file_path,
    priority: segment.priority,
    required: segment.required,
    outcome: 'not_for_type',
    why: '',
    estimate: segment.token_estimate,
    size: rendered === null ? null : draft.estimate(rendered.text),
    sizes,
    admittedFrom: null,
    span: null,
    variables: rendered?.variables ?? null,
  }
}

function whyIn(candidate: Candidate, type: QueryType): string {
  if (candidate.origin === 'added') return 'added by another stage'
  if (candidate.origin === 'extra') return 'asked for by name'
  return candidate.segment.conditions.length === 0 ? 'always included' : `for ${type} messages`
}

function note(draft: Draft, base: SegmentReport, outcome: SegmentOutcome, why: string): void {
  draft.segments.push({ ...base, outcome, why })
}

function include(draft: Draft, base: SegmentReport, text: string): void {
  if (draft.included.length > 0) draft.content += SEPARATOR
  const start = draft.content.length
  draft.content += text
  draft.included.push(base.id)
  draft.total += draft.estimate(text)
  draft.segments.push({ ...base, span: [start, draft.content.length] })
}

/** Decides about one segment; a Problem when a required one cannot be loaded. */
function place(draft: Draft, candidate: Candidate): Problem | null {
  const { options, queryType } = draft.input
  const { id, required, token_estimate } = candidate.segment
  const loaded = load(candidate, draft.input)
  const rendered = loaded.ok ? loaded.value : null
  const counts = options.admitByRealSize || candidate.origin === 'added'
  const size = rendered !== null && counts ? draft.estimate(rendered.text) : 0
  const admittedFrom = draft.total + Math.max(token_estimate, size)
  const over = admittedFrom > options.budget
  const base = { ...report(draft, candidate, rendered), admittedFrom }
  if (over && !required) {
    draft.warnings.push(`Skipped segment '${id}' due to token budget`)
    note(
      draft,
      base,
      'skipped_budget',
      `needs a budget of ${admittedFrom}, ${options.budget} is set`,
    )
    return null
  }
  if (!loaded.ok && required) {
    const what = `Failed to load required segment '${id}': ${loaded.error.what}`
    return { what, where: loaded.error.where, do: loaded.error.do }
  }
  if (over) draft.warnings.push(`Required segment '${id}' exceeds token budget`)
  if (!loaded.ok) {
    draft.warnings.push(`Failed to load segment '${id}': ${loaded.error.what}`)
    note(draft, base, 'failed', loaded.error.what)
    return null
  }
  const why = whyIn(candidate, queryType)
  const outcome: SegmentOutcome = over ? 'included_over_budget' : 'included'
  const because = over ? `${why}; required, though over the budget` : why
  include(draft, { ...base, outcome, why: because }, loaded.value.text)
  return null
}

/**
 * Composes a system prompt (oracle-agent T010; P1 to P8): select, sort by priority, admit by
 * budget, join. Fails when a required segment cannot be loaded or an estimator is unknown.
 */
export function composePrompt(input: ComposeInput): Result<ComposedPrompt> {
  const { options, queryType, registry } = input
  const estimators: Readonly<Record<string, TokenEstimator>> = {
    ...ESTIMATORS,
    ...input.estimators,
  }
  const estimate = estimators[options.estimator]
  if (estimate === undefined)
    return err({
      what: `the estimator ${options.estimator} is not loaded`,
      where: 'prompt.estimator',
      do: 'Use chars4 or words13, or load the tokenizer first.',
    })
  const selection = selectSegments(
    registry,
    queryType,
    input.extraSegments ?? [],
    input.added ?? [],
  )
  const warnings = options.warnUnknownSegments
    ? selection.unknown.map((id) => `Unknown segment '${id}'`)
    : []
  const draft: Draft = {
    input,
    estimators,
    estimate,
    content: '',
    total: 0,
    included: [],
    warnings,
    segments: [],
  }
  for (const candidate of selection.candidates) {
    const problem = place(draft, candidate)
    if (problem !== null) return err(problem)
  }
  for (const segment of selection.notForType)
    note(
      draft,
      report(draft, { segment, origin: 'registry', text: null }, null),
      'not_for_type',
      `for ${segment.conditions.join(', ')}; this message is ${queryType}`,
    )
  return ok(finish(draft))
}

function finish(draft: Draft): ComposedPrompt {
  const { content, total, included, warnings, segments, estimators, input } = draft
  const used = new Set(
    segments.flatMap(({ span, variables }) => (span === null ? [] : (variables?.needed ?? []))),
  )
  return {
    content,
    segmentsIncluded: included,
    tokenEstimate: total,
    warnings,
    segments,
    budget: input.options.budget,
    unusedVariables: Object.keys(input.context ?? {}).filter((name) => !used.has(name)),
    sizes: Object.fromEntries(
      Object.entries(estimators).map(([name, count]) => [name, count(content)]),
    ),
  }
}
