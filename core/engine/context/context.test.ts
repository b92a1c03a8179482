import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { draft, finishSessions, sessionDraft, type EventParts } from '../import/shared/drafts.ts'
import { createModelCalls, openaiUsage } from '../import/shared/model-calls.ts'
import { type ModelCall, NOT_IN_FILE, OTHERS } from '../schema/context.ts'
import { NO_TEXTS, type SessionEvent } from '../schema/event.ts'
import type { EventKind } from '../schema/event-kind.ts'
import type { Session } from '../schema/session.ts'
import { eventsBefore } from './before.ts'
import { foldContext } from './fold.ts'
import { groupsByCall, partsOf } from './parts.ts'
import { costOf } from './prices.ts'
import { partLabel, sourceLabel, sourceOf } from './source.ts'
import { MOST_LAYERS, stacksOf } from './stacks.ts'
import { windowOf } from './windows.ts'

interface Row extends EventParts {
  readonly kind: EventKind
  readonly text: string
  readonly model?: string
}

const recorded = (total: number, cacheRead = 0): ModelCall => ({
  id: null,
  input: total - cacheRead,
  cacheRead,
  cacheWrite: 0,
  output: 5,
  reasoning: null,
  window: null,
})

function sessionOf(rows: readonly Row[], id = 's', thread = 'main', from = 0): Session {
  const item = sessionDraft(id, thread, thread === 'main' ? null : 's')
  for (const [at, { kind, text, model = null, ...parts }] of rows.entries()) {
    const offset = from + at
    const source = { offset, length: 1, line: offset + 1 }
    item.events.push(draft(kind, text, { at: offset, model, source }, parts))
  }
  const [session] = finishSessions([item], NO_TEXTS)
  if (session === undefined) throw new Error('the session has events')
  return session
}

const folded = (
  { events, texts }: Session,
  format = 'codex',
  before: readonly SessionEvent[] = [],
) => foldContext({ format, before, events, texts, tokens: ({ chars }) => chars })

const TALK: readonly Row[] = [
  { kind: 'user', text: 'x'.repeat(100) },
  { kind: 'agent', text: 'y'.repeat(10), call: recorded(1100) },
  { kind: 'tool_result', name: 'Read', text: 'z'.repeat(190) },
  { kind: 'meta', text: 'not read by the model' },
  { kind: 'agent', text: 'y', call: recorded(1500, 1100) },
]

describe('context of a call', () => {
  it('[X6] holds what stands before its first output, without facts and errors', () => {
    const context = folded(sessionOf([{ kind: 'system', text: 'failed', isError: true }, ...TALK]))
    expect(context.calls.map(({ from, to, added }) => [from, to, added])).toEqual([
      [0, 2, 0],
      [0, 5, 2],
    ])
    const labels = context.calls.map((call) =>
      partsOf(context, call).parts.map(({ label }) => label),
    )
    expect(labels).toEqual([['user messages'], ['user messages', 'answers', 'results of Read']])
  })

  it('[X6] reads the system prompt of a file, but no notice of a client', () => {
    const rows: readonly Row[] = [{ kind: 'system', text: 'Be brief.' }, ...TALK]
    const first = (format: string) => {
      const context = folded(sessionOf(rows), format)
      return partsOf(context, context.calls[0]!).parts.map(({ label }) => label)
    }
    expect(first('codex')).toEqual(['system prompt', 'user messages'])
    expect(first('claude-code')).toEqual(['user messages'])
  })

  it('[X7] scales added texts to the recorded growth, so that the rest stays the same', () => {
    const context = folded(sessionOf(TALK))
    const [one, two] = context.calls.map((call) => partsOf(context, call))
    expect(one).toMatchObject({ tokens: 1100, rest: 1000 })
    expect(two).toMatchObject({ tokens: 1500, rest: 1000 })
    expect(two?.parts.map(({ tokens, added }) => [tokens, added])).toEqual([
      [100, false],
      [20, true],
      [380, true],
    ])
  })

  it('[X6] without usage each beginning of the agent is a call, and all is an estimate', () => {
    const rows = TALK.map(({ call: _, ...row }) => row)
    const context = folded(sessionOf(rows))
    expect(context.calls.map(({ recorded: none }) => none)).toEqual([null, null])
    const groups = [...groupsByCall(context)].map((each) => each.groups)
    expect(groups[1]?.map(({ label, tokens }) => [label, tokens])).toEqual([
      ['results of Read', 190],
      ['user messages', 100],
      ['answers', 10],
    ])
  })

  it('[X8] a compaction and /clear drop what stands before them', () => {
    const clear = '<command-name>/clear</command-name>'
    const context = folded(
      sessionOf([
        ...TALK,
        { kind: 'meta', name: 'compact_boundary', text: 'Conversation compacted' },
        { kind: 'summary', text: 'in short' },
        { kind: 'agent', text: 'y', call: recorded(1010) },
        { kind: 'command', name: 'slash-command', text: clear },
        { kind: 'user', text: 'again' },
        { kind: 'agent', text: 'y', call: recorded(900) },
      ]),
      'claude-code',
    )
    const cuts = context.calls.map(({ cut }) => cut && [cut.reason, cut.at, cut.events, cut.before])
    expect(cuts).toEqual([null, null, ['compacted', 5, 5, 1500], ['cleared', 8, 3, 1010]])
    const labels = context.calls.map((call) =>
      partsOf(context, call).parts.map(({ label }) => label),
    )
    expect(labels[2]).toEqual(['summary'])
    expect(labels[3]).toEqual(['commands', 'user messages'])
  })

  it('[X8] a fall of the recorded tokens that nothing explains is a cut too', () => {
    const context = folded(sessionOf([...TALK, { kind: 'agent', text: 'y', call: recorded(300) }]))
    expect(context.calls.at(-1)?.cut).toMatchObject({ reason: 'shrank', before: 1500 })
    const { parts, rest, tokens } = partsOf(context, context.calls.at(-1)!)
    expect(parts.reduce((sum, part) => sum + part.tokens, rest)).toBe(tokens)
  })

  it('[X9] a branch begins with its parent up to the branch; a sub-agent with nothing', () => {
    const main = sessionOf(TALK)
    const branch = sessionOf(
      [
        { kind: 'user', text: 'other way' },
        { kind: 'agent', text: 'y', call: recorded(1200) },
      ],
      's/branch-1',
      'branch-1',
      2,
    )
    const agent = sessionOf(TALK, 's/a1', 'a1', 2)
    expect(eventsBefore(branch, [main, branch])).toEqual(main.events.slice(0, 2))
    expect(eventsBefore(agent, [main, agent])).toEqual([])
    const context = folded(branch, 'codex', eventsBefore(branch, [main, branch]))
    expect(context.calls).toHaveLength(1)
    expect(partsOf(context, context.calls[0]!).parts.map(({ seq }) => seq)).toEqual([null, null, 0])
  })
})

