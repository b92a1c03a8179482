import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ComposedPrompt, SegmentReport } from '../../../core/engine/schema/prompt.ts'
import { againstReal, budgetBar, estimatorsOf, leftOut } from '../../views/budget/budget-parts.ts'
import { fieldText, fieldType } from '../../views/self-signals/answer-words.ts'
import { diffCounts, foldDiff } from '../../views/prompt/diff-view.tsx'

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

describe('budget bar', () => {
  const two = [
    segment('a', { span: [0, 1] }),
    segment('b'),
    segment('c', { span: [2, 3], size: 60 }),
  ]

  it('lays the included segments end to end against the budget', () => {
    const bar = budgetBar(promptOf(two, { tokenEstimate: 160 }))
    expect(bar.parts.map(({ id, from, share }) => [id, from, share])).toEqual([
      ['a', 0, 0.25],
      ['c', 0.25, 0.15],
    ])
    expect(bar).toMatchObject({ headroom: 240, over: 0, limit: 1 })
  })

  it('shows where the budget ends when it is exceeded, also a budget of nothing', () => {
    const over = budgetBar(promptOf(two, { tokenEstimate: 160, budget: 80 }))
    expect(over).toMatchObject({ headroom: 0, over: 80, limit: 0.5 })
    expect(budgetBar(promptOf([], { budget: 0 }))).toMatchObject({ limit: 0, parts: [] })
  })

  it('names what was left out by the budget at which it fits', () => {
    const out = leftOut(
      promptOf([
        segment('late', { outcome: 'skipped_budget', admittedFrom: 900 }),
        segment('other', { outcome: 'not_for_type' }),
        segment('soon', { outcome: 'skipped_budget', admittedFrom: 500 }),
      ]),
    )
    expect(out.map(({ id }) => id)).toEqual(['soon', 'late'])
  })

  it('says in words how far a guess is from the real size', () => {
    expect(againstReal(88, 100)).toBe('12\u00a0% below')
    expect(againstReal(120, 100)).toBe('20\u00a0% above')
    expect(againstReal(100, 100)).toBe('equal to')
    expect(againstReal(1, 0)).toBe('above')
    expect(estimatorsOf({ mine: 1, o200k_base: 2, chars4: 3 })).toEqual([
      'chars4',
      'o200k_base',
      'mine',
    ])
  })
})

describe('folded comparison', () => {
  const op = fc.constantFrom('same' as const, 'added' as const, 'removed' as const)
  const text = fc.string({ unit: fc.constantFrom('a', '\n') })

  it('loses nothing', () =>
    fc.assert(
      fc.property(fc.array(fc.record({ op, text })), (parts) => {
        const joined = (pieces: ReadonlyArray<{ readonly text: string }>) =>
          pieces.map((piece) => piece.text).join('')
        expect(joined(foldDiff(parts))).toBe(joined(parts))
      }),
    ))

  it('keeps two lines on either side of a change', () => {
    const same = { op: 'same' as const, text: '1\n2\n3\n4\n5\n6\n7\n' }
    const change = { op: 'added' as const, text: 'x\n' }
    expect(foldDiff([change, same, change])).toEqual([
      change,
      { op: 'same', text: '1\n2\n' },
      { op: 'gap', lines: 3, text: '3\n4\n5\n' },
      { op: 'same', text: '6\n7\n' },
      change,
    ])
    expect(diffCounts([change, same, change])).toEqual({ added: 4, removed: 0 })
  })
})

describe('fields of a self-signal', () =>
  it('are told as they were written', () => {
    expect(fieldText({ $int: '123456789012345678901' })).toBe('123456789012345678901')
    expect(fieldText(['code', 2])).toBe('code\n2')
    expect([fieldType([]), fieldType(2), fieldType(0.5), fieldType(true), fieldType('')]).toEqual([
      'list',
      'int',
      'float',
      'bool',
      'str',
    ])
  }))
