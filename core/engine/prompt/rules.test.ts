import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { promptPreset } from '../../../fixtures/prompt-vectors.ts'
import { err, ok } from '../result.ts'
import { ComposedPrompt, PromptOptions } from '../schema/prompt.ts'
import { QueryType } from '../schema/query.ts'
import { loadO200k } from '../tokens-o200k.ts'
import { chars4, words13 } from '../tokens.ts'
import { composePrompt, type ComposeInput } from './compose.ts'
import { PROMPT_OPTIONS } from './options.ts'
import { SEGMENT_REGISTRY } from './registry.ts'
import { renderTemplate } from './template.ts'

const options = promptPreset('recommended').prompt
const field = promptPreset('field').prompt
const files = (path: string) =>
  ok(readFileSync(new URL(`../../../prompts/${path}`, import.meta.url), 'utf8'))
const input: ComposeInput = { registry: SEGMENT_REGISTRY, files, options, queryType: 'code' }

function render(source: string, context: Readonly<Record<string, unknown>> = {}) {
  const answer = renderTemplate(source, context, 'test.md')
  if (!answer.ok) throw new Error(answer.error.what)
  return answer.value
}

test('recommended is the value that each option documents', () => {
  const values = Object.entries(PROMPT_OPTIONS).map(([name, { value }]) => [name, value])
  expect(Object.fromEntries(values)).toEqual(options)
  expect(Object.keys(PROMPT_OPTIONS)).toEqual(Object.keys(PromptOptions.shape))
})

describe('[L13] variables', () => {
  test.each([
    ['Maximum {{ max }} turns', { max: 5 }, 'Maximum 5 turns', [], []],
    ['Maximum {{ max }} turns', {}, 'Maximum  turns', ['max'], []],
    [
      '{{ a | default("x") }}{% if b %}y{% endif %}{{ c is defined }}',
      { z: 1 },
      'xFalse',
      [],
      ['z'],
    ],
    ['{% for item in list %}{{ item.name }},{% endfor %}', { list: [{ name: 'a' }] }, 'a,', [], []],
    ['{% set own = 1 %}{{ own + given }}', { given: 2 }, '3', [], []],
    ['{{ thing | upper }} {{ thing[key] }}', { thing: 'ab', key: 0 }, 'AB a', [], []],
    ['{% for n in range(3) %}{{ n }}{% endfor %}', {}, '012', [], []],
    ['no tags\n', { u: 1 }, 'no tags\n', [], ['u']],
    ['ends {{ a }}\n', { a: 1 }, 'ends 1\n', [], []],
  ])('%j', (...[source, context, text, missing, unused]) => {
    const rendered = render(source, context)
    expect(rendered.text).toBe(text)
    expect(rendered.variables).toMatchObject({ missing, unused })
  })
  test('strictVariables: a missing one fails its segment; required segments fail the prompt', () => {
    const strict = (required: boolean) =>
      composePrompt({
        ...input,
        options: field,
        registry: [{ ...SEGMENT_REGISTRY[0]!, required }],
        files: () => ok('{{ nobody }}'),
      })
    expect(strict(true)).toMatchObject({
      ok: false,
      error: { what: "Failed to load required segment 'base': undefined variable 'nobody'" },
    })
    const optional = strict(false)
    expect(optional.ok && optional.value.warnings).toEqual([
      "Failed to load segment 'base': undefined variable 'nobody'",
    ])
  })
  test('a missing variable is a diagnostic, never one of the composer’s warnings', () => {
    const answer = composePrompt({ ...input, files: () => ok('{{ nobody }}') })
    expect(answer.ok && answer.value.warnings).toEqual([])
    expect(answer.ok && answer.value.segments[0]?.variables?.missing).toEqual(['nobody'])
  })
  test('given and used by nothing that is in', () => {
    const answer = composePrompt({ ...input, context: { project_name: 'x', other: 'y' } })
    expect(answer.ok && answer.value.unusedVariables).toEqual(['other'])
  })
  test.each(['{{ a', '{% for %}', '{% if x %}', '{{ a.b.c }}', '{{ f() }}', '{{ range(10**9) }}'])(
    'a broken template is a failure with its place: %s',
    (source) => {
      const answer = renderTemplate(source, {}, 'test.md')
      if (answer.ok) expect(answer.value.text).toBe('')
      else expect(answer.error).toMatchObject({ where: 'test.md' })
    },
  )
  test('a template has no clock', () =>
    expect(renderTemplate('{{ strftime_now("%Y") }}', {}, 'test.md').ok).toBe(false))
  test('variables named like the template’s own words are given', () =>
    expect(render('{{ namespace }} {{ range }}', { namespace: 'n', range: 'r' }).text).toBe('n r'))
})

