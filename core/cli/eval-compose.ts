import { z } from 'zod'
import { composePrompt, type PromptFiles } from '../engine/prompt/compose.ts'
import { SEGMENT_REGISTRY } from '../engine/prompt/registry.ts'
import { err, ok } from '../engine/result.ts'
import { PromptSegment, type PromptOptions } from '../engine/schema/prompt.ts'
import { QueryType } from '../engine/schema/query.ts'
import type { TokenEstimator } from '../engine/tokens.ts'
import { filterLines, type LineSource } from './jsonl.ts'

const Input = z.object({
  /** `"seed"` or absent: the document's seven. */
  registry: z.union([z.literal('seed'), z.array(PromptSegment)]).nullish(),
  files: z.record(z.string(), z.string()).nullish(),
  budget: z.number().nullish(),
  query_type: QueryType,
  context: z.record(z.string(), z.unknown()).nullish(),
  extra_segments: z.array(z.string()).nullish(),
})
type Input = z.infer<typeof Input>

interface ComposeFilterOptions {
  readonly prompt: PromptOptions
  /** The workspace's prompts, for lines without `files`. */
  readonly files: PromptFiles
  /** Needed when the preset counts with a real tokenizer. */
  readonly estimators?: Readonly<Record<string, TokenEstimator>>
}

/** Files given with the line: path to text. */
function inMemoryFiles(files: Readonly<Record<string, string>>): PromptFiles {
  return (path) =>
    Object.hasOwn(files, path)
      ? ok(files[path] ?? '')
      : err({ what: `not found: ${path}`, where: path, do: 'Give its text under "files".' })
}

function answer(input: Input, options: ComposeFilterOptions): unknown {
  const { registry, files } = input
  const composed = composePrompt({
    registry: registry === 'seed' || !registry ? SEGMENT_REGISTRY : registry,
    files: files ? inMemoryFiles(files) : options.files,
    options: { ...options.prompt, budget: input.budget ?? options.prompt.budget },
    queryType: input.query_type,
    context: input.context ?? {},
    extraSegments: input.extra_segments ?? [],
    estimators: options.estimators ?? {},
  })
  if (!composed.ok) return { error: composed.error.what }
  const { segmentsIncluded, tokenEstimate, warnings, content } = composed.value
  return { segments_included: segmentsIncluded, token_estimate: tokenEstimate, warnings, content }
}

/**
 * `turnscope eval compose`: `{"registry"?,"files"?,"budget"?,"query_type","context"?,"extra_segments"?}`
 * to `{"segments_included","token_estimate","warnings","content"}` or `{"error"}`.
 */
export function evalCompose(
  source: LineSource,
  options: ComposeFilterOptions,
): AsyncIterable<string> {
  return filterLines(source, Input, (input) => answer(input, options))
}