describe('layers of all calls', () => {
  it('[X14] are kinds of sources, the remainder lowest, then the largest over the session', () => {
    const rule = { kind: 'rule', path: null, globs: null, cause: null } as const
    const rows: readonly Row[] = [
      { kind: 'injected', text: 'r'.repeat(30), from: { ...rule, name: 'a.md' } },
      { kind: 'injected', text: 'r'.repeat(40), from: { ...rule, name: 'b.md' } },
      ...TALK,
    ]
    expect(stacksOf(folded(sessionOf(rows)))).toEqual({
      layers: [NOT_IN_FILE, 'tool results', 'user messages', 'rules', 'answers'],
      tokens: [930, 0, 100, 70, 0, 930, 380, 100, 70, 20],
    })
  })

  it('[X14] of more than 8 kinds the smallest share a layer', () => {
    const kinds = ['user', 'summary', 'command', 'interruption', 'subagent_prompt'] as const
    const sources = ['rule', 'skill', 'hook', 'file', 'memory', 'date'] as const
    const rows: readonly Row[] = [
      { kind: 'summary', text: 's' },
      ...kinds.map((kind, at): Row => ({
        kind: kind === 'summary' ? 'tool_call' : kind,
        text: 'k'.repeat(50 + at),
      })),
      ...sources.map((kind, at): Row => ({
        kind: 'injected',
        text: 'i'.repeat(10 + at),
        from: { kind, name: null, path: null, globs: null, cause: null },
      })),
      { kind: 'agent', text: 'y', call: recorded(500) },
    ]
    const { layers, tokens } = stacksOf(folded(sessionOf(rows)))
    expect(layers).toHaveLength(MOST_LAYERS + 2)
    expect(layers.at(-1)).toBe(OTHERS)
    expect(tokens.reduce((sum, one) => sum + one, 0)).toBe(500)
  })
})

const KINDS = ['user', 'agent', 'tool_result', 'injected', 'meta', 'summary', 'system'] as const
const anyRow = fc.record({
  kind: fc.constantFrom(...KINDS),
  text: fc.string({ maxLength: 40 }),
  total: fc.option(fc.nat(5000)),
})

