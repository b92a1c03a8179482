import { composePrompt, type PromptFiles } from '../../engine/prompt/compose.ts'
import { SEGMENT_REGISTRY } from '../../engine/prompt/registry.ts'
import { classificationOf, classifyQuery } from '../../engine/query/classify.ts'
import type { Result } from '../../engine/result.ts'
import type { ComposedPrompt, PromptOptions } from '../../engine/schema/prompt.ts'
import type { QueryClassification, QueryOptions, QueryType } from '../../engine/schema/query.ts'
import type { TokenEstimator } from '../../engine/tokens.ts'

interface TextToCompose {
  readonly text: string
  /** A type given by hand instead of classifying; null = classify. */
  readonly type: QueryType | null
  readonly query: QueryOptions
  readonly prompt: PromptOptions
  readonly files: PromptFiles
  readonly variables: Readonly<Record<string, unknown>>
  readonly estimators: Readonly<Record<string, TokenEstimator>>
}

interface ComposedText {
  readonly query: QueryClassification
  readonly prompt: Result<ComposedPrompt>
}

/** A text typed by hand, without a session around it: its type and the prompt for it. */
export function composeForText(given: TextToCompose): ComposedText {
  const { text, type, variables, estimators, files } = given
  const query = type === null ? classifyQuery(text, null, given.query) : classificationOf(type)
  const prompt = composePrompt({
    registry: SEGMENT_REGISTRY,
    files,
    options: given.prompt,
    queryType: query.type,
    context: variables,
    estimators,
  })
  return { query, prompt }
}
