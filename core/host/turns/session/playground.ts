import type { z } from 'zod'
import { type PromptFiles, composePrompt } from '../../../engine/prompt/compose.ts'
import { SEGMENT_REGISTRY } from '../../../engine/prompt/registry.ts'
import { classificationOf, classifyQuery } from '../../../engine/query/classify.ts'
import { formatProblem, ok, type Result } from '../../../engine/result.ts'
import type { Preset } from '../../../engine/schema/preset.ts'
import type { TokenEstimator } from '../../../engine/tokens.ts'
import type { Output } from '../../../wire/rpc.ts'
import type { TimeLimit } from '../../platform/guard/guard.ts'
import { COMPOSE_LIMIT_MS } from './messages.ts'
import type { SessionContract } from '../../../wire/threads.ts'
import type { ComposedPrompt, PromptOptions } from '../../../engine/schema/prompt.ts'
import type { QueryClassification, QueryOptions, QueryType } from '../../../engine/schema/query.ts'

type Draft = z.output<SessionContract['playground.compose']['in']>

interface Around {
  readonly preset: Preset
  readonly files: PromptFiles
  readonly estimators: Readonly<Record<string, TokenEstimator>>
  readonly limit: TimeLimit
}

/** Composes a prompt for a typed text. Drafts replace files and are not stored. */
export function composeInPlayground(
  draft: Draft,
  { preset, files, estimators, limit }: Around,
): Output<SessionContract, 'playground.compose'> {
  const { text, type, variables, drafts, budget } = draft
  const composed = limit(
    () =>
      composeForText({
        text,
        type,
        variables,
        estimators,
        query: preset.query,
        prompt: { ...preset.prompt, budget: budget ?? preset.prompt.budget },
        files: withDrafts(files, drafts),
      }),
    COMPOSE_LIMIT_MS,
  )
  const sources = SEGMENT_REGISTRY.map(({ id, file_path }) => {
    const source = files(file_path)
    return { id, path: file_path, text: source.ok ? source.value : '' }
  })
  if (!composed.ok) {
    const query = type === null ? classifyQuery(text, null, preset.query) : classificationOf(type)
    const problem = `composing was cut off after ${composed.elapsedMs} ms: look for a loop in the draft`
    return { query, prompt: null, problem, sources }
  }
  const { query, prompt } = composed.value
  if (!prompt.ok) return { query, prompt: null, problem: formatProblem(prompt.error), sources }
  return { query, prompt: prompt.value, problem: null, sources }
}

function withDrafts(files: PromptFiles, drafts: Readonly<Record<string, string>>): PromptFiles {
  const byPath = new Map(
    SEGMENT_REGISTRY.flatMap(({ id, file_path }) =>
      Object.hasOwn(drafts, id) ? [[file_path, drafts[id] ?? ''] as const] : [],
    ),
  )
  return (path) => {
    const text = byPath.get(path)
    return text === undefined ? files(path) : ok(text)
  }
}

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