describe('prompts/oracle', () => {
  test.each(QueryType.options)(
    'the seven compose for %s, strictly, within half the budget',
    (queryType) => {
      const answer = composePrompt({ ...input, queryType, options: field })
      if (!answer.ok) throw new Error(answer.error.what)
      expect(answer.value.warnings).toEqual([])
      expect(answer.value.tokenEstimate).toBeLessThan(field.budget / 2)
    },
  )
  test('each is near the size that the registry says', () => {
    for (const { file_path, token_estimate } of SEGMENT_REGISTRY) {
      const { text } = render(files(file_path).value)
      expect(chars4(text) / token_estimate).toBeGreaterThan(0.6)
      expect(chars4(text) / token_estimate).toBeLessThan(1.1)
    }
  })
})

describe('budget', () => {
  test('[P1] what would fit at N: the next segment is in from its admittedFrom on, not before', () => {
    const at = (budget: number) => {
      const extraSegments = ['docs', 'research']
      const answer = composePrompt({ ...input, extraSegments, options: { ...options, budget } })
      if (!answer.ok) throw new Error(answer.error.what)
      return answer.value
    }
    const nextOf = (budget: number) =>
      at(budget)
        .segments.filter(({ outcome }) => outcome === 'skipped_budget')
        .toSorted((a, b) => (a.admittedFrom ?? 0) - (b.admittedFrom ?? 0))[0]
    let steps = 0
    for (let next = nextOf(0); next !== undefined; next = nextOf(next.admittedFrom ?? 0)) {
      const from = next.admittedFrom ?? 0
      expect(at(from).segmentsIncluded).toContain(next.id)
      expect(at(from - 1).segmentsIncluded).not.toContain(next.id)
      steps += 1
    }
    expect(steps).toBeGreaterThan(2)
  })
  test('an estimator that is not loaded is a failure that says so', () =>
    expect(composePrompt({ ...input, options: { ...options, estimator: 'o200k_base' } }).ok).toBe(
      false,
    ))
  test('[P3] unknown extra segments are named each time', () => {
    const answer = composePrompt({ ...input, extraSegments: ['nope', 'nope'] })
    expect(answer.ok && answer.value.warnings).toEqual([
      "Unknown segment 'nope'",
      "Unknown segment 'nope'",
    ])
  })
})

describe('estimators', () => {
  test('side by side on one text', async () => {
    const o200k = await loadO200k()
    const text = 'The quick brown fox jumps over the lazy dog.'
    expect([chars4(text), words13(text), o200k(text)]).toEqual([11, 11, 10])
  })
  test('[L19] words x 1.3 counts a text without blanks as one word', () =>
    expect([words13('日本語で書かれた文'), chars4('日本語で書かれた文')]).toEqual([1, 2]))
  test('the tokenizer takes names of special tokens and endless runs as text', async () => {
    const o200k = await loadO200k()
    expect(o200k('<|endoftext|>')).toBeGreaterThan(3)
    for (const char of ['a', ' ', '\n', '語', '🙂']) {
      const count = o200k(char.repeat(20_000))
      expect(count).toBeGreaterThan(100)
      expect(count).toBeLessThanOrEqual(60_000)
    }
  })
})

test('any files and budget: spans, sizes and order hold together', () => {
  const registry = fc.uniqueArray(
    fc.record({
      id: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
      file_path: fc.constantFrom('a.md', 'b.md', 'missing.md'),
      priority: fc.integer({ min: 0, max: 3 }),
      conditions: fc.subarray([...QueryType.options]),
      required: fc.boolean(),
      token_estimate: fc.integer({ min: 0, max: 50 }),
    }),
    { selector: (segment) => segment.id },
  )
  fc.assert(
    fc.property(
      registry,
      fc.string(),
      fc.string(),
      fc.integer({ min: 0, max: 100 }),
      (segments, a, b, budget) => {
        const texts: Readonly<Record<string, string>> = { 'a.md': a, 'b.md': b }
        const answer = composePrompt({
          registry: segments,
          files: (path) => {
            const text = texts[path]
            return text === undefined
              ? err({ what: `not found: ${path}`, where: path, do: '' })
              : ok(text)
          },
          options: { ...options, budget },
          queryType: 'code',
        })
        if (!answer.ok) return
        const prompt = ComposedPrompt.parse(answer.value)
        const spans = prompt.segments.flatMap(({ span }) => (span === null ? [] : [span]))
        expect(spans.map((span) => prompt.content.slice(...span)).join('\n\n---\n\n')).toBe(
          prompt.content,
        )
        expect(prompt.segments).toHaveLength(segments.length)
        const optional = prompt.segments.filter(({ outcome }) => outcome === 'included')
        for (const { admittedFrom } of optional) expect(admittedFrom).toBeLessThanOrEqual(budget)
      },
    ),
  )
})
