import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { promptPreset } from '../../fixtures/prompt-vectors.ts'
import { tracePrompt, traceQuery, traceResponse } from './answer-stage.ts'
import { SEGMENT_REGISTRY } from './prompt/registry.ts'
import { err, ok } from './result.ts'
import { PromptTrace, QueryTrace, SelfSignalTrace } from './schema/answer-trace.ts'
import { initialSelfSignalState } from './self-signal/state.ts'

const preset = promptPreset('recommended')
const field = promptPreset('field')
const files = (path: string) => {
  try {
    return ok(readFileSync(new URL(`../../prompts/${path}`, import.meta.url), 'utf8'))
  } catch {
    return err({ what: `not found: ${path}`, where: path, do: 'Create the file.' })
  }
}
const NEED_TURN =
  'Looking.\n<signal type="need_turn"><reason>still reading the parser</reason><confidence>0.8</confidence></signal>'
const DONE =
  '<signal type="context_sufficient"><sources_found>2</sources_found><confidence>0.9</confidence></signal>'

function fold(texts: readonly string[], options = preset.selfSignal, toolCallsAfter = 0) {
  let state = initialSelfSignalState
  return texts.map((text, seq) => {
    const response = { seq, text, at: null, toolCallsBefore: 0, toolCallsAfter }
    const trace = SelfSignalTrace.parse(traceResponse(response, state, options))
    state = trace.after
    return trace
  })
}

describe('responses', () => {
  test('[L15] a loop is stuck from the third time on; the trace has the state before and after', () => {
    const traces = fold([NEED_TURN, NEED_TURN, NEED_TURN, DONE])
    expect(traces.map((trace) => trace.stuck)).toEqual([false, false, true, false])
    expect(traces[2]?.before.consecutiveSameReason).toBe(2)
    expect(traces[2]?.after.consecutiveSameReason).toBe(3)
  })
  test('[L16] an agent that emits none is silent and quiet; the fallback goes on', () => {
    const traces = fold(['a', 'b', 'c'], field.selfSignal)
    expect(traces.map(({ silent, quiet }) => [silent, quiet])).toEqual([
      [false, true],
      [false, true],
      [true, true],
    ])
    expect(traces[2]?.fallback).toMatchObject({ action: 'continue', trigger: 'no_signal' })
  })
  test('[L16] recommended shows silence and takes no action', () =>
    expect(fold(['a', 'b', 'c']).at(-1)).toMatchObject({ silent: true, fallback: null }))
  test('claimed against observed: done, yet three tool calls follow', () => {
    const [trace] = fold([DONE], preset.selfSignal, 3)
    expect(trace?.claims).toEqual([
      {
        claim: 'context_sufficient: done',
        observed: '3 tool calls before the next message',
        agrees: false,
      },
      { claim: 'sources_found: 2', observed: 'no tool call so far', agrees: false },
    ])
  })
})

describe('messages', () => {
  const message = { seq: 4, queryType: 'code' } as const
  const input = { registry: SEGMENT_REGISTRY, files, options: preset.prompt }

  test('the query trace says what was classified and whether there was a context', () => {
    const trace = traceQuery({ seq: 1, text: 'and that one?', previous: 'before' }, preset.query)
    expect(QueryTrace.parse(trace).classification.by).toBe('followup')
    expect(trace.hasContext).toBe(true)
  })
  test('enrichment and probe context have their place, and the trace says where', () => {
    const additions = {
      enrichment: '[BST] investigate {{ first }}',
      probeContext: 'Found: notes.md',
    }
    const trace = PromptTrace.parse(tracePrompt(message, additions, input))
    expect(trace.prompt?.segmentsIncluded).toEqual([
      'base',
      'signals',
      'tools',
      'code',
      'probe-context',
      'enrichment',
    ])
    expect(trace.placements).toEqual([
      {
        what: 'probe_context',
        segment: 'probe-context',
        chars: 15,
        placed: true,
        why: 'added by another stage',
      },
      {
        what: 'enrichment',
        segment: 'enrichment',
        chars: 29,
        placed: true,
        why: 'added by another stage',
      },
    ])
    const segment = trace.prompt?.segments.find(({ id }) => id === 'enrichment')
    // Text of another stage is no template.
    expect(trace.prompt?.content.slice(...(segment?.span ?? [0, 0]))).toBe(additions.enrichment)
  })
  test('what does not fit is left out, and the trace says so', () => {
    const options = { ...preset.prompt, budget: 1900 }
    const additions = { enrichment: 'x'.repeat(2000), probeContext: null }
    const trace = tracePrompt(message, additions, { ...input, options })
    expect(trace.placements[0]).toMatchObject({ placed: false })
    expect(trace.placements[0]?.why).toMatch(/^needs a budget of \d+, 1900 is set$/)
  })
  test('nothing to add adds nothing', () => {
    const trace = tracePrompt(message, { enrichment: '', probeContext: null }, input)
    expect(trace.placements).toEqual([])
    expect(trace.prompt?.segmentsIncluded).toHaveLength(4)
  })
  test('[P8] a missing required file is an error in the trace, not an exception', () => {
    const none = (path: string) =>
      err({ what: `not found: ${path}`, where: path, do: 'Create it.' })
    const trace = PromptTrace.parse(
      tracePrompt(message, { enrichment: 'x', probeContext: null }, { ...input, files: none }),
    )
    expect(trace.prompt).toBeNull()
    expect(trace.error?.what).toBe(
      "Failed to load required segment 'base': not found: oracle/base.md",
    )
    expect(trace.placements[0]?.placed).toBe(false)
  })
})
