import { describe, expect, test } from 'vitest'
import { isDeepStrictEqual } from 'node:util'
import { promptPreset, readVectors, sha256 } from '../../../fixtures/prompt-vectors.ts'
import { codePoints } from '../python-text.ts'
import { err, ok } from '../result.ts'
import { ComposedPrompt, type PromptOptions, type PromptSegment } from '../schema/prompt.ts'
import type { QueryType } from '../schema/query.ts'
import { chars4 } from '../tokens.ts'
import { composePrompt, SEPARATOR } from './compose.ts'
import { segmentInfo, SEGMENT_REGISTRY } from './registry.ts'

interface Composed {
  readonly segments_included: readonly string[]
  readonly token_estimate: number
  readonly warnings: readonly string[]
}
type Recorded =
  | (Composed & {
      readonly sha256: string
      readonly length_code_points: number
      readonly length_utf16: number
      readonly content?: string
    })
  | { readonly error: string }
interface Case {
  readonly id: number
  readonly registry: 'seed' | readonly PromptSegment[]
  readonly files: Readonly<Record<string, string>>
  readonly budget: number
  readonly query_type: QueryType
  readonly context: Readonly<Record<string, string>> | null
  readonly extra_segments: readonly string[] | null
  readonly expected: Recorded
  readonly proposed?: Composed | { readonly error: string }
}
interface Vectors {
  readonly separator: string
  readonly default_token_budget: number
  readonly seed_registry: readonly PromptSegment[]
  readonly segment_info: readonly object[]
  readonly token_cases: ReadonlyArray<{ readonly text: string; readonly expected: number }>
  readonly cases: readonly Case[]
}

const vectors = readVectors<Vectors>('compose')
const presets = {
  literal: promptPreset('literal').prompt,
  recommended: promptPreset('recommended').prompt,
}

function run(item: Case, preset: PromptOptions) {
  return composePrompt({
    registry: item.registry === 'seed' ? SEGMENT_REGISTRY : item.registry,
    files: (path) => {
      const text = item.files[path]
      if (text !== undefined) return ok(text)
      return err({ what: `not found: ${path}`, where: path, do: 'Create the file.' })
    },
    options: { ...preset, budget: item.budget },
    queryType: item.query_type,
    context: item.context ?? {},
    extraSegments: item.extra_segments ?? [],
  })
}

function short(result: ReturnType<typeof run>) {
  if (!result.ok) return { error: result.error.what }
  const prompt = ComposedPrompt.parse(result.value)
  return {
    segments_included: prompt.segmentsIncluded,
    token_estimate: prompt.tokenEstimate,
    warnings: prompt.warnings,
  }
}

/** The text itself is compared apart; its hash and lengths are here. */
function withoutContent(recorded: Recorded): object {
  return Object.fromEntries(Object.entries(recorded).filter(([key]) => key !== 'content'))
}

function full(result: ReturnType<typeof run>) {
  if (!result.ok) return { error: result.error.what }
  const { content } = result.value
  return {
    ...short(result),
    sha256: sha256(content),
    length_code_points: codePoints(content),
    length_utf16: content.length,
  }
}

describe('golden compositions', () => {
  test(`literal equals expected in all ${vectors.cases.length} cases, content by hash`, () => {
    const bad = vectors.cases.filter((item) => {
      const { content, ...expected } = item.expected as Recorded & { content?: string }
      const answer = run(item, presets.literal)
      const sameText = content === undefined || (answer.ok && answer.value.content === content)
      return !sameText || !isDeepStrictEqual(full(answer), expected)
    })
    expect(bad.map((item) => item.id)).toEqual([])
  })

  test(`[P1] [P3] recommended equals proposed in all ${vectors.cases.length} cases`, () => {
    const bad = vectors.cases.filter((item) => {
      const answer = run(item, presets.recommended)
      if (item.proposed !== undefined) return !isDeepStrictEqual(short(answer), item.proposed)
      return !isDeepStrictEqual(full(answer), withoutContent(item.expected))
    })
    expect(bad.map((item) => item.id)).toEqual([])
  })

  test('[P1] recommended: no prompt is over its budget without a warning', () => {
    for (const item of vectors.cases) {
      const answer = run(item, presets.recommended)
      if (answer.ok && answer.value.tokenEstimate > item.budget)
        expect(answer.value.warnings.join('\n')).toContain('exceeds token budget')
    }
  })

  test('[P4] token estimates count code points', () => {
    for (const { text, expected } of vectors.token_cases) expect(chars4(text)).toBe(expected)
  })

  test('[P5] registry, segment info and separator as recorded', () => {
    expect(SEGMENT_REGISTRY).toEqual(vectors.seed_registry)
    expect(segmentInfo(SEGMENT_REGISTRY)).toEqual(vectors.segment_info)
    expect(SEPARATOR).toBe(vectors.separator)
    expect(presets.literal.budget).toBe(vectors.default_token_budget)
  })
})
