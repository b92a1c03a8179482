import { describe, expect, test } from 'vitest'
import { plainEvent } from '../../../fixtures/events.ts'
import type { ContextSource, ModelCall, SourceKind } from '../schema/context.ts'
import { createMatcher } from './match.ts'
import { parseQuery } from './parse.ts'

const from = (kind: SourceKind, name: string | null, path: string | null = null): ContextSource => {
  return { kind, name, path, globs: null, cause: null }
}
const call = (cacheRead: number): ModelCall => {
  return { id: null, input: 10, cacheRead, cacheWrite: 5, output: 1, reasoning: null, window: null }
}

const EVENTS = [
  plainEvent({
    seq: 0,
    kind: 'injected',
    name: 'rule',
    from: from('rule', 'docs.md', '/p/.rules/docs.md'),
  }),
  plainEvent({ seq: 1, kind: 'injected', name: 'skill', from: from('skill', 'release-notes') }),
  plainEvent({ seq: 2, kind: 'injected', name: 'agents-md' }),
  plainEvent({ seq: 3, kind: 'user', text: 'tokens>5' }),
  plainEvent({ seq: 4, kind: 'reasoning', call: call(985) }),
  plainEvent({ seq: 5, kind: 'tool_call', name: 'release-notes' }),
  plainEvent({ seq: 6, kind: 'tool_result', name: 'release-notes' }),
  plainEvent({ seq: 7, kind: 'agent', call: call(1985) }),
  plainEvent({ seq: 8, kind: 'user' }),
  plainEvent({ seq: 9, kind: 'agent' }),
]

function finds(query: string): readonly number[] | string {
  const parsed = parseQuery(query)
  if (!parsed.ok) return `${parsed.error.what}. ${parsed.error.where}. ${parsed.error.do}`
  const matcher = createMatcher(parsed.value, { facts: null, events: EVENTS })
  if (!matcher.ok) return matcher.error.what
  const { quick, slow } = matcher.value
  return EVENTS.filter(
    (event) => quick(event, () => event.text) && (slow?.(event, () => event.text) ?? true),
  ).map(({ seq }) => seq)
}

describe('find by what reached the model', () => {
  test.each([
    ['context:any', [0, 1, 2]],
    ['context:rule', [0]],
    ['context:skill,instructions', [1, 2]],
    ['context:skill-list', []],
    ['-context:any kind:injected', []],
    ['skill:release-notes', [1]],
    ['skill:REL*', [1]],
    ['skill:release', []],
    ['skill:/^rel/', [1]],
    ['injected:agents.md', [2]],
    ['injected:.rules/', [0]],
    ['injected:"skill release"', [1]],
    ['injected:/docs\\.md$/', [0]],
    ['context:rule injected:docs', [0]],
  ])('[X16] %s', (query, found) => {
    expect(finds(query)).toEqual(found)
  })

  test('[X16] an unknown kind names the nearest and all', () => {
    expect(finds('context:rul')).toMatch(
      /context has no value "rul".*Did you mean context:rule\?.*memory/u,
    )
  })

  test.each([
    ['tokens>1000', [6, 7]],
    ['tokens>999', [0, 1, 2, 3, 4, 5, 6, 7]],
    ['tokens<1_001', [0, 1, 2, 3, 4, 5]],
    ['tokens>1k', [6, 7]],
    ['tokens>0.', 'error'],
    ['-tokens>1000 kind:agent', [9]],
    ['tokens>1500,<500 kind:agent', [7]],
    ['tokens:>1_999', [6, 7]],
    ['tokens>1m', []],
    ['"tokens>5"', [3]],
  ])('[X17] %s', (query, found) => {
    const got = finds(query)
    if (found === 'error') expect(got).toMatch(/is no limit of tokens.*column 7 of the query/u)
    else expect(got).toEqual(found)
  })

  test('[X17] a limit that is no number says how to write one', () => {
    expect(finds('tokens>many')).toMatch(/">many" is no limit of tokens.*Write tokens>150000/u)
    expect(finds('tokens:5')).toMatch(/"5" is no limit of tokens/u)
  })
})
