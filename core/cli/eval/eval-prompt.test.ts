import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { promptPreset, readVectors } from '../../../fixtures/prompt-vectors.ts'
import { err, ok } from '../../engine/result.ts'
import { composeForText } from '../../host/turns/session/playground.ts'
import { formatCompose } from '../prompt/compose.ts'
import {
  ComposeLine,
  QueryLine,
  SignalLine,
  answerCompose,
  answerQuery,
  answerSignal,
} from './eval-parts.ts'
import { type LineSource, filterLines } from './jsonl.ts'

const preset = promptPreset('recommended')

const evalSignal = (source: LineSource) =>
  filterLines(source, SignalLine, answerSignal(preset.selfSignal))
const evalQuery = (source: LineSource) => filterLines(source, QueryLine, answerQuery(preset.query))

async function* linesOf(items: readonly unknown[]): AsyncIterable<string> {
  for (const item of items) {
    await Promise.resolve()
    yield typeof item === 'string' ? item : JSON.stringify(item)
  }
}

const lines = (...items: readonly unknown[]) => ({ lines: linesOf(items) })

async function collect(output: AsyncIterable<string>): Promise<unknown[]> {
  const answers: unknown[] = []
  for await (const line of output) answers.push(JSON.parse(line))
  return answers
}

const prompts = (path: string) => {
  try {
    return ok(readFileSync(new URL(`../../../prompts/${path}`, import.meta.url), 'utf8'))
  } catch {
    return err({ what: `not found: ${path}`, where: path, do: 'Create the file.' })
  }
}

describe('eval signal', () => {
  test('gives signal, stripped and diagnostics, one line for each, in order', async () => {
    const response =
      'Done.\n\n<signal type="context_sufficient"><sources_found>2</sources_found><confidence>0.9</confidence></signal>'
    const answers = await collect(
      evalSignal(lines({ response }, '', { response: 'none' }, { response: null })),
    )
    expect(answers).toEqual([
      {
        signal: {
          type: 'context_sufficient',
          confidence: 0.9,
          fields: { sources_found: 2 },
          raw_xml: response.slice(7),
        },
        stripped: 'Done.',
        diagnostics: [],
      },
      { signal: null, stripped: 'none', diagnostics: [] },
      { signal: null, stripped: '', diagnostics: [] },
    ])
  })

  test('a bad line is answered with an error, and the next line is answered', async () => {
    const answers = await collect(
      evalSignal(lines('{"response":', { text: 'x' }, { response: 'x' })),
    )
    expect(answers).toEqual([
      { error: expect.stringContaining('not JSON') as string },
      { error: expect.stringContaining('response') as string },
      { signal: null, stripped: 'x', diagnostics: [] },
    ])
  })

  test('streams: the first answer comes before the second line is read', async () => {
    let read = 0
    async function* counted() {
      for await (const line of linesOf([{ response: 'a' }, { response: 'b' }])) {
        read++
        yield line
      }
    }
    const answers = evalSignal({ lines: counted() })[Symbol.asyncIterator]()
    await answers.next()
    expect(read).toBe(1)
  })
})

test('eval query gives the seven keys', async () => {
  const [answer] = await collect(evalQuery(lines({ query: 'Where is the auth function?' })))
  expect(answer).toEqual({
    type: 'code',
    confidence: 0.9500000000000001,
    keywords: ['function', 'where is'],
    needs_code: true,
    needs_vault: false,
    needs_web: false,
    segment: 'code',
  })
})

describe('eval compose', () => {
  const answer = answerCompose({ prompt: preset.prompt, files: prompts })
  const evalCompose = (source: LineSource) => filterLines(source, ComposeLine, answer)

  test('answers golden cases as recorded', async () => {
    interface Case {
      readonly expected: {
        readonly error?: string
        readonly content?: string
        readonly warnings?: string[]
      }
      readonly proposed?: object
    }
    const cases = readVectors<{ cases: Case[] }>('compose').cases.filter(
      ({ proposed, expected }) =>
        proposed === undefined && (expected.error !== undefined || expected.content !== undefined),
    )
    const answers = await collect(evalCompose(lines(...cases)))
    expect(answers.length).toBeGreaterThan(100)
    for (const [index, { expected }] of cases.entries()) {
      const { error, content, warnings } = expected
      expect(answers[index]).toMatchObject(error === undefined ? { content, warnings } : { error })
    }
  })

  test('without files it reads the workspace, with a budget of its own', async () => {
    const [all, low, bad] = await collect(
      evalCompose(
        lines(
          { query_type: 'research' },
          { query_type: 'research', budget: 100 },
          { query_type: 'x' },
        ),
      ),
    )
    expect(all).toMatchObject({
      segments_included: ['base', 'signals', 'tools', 'research'],
      warnings: [],
    })
    expect(low).toMatchObject({ segments_included: ['base', 'signals', 'tools'] })
    expect(bad).toEqual({ error: expect.stringContaining('query_type') as string })
  })
})

test('compose: type, budget, segments and prompt for people', () => {
  const answer = composeForText({
    text: 'Compare React vs Vue',
    query: preset.query,
    prompt: { ...preset.prompt, budget: 1500 },
    files: prompts,
    variables: { project_name: 'Demo' },
    type: null,
    estimators: {},
  })
  if (!answer.prompt.ok) throw new Error(answer.prompt.error.what)
  const shown = formatCompose(answer.query, answer.prompt.value)
  expect(shown).toContain('type        research')
  expect(shown).toContain(
    "warning     Required segment 'signals' exceeds token budget".replace('signals', 'tools'),
  )
  expect(shown).toMatch(/- research .*needs a budget of/)
  expect(shown).toContain('Project: Demo')
})