test('[X7] the parts and the rest of any call are whole numbers that add up to the recorded tokens', () => {
  fc.assert(
    fc.property(fc.array(anyRow, { minLength: 1, maxLength: 40 }), (rows) => {
      const session = sessionOf(
        rows.map(({ kind, text, total }) => ({
          kind,
          text,
          call: total === null ? undefined : recorded(total),
        })),
      )
      const context = folded(session)
      const all = [...groupsByCall(context)]
      expect(all).toHaveLength(context.calls.length)
      const stacks = stacksOf(context)
      for (const [nth, { call, groups }] of all.entries()) {
        const found = partsOf(context, call)
        const wide = stacks.layers.length
        const layers = stacks.tokens.slice(nth * wide, (nth + 1) * wide)
        expect(layers.reduce((before, tokens) => before + tokens, 0)).toBe(found.tokens)
        expect(layers[0]).toBe(found.rest)
        expect(layers.every((tokens) => tokens >= 0)).toBe(true)
        const sum = found.parts.reduce((before, { tokens }) => before + tokens, found.rest)
        expect(sum).toBe(found.tokens)
        expect(groups.reduce((before, { tokens }) => before + tokens, 0)).toBe(found.tokens)
        const whole = [...found.parts.map(({ tokens }) => tokens), found.rest]
        expect(whole.every((tokens) => Number.isInteger(tokens) && tokens >= 0)).toBe(true)
        const rest = groups.find(({ label }) => label === NOT_IN_FILE)?.tokens ?? 0
        expect(Math.abs(rest - found.rest)).toBeLessThanOrEqual(1)
      }
    }),
  )
})

describe('sources', () => {
  it('[X1] are written in a few words', () => {
    const label = (kind: Parameters<typeof sourceLabel>[0]['kind'], name: string | null = null) =>
      sourceLabel({ kind, name })
    expect(label('instructions', 'CLAUDE.md')).toBe('CLAUDE.md')
    expect(label('skill_list')).toBe('skill list')
    expect(label('hook', 'UserPromptSubmit')).toBe('hook UserPromptSubmit')
    expect(label('mcp', 'ponds')).toBe('MCP ponds')
  })

  it('[X1] are named by the rule that recognized a text if the file says no more', () => {
    const named = (name: string | null) => sourceLabel(sourceOf({ name }))
    expect(named('agents-md')).toBe('AGENTS.md')
    expect(named('environment-context')).toBe('environment')
    expect(named('of a newer kind')).toBe('of a newer kind')
    expect(partLabel({ kind: 'injected', name: null })).toBe('harness')
  })
})

describe('windows', () => {
  it.each([
    ['claude-sonnet-4-5-20250929', 150_000, 200_000],
    ['claude-sonnet-4-5-20250929', 350_000, 1_000_000],
    ['us.anthropic.claude-opus-4-1-v1:0', 0, 200_000],
    ['openai/gpt-4o-mini', 0, 128_000],
    ['gpt-4.1', 0, 1_047_576],
    ['models/gemini-2.5-pro', 0, 1_048_576],
    ['claude-sonnet-4-5', 2_000_000, null],
    ['a model of mine', 0, null],
    [null, 0, null],
  ])('[X5] %s with %i recorded tokens has %s', (model, most, window) => {
    expect(windowOf(model, most)).toBe(window)
  })
})

describe('recorded calls', () => {
  it('[X2] count once, however many records tell of them, with their last numbers', () => {
    const events = sessionOf([...TALK]).events.map((event) => ({ ...event }))
    const calls = createModelCalls()
    const usage = (output: number) => ({ ...recorded(50), output })
    calls.note('m1', usage(1), [])
    calls.note('m1', usage(2), events.slice(0, 1))
    calls.note('m1', usage(9), events.slice(2, 3))
    expect(events[0]?.call).toMatchObject({ id: 'm1', output: 9 })
    expect(events[2]?.call).toBeUndefined()
  })

  it('[X2] take cached tokens out of an input that includes them', () => {
    const usage = { input_tokens: 100, cached_input_tokens: 90, output_tokens: 7 }
    expect(openaiUsage(usage)).toMatchObject({ input: 10, cacheRead: 90, output: 7 })
    expect(openaiUsage({ output_tokens: 7 })).toBeNull()
  })
})

describe('prices', () => {
  const prices = {
    currency: 'USD',
    models: { pond: { input: 2, output: 10 }, 'pond-2': { input: 4, output: 10, cacheRead: 1 } },
  }

  it('[X10] the longest name that fits counts; no price is no cost', () => {
    const call = { ...recorded(2_000_000, 1_000_000), output: 100_000 }
    expect(costOf(call, 'pond-1', prices)).toBe(5)
    expect(costOf(call, 'pond-2-mini', prices)).toBe(6)
    expect(costOf(call, 'lake', prices)).toBeNull()
    expect(costOf(call, null, prices)).toBeNull()
  })
})
