import { describe, expect, it } from 'vitest'
import type { ComposedPrompt, SegmentReport } from '../../../core/engine/schema/prompt.ts'
import { emptyTrial, piecesOf, sliderTop, variablesOf, withDraft } from './trial.ts'

function segment(id: string, more: Partial<SegmentReport> = {}): SegmentReport {
  return {
    id,
    origin: 'registry',
    filePath: `${id}.md`,
    priority: 0,
    required: false,
    outcome: 'included',
    why: '',
    estimate: 10,
    size: 100,
    sizes: { chars4: 100 },
    admittedFrom: null,
    span: null,
    variables: null,
    ...more,
  }
}

function promptOf(segments: readonly SegmentReport[], more: Partial<ComposedPrompt> = {}) {
  return {
    content: '',
    segmentsIncluded: [],
    tokenEstimate: 0,
    warnings: [],
    segments,
    budget: 400,
    unusedVariables: [],
    sizes: {},
    ...more,
  } satisfies ComposedPrompt
}

describe('playground', () => {
  it('a draft that says what the file says is none', () => {
    const drafted = withDraft(emptyTrial, 'base', 'mine', 'file')
    expect(drafted.drafts).toEqual({ base: 'mine' })
    expect(withDraft(drafted, 'base', 'file', 'file').drafts).toEqual({})
  })

  it('cuts the prompt into segments that join to the prompt', () => {
    const prompt = promptOf([segment('b', { span: [6, 7] }), segment('a', { span: [0, 2] })], {
      content: 'aa----b.',
    })
    const pieces = piecesOf(prompt)
    expect(pieces.map((piece) => piece.text).join('')).toBe(prompt.content)
    expect(pieces.map((piece) => piece.segment)).toEqual([1, null, 0, null])
  })

  it('asks for the variables that segments use, and keeps those given', () => {
    const variables = { needed: ['today', 'tools'], supplied: [], missing: [], unused: [] }
    const trial = { ...emptyTrial, variables: { old: 'x', tools: '' } }
    expect(variablesOf(promptOf([segment('a', { variables })]), trial)).toEqual([
      'today',
      'tools',
      'old',
    ])
    expect(sliderTop(8000, 100)).toBeGreaterThan(8000)
  })
})
