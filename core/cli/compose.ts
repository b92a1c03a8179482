import { composePrompt } from '../engine/prompt/compose.ts'
import type { PromptFiles } from '../engine/prompt/compose.ts'
import { SEGMENT_REGISTRY } from '../engine/prompt/registry.ts'
import { classificationOf, classifyQuery } from '../engine/query/classify.ts'
import { ok } from '../engine/result.ts'
import type { Result } from '../engine/result.ts'
import type { ComposedPrompt, PromptOptions, SegmentReport } from '../engine/schema/prompt.ts'
import type { QueryClassification, QueryOptions, QueryType } from '../engine/schema/query.ts'
import type { TokenEstimator } from '../engine/tokens.ts'

export interface ComposeCommand {
  readonly text: string
  /** A type given by hand instead of classifying. */
  readonly type?: QueryType
  readonly query: QueryOptions
  readonly prompt: PromptOptions
  readonly files: PromptFiles
  readonly variables?: Readonly<Record<string, unknown>>
  readonly estimators?: Readonly<Record<string, TokenEstimator>>
}

export interface ComposeAnswer {
  readonly query: QueryClassification
  readonly prompt: ComposedPrompt
}

/** `turnscope compose "TEXT"`: classifies the text and composes its prompt. */
export function composeForText(command: ComposeCommand): Result<ComposeAnswer> {
  const query =
    command.type === undefined
      ? classifyQuery(command.text, null, command.query)
      : classificationOf(command.type)
  const prompt = composePrompt({
    registry: SEGMENT_REGISTRY,
    files: command.files,
    options: command.prompt,
    queryType: query.type,
    context: command.variables ?? {},
    estimators: command.estimators ?? {},
  })
  return prompt.ok ? ok({ query, prompt: prompt.value }) : prompt
}

/** Width of a column of sizes. */
const WIDTH = 12

function row(segment: SegmentReport, columns: number): string {
  const mark = segment.span === null ? '-' : '+'
  const sizes = Object.values(segment.sizes ?? {}).map((size) => String(size).padStart(WIDTH))
  return `${mark} ${segment.id.padEnd(14)}${sizes.join('').padEnd(columns * WIDTH)}  ${segment.why}`
}

/** The answer for people: type and reason, a table of segments, what is missing, then the prompt. */
export function formatCompose({ query, prompt }: ComposeAnswer): string {
  const keywords = query.keywords.length > 0 ? ` (${query.keywords.join(', ')})` : ''
  const missing = prompt.segments.flatMap(({ id, variables, span }) =>
    span === null ? [] : (variables?.missing ?? []).map((name) => `${id} needs "${name}"`),
  )
  const names = Object.keys(prompt.sizes)
  return [
    `type        ${query.type}, confidence ${query.confidence.toFixed(2)}${keywords}`,
    `budget      ${prompt.tokenEstimate} of ${prompt.budget} tokens`,
    ...prompt.warnings.map((warning) => `warning     ${warning}`),
    ...missing.map((what) => `variable    ${what}: it is empty`),
    '',
    `${' '.repeat(16)}${names.map((name) => name.padStart(WIDTH)).join('')}`,
    ...prompt.segments.map((segment) => row(segment, names.length)),
    '',
    prompt.content,
  ].join('\n')
}
