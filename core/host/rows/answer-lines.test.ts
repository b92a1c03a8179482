import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CONFIG, REPOSITORY, valueOf } from '../../../fixtures/host.ts'
import { plainEvent } from '../../../fixtures/events.ts'
import { replay } from '../../../fixtures/replays.ts'
import type { EventKind } from '../../engine/schema/event-kind.ts'
import { turnsOf } from '../../engine/turns.ts'
import { loadConfig } from '../workspace/config-files.ts'
import { openWorkspace } from '../workspace/workspace.ts'
import { createCutOffRun } from '../platform/guard/cut-off-run.ts'
import { createTimeLimit } from '../platform/guard/guard.ts'
import { type Compiled, compilePipeline } from '../rules/pipelines.ts'
import { createLineAnswerer } from './answer-lines.ts'
import { createTurnClassifier } from './classify-turns.ts'
import { createLineFeed } from './line-feed.ts'

const ALL = { user: true, agent: true, tool: true }
const compiled = valueOf(
  compilePipeline(
    valueOf(await loadConfig(openWorkspace(REPOSITORY), { ...CONFIG, classify: ALL })),
  ),
)
const limit = createTimeLimit()

/** All answers to lines that come in chunks of that many bytes. */
function answersTo(text: string, size: number, { maxOpen = 1000, prefix = '' } = {}) {
  const parts = { limit, cutOffs: createCutOffRun() }
  const answerer = createLineAnswerer({
    classifier: createTurnClassifier(compiled, parts),
    classify: compiled.classify,
    maxOpen,
    prefix,
    config: 'c',
    engine: 'e',
  })
  const feed = createLineFeed()
  const bytes = Buffer.from(text)
  const all = []
  for (let at = 0; at < bytes.length; at += size)
    all.push(answerer.answer(feed.push(bytes.subarray(at, at + size))))
  all.push(answerer.answer(feed.end()), answerer.end())
  return { text: all.map((each) => each.text).join(''), bad: all.flatMap((each) => each.bad) }
}

type Row = readonly [session: string, kind: EventKind, text: string]
const TEXTS = [
  'Investigate why the credit rating changed and find evidence in the filings',
  'Write a python function that parses the table and add unit tests',
  'fix the crash in the parser, the bug is back – äöü 😀',
  'ls -la "C:\\tmp"\n',
  '  ',
  'ok',
]
const rows = fc.array(
  fc.tuple(
    fc.constantFrom('a', 'b', 'c'),
    fc.constantFrom<EventKind>('user', 'agent', 'tool_call', 'tool_result', 'injected'),
    fc.constantFrom(...TEXTS),
  ),
  { maxLength: 40 },
)
const linesOf = (all: readonly Row[]) =>
  all
    .map(
      ([session, kind, message], turn) => `${JSON.stringify({ session, turn, kind, message })}\n`,
    )
    .join('')

/** Decisions of a replay of each session, by row number. */
function replayed({ pipeline, classify, config }: Compiled, all: readonly Row[]) {
  const decisions = new Map<number, unknown>()
  for (const name of ['a', 'b', 'c']) {
    const events = all.flatMap(([session, kind, text], seq) =>
      session === name ? [plainEvent({ seq, kind, text })] : [],
    )
    const placed = events.map((event, seq) => ({ ...event, seq }))
    const { columns } = replay(pipeline, turnsOf(placed, classify) as never, config)
    const domain = (at: number | undefined) => columns.domains[at ?? -1] ?? null
    for (const [turn, seq] of columns.seq.entries())
      decisions.set(events[seq]?.seq ?? -1, {
        primary: domain(columns.primary[turn]),
        secondary: domain(columns.secondary[turn]),
        confidence: columns.primaryScore[turn],
        momentum: columns.momentum[turn],
      })
  }
  return decisions
}

describe('[F110] rows of sessions in any mixture', () => {
  it('have the decisions of a replay of each session', () => {
    fc.assert(
      fc.property(rows, (all) => {
        const expected = replayed(compiled, all)
        const answers = answersTo(linesOf(all), 1 << 20)
          .text.split('\n')
          .slice(0, -1)
        expect(answers.length).toBe(all.length)
        for (const answer of answers) {
          const row = JSON.parse(answer) as Record<string, unknown> & { turn: number }
          const { primary, secondary, confidence, momentum } = row
          const nothing = { primary: null, secondary: null, confidence: null, momentum: null }
          expect({ primary, secondary, confidence, momentum }).toEqual(
            expected.get(row.turn) ?? nothing,
          )
        }
      }),
    )
  })

  it('have the same answers however the stream is cut, and whatever is between the lines', () => {
    fc.assert(
      fc.property(
        rows,
        fc.integer({ min: 1, max: 300 }),
        fc.integer({ min: 1, max: 3 }),
        (all, size, maxOpen) => {
          const lines = linesOf(all).replaceAll('\n', '\r\n\n')
          expect(answersTo(lines, size, { maxOpen })).toEqual(
            answersTo(lines, 1 << 20, { maxOpen }),
          )
        },
      ),
    )
  })

  it('a line that cannot be used costs itself, and says why', () => {
    const good = '{"session":"a","turn":1,"message":"fix the bug"}'
    const { text, bad } = answersTo(
      [
        'nonsense',
        '{"turn":1,"message":"x"}',
        '{"session":"","turn":1,"message":"x"}',
        good,
        good,
        '{"session":"a","turn":2.5,"message":"x"}',
        '{"session":"a","turn":2,"message":"x","kind":"robot"}',
        '{"session":"a","turn":2,"message":"x","primary":"mine"}',
        '[1]',
      ].join('\n'),
      7,
    )
    expect(text.split('\n').length).toBe(2)
    expect(bad.map(({ line }) => line)).toEqual([1, 2, 3, 5, 6, 7, 8, 9])
    for (const [at, words] of ['not JSON', 'session', 'session', 'sort the rows'].entries())
      expect(bad[at]?.error).toContain(words)
    expect(bad[6]?.error).toContain('--prefix')
  })

  it('[F110] a prefix stands before each name that is added', () => {
    const line = '{"session":"a","turn":1,"message":"fix the bug","primary":"mine","b":{}}'
    const { text } = answersTo(line, 100, { prefix: 'ts_' })
    expect(text).toMatch(
      /^\{"session":"a","turn":1,"primary":"mine","b":\{\},"ts_primary":"bugfix"/u,
    )
    const names = Object.keys(JSON.parse(text) as object)
    expect(names.filter((name) => name.startsWith('ts_')).length).toBe(12)
  })

  it('[F111] a line that is too long costs one row and no memory', () => {
    const feed = createLineFeed(10)
    const push = (text: string) => feed.push(Buffer.from(text))
    expect(push('a\nbbbbbbbb')).toEqual([{ line: 1, text: 'a' }])
    expect(push('bbbbbbbbb')).toEqual([])
    expect(push('bb\n\u2028')).toEqual([{ line: 2, text: null }])
    expect(feed.end()).toEqual([{ line: 3, text: '\u2028' }])
  })
})
