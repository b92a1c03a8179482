import { describe, expect, test } from 'vitest'
import { promptPreset } from '../../../fixtures/prompt-vectors.ts'
import { err, ok } from '../result.ts'
import { QueryType } from '../schema/query.ts'
import { composePrompt, type ComposeInput, type PromptFiles } from './compose.ts'
import { isForType, segmentInfo, SEGMENT_REGISTRY } from './registry.ts'

/** The tests printed in oracle-agent T011 (names and inputs from there), under both presets. */

const FILES: Readonly<Record<string, string>> = {
  'oracle/base.md': '# Base Prompt\n\nYou are the Oracle.',
  'oracle/signals.md': '# Signals\n\nEmit signals at response end.',
  'oracle/tools-reference.md': '# Tools\n\nYou have access to tools.',
  'oracle/code-analysis.md': '# Code Analysis\n\nAnalyze code carefully.',
  'oracle/documentation.md': '# Documentation\n\nNavigate docs.',
  'oracle/research.md': '# Research\n\nSearch the web.',
  'oracle/conversation.md': '# Conversation\n\nBe helpful.',
}

const files: PromptFiles = (path) => {
  const text = FILES[path]
  return text === undefined
    ? err({ what: `not found: ${path}`, where: path, do: 'Create the file.' })
    : ok(text)
}

for (const preset of ['recommended', 'literal'] as const) {
  const { prompt: options } = promptPreset(preset)
  const compose = (queryType: QueryType, more: Partial<ComposeInput> = {}) => {
    const answer = composePrompt({ registry: SEGMENT_REGISTRY, files, options, queryType, ...more })
    if (!answer.ok) throw new Error(answer.error.what)
    return answer.value
  }

  describe(`${preset}: TestSegmentSelection`, () => {
    test.each([
      ['test_code_query_includes_code_segment', 'code', 'code', 'Code Analysis'],
      ['test_documentation_query_includes_docs_segment', 'documentation', 'docs', 'Documentation'],
      ['test_research_query_includes_research_segment', 'research', 'research', 'Research'],
      [
        'test_conversational_query_includes_conversation_segment',
        'conversational',
        'conversation',
        'Conversation',
      ],
      ['test_action_query_includes_docs_segment', 'action', 'docs', 'Documentation'],
    ] as const)('%s', (_name, type, segment, heading) => {
      const prompt = compose(type)
      expect(prompt.segmentsIncluded).toContain(segment)
      expect(prompt.content).toContain(heading)
    })
    test('test_code_query_excludes_other_context_segments', () =>
      expect(compose('code').segmentsIncluded).toEqual(['base', 'signals', 'tools', 'code']))
  })

  describe(`${preset}: TestAlwaysIncludedSegments`, () =>
    test.each(QueryType.options)(
      'test_base_always_included, test_signals_always_included, test_tools_always_included: %s',
      (type) => {
        const prompt = compose(type)
        expect(prompt.segmentsIncluded.slice(0, 3)).toEqual(['base', 'signals', 'tools'])
        for (const heading of ['Base Prompt', 'Signals', 'Tools'])
          expect(prompt.content).toContain(heading)
      },
    ))

  describe(`${preset}: TestPriorityOrdering`, () => {
    const { content, segmentsIncluded } = compose('code')
    test('test_base_comes_before_signals', () =>
      expect(content.indexOf('Base Prompt')).toBeLessThan(content.indexOf('Signals')))
    test('test_tools_comes_before_context_segments', () =>
      expect(content.indexOf('Tools')).toBeLessThan(content.indexOf('Code Analysis')))
    test('test_segments_ordered_in_result', () =>
      expect(segmentsIncluded.slice(0, 3)).toEqual(['base', 'signals', 'tools']))
  })

  describe(`${preset}: TestTokenBudget`, () => {
    test('test_tracks_token_estimate', () => {
      expect(compose('code').tokenEstimate).toBeGreaterThan(0)
      expect(compose('code').tokenEstimate).toBeLessThan(8000)
    })
    test('[P2] test_low_budget_skips_optional_segments', () => {
      const prompt = compose('code', { options: { ...options, budget: 100 } })
      expect(prompt.segmentsIncluded).toEqual(['base', 'signals', 'tools'])
      expect(prompt.warnings).toEqual([
        "Required segment 'base' exceeds token budget",
        "Required segment 'signals' exceeds token budget",
        "Required segment 'tools' exceeds token budget",
        "Skipped segment 'code' due to token budget",
      ])
    })
    test('test_budget_warning_for_skipped_optional', () => {
      const prompt = compose('code', { options: { ...options, budget: 300 } })
      expect(prompt.warnings.at(-1)).toBe("Skipped segment 'code' due to token budget")
    })
  })

  describe(`${preset}: TestSegmentContent`, () => {
    test('test_segments_separated_by_dividers', () =>
      expect(compose('code').content.split('\n\n---\n\n')).toHaveLength(4))
    test('test_segment_content_preserved', () => {
      for (const text of ['You are the Oracle', 'Emit signals', 'Analyze code carefully'])
        expect(compose('code').content).toContain(text)
    })
    test('test_compose_prompt_returns_string', () =>
      expect(compose('code').content).toBe(
        ['base', 'signals', 'tools-reference', 'code-analysis']
          .map((name) => FILES[`oracle/${name}.md`])
          .join('\n\n---\n\n'),
      ))
  })
}

describe('TestPromptSegmentDataclass', () => {
  const segment = { ...SEGMENT_REGISTRY[0]!, id: 'test', file_path: 'test.md' }
  test('test_should_include_with_matching_condition', () => {
    const limited = { ...segment, conditions: ['code', 'action'] as const }
    expect(QueryType.options.filter((type) => isForType(limited, type))).toEqual(['code', 'action'])
  })
  test('test_should_include_with_empty_conditions', () =>
    expect(QueryType.options.every((type) => isForType(segment, type))).toBe(true))
})

describe('TestSegmentRegistry, TestGetSegmentInfo', () => {
  const ids = SEGMENT_REGISTRY.map((segment) => segment.id)
  test('test_registry_has_all_expected_segments', () =>
    expect(ids).toEqual(['base', 'signals', 'tools', 'code', 'docs', 'research', 'conversation']))
  test('test_base_signals_tools_are_required, test_context_segments_are_optional', () => {
    const required = SEGMENT_REGISTRY.filter((segment) => segment.required)
    expect(required.map((segment) => segment.id)).toEqual(['base', 'signals', 'tools'])
  })
  test('test_signals_has_empty_conditions', () =>
    expect(SEGMENT_REGISTRY.find(({ id }) => id === 'signals')?.conditions).toEqual([]))
  test('test_get_segment_info_returns_all_segments, test_segment_info_has_expected_fields', () => {
    const info = segmentInfo(SEGMENT_REGISTRY)
    expect(info).toHaveLength(SEGMENT_REGISTRY.length)
    for (const segment of info)
      expect(Object.keys(segment).sort()).toEqual([
        'conditions',
        'file_path',
        'id',
        'priority',
        'required',
        'token_estimate',
      ])
  })
})
