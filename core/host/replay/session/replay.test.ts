import { expect, test } from 'vitest'
import { plainEvent, withTexts } from '../../../../fixtures/events.ts'
import type { Session } from '../../../engine/schema/session.ts'
import { createTimeLimit } from '../../platform/guard/guard.ts'
import { CONFIG, REPOSITORY, valueOf } from '../../../../fixtures/host.ts'
import { openWorkspace } from '../../workspace/workspace.ts'
import { loadConfig } from '../../workspace/config-files.ts'
import { findMarks } from './marks.ts'
import { compilePipeline, createPipelines } from '../../rules/pipelines.ts'
import { diffReplays } from '../../../engine/lab/flips/diff.ts'
import { replaySession } from './replay.ts'
import { traceTurn } from './trace-turn.ts'
import { createScanCache } from './scan-cache.ts'

const limit = createTimeLimit()
const { signal } = new AbortController()
const workspace = openWorkspace(REPOSITORY)

const TEXTS = [
  'Investigate why the credit rating changed and find evidence in the filings',
  'Investigate the root cause <think>fix the crash, git commit</think> of the downgrade',
  'ls -la /tmp/work',
  'git status && git commit -m wip',
  `Investigate ${'the filings of Oracle and '.repeat(2_000)} and fix the crash, a TypeError in parse_config`,
  'ok',
  'Write a python function that parses the table and add unit tests',
  'Fix the crash: TypeError in parse_config, stack trace below',
]

function session(
  kinds: ReadonlyArray<'user' | 'agent' | 'tool_result'>,
  textOf = (seq: number) => TEXTS[(seq + (seq >> 2)) % TEXTS.length] ?? '',
): Session {
  const events = Array.from({ length: 64 }, (_, seq) =>
    plainEvent({ seq, kind: kinds[seq % kinds.length] ?? 'user', text: textOf(seq) }),
  )
  return {
    id: 's',
    title: '',
    thread: 'main',
    parent: null,
    startedAt: null,
    cwd: null,
    ...withTexts(events),
  }
}

const compiled = async (config = CONFIG) =>
  valueOf(compilePipeline(valueOf(await loadConfig(workspace, config))))

test('known scans change no answer: presets one after the other equal each on its own', async () => {
  const pipelines = createPipelines()
  const scans = createScanCache()
  const one = session(['user'])
  for (const preset of ['recommended', 'literal', 'field', 'recommended']) {
    const config = { ...CONFIG, preset }
    const files = valueOf(await loadConfig(workspace, config))
    const shared = await replaySession(valueOf(pipelines.get(files)), one, {
      limit,
      signal,
      scans,
    })
    const fresh = await replaySession(await compiled(config), one, { limit, signal })
    expect(shared.columns).toEqual(fresh.columns)
    expect(shared.states).toEqual(fresh.states)
  }
})

test('a trace of any turn decides as the replay did', async () => {
  for (const preset of ['recommended', 'literal', 'field']) {
    const replay = await replaySession(await compiled({ ...CONFIG, preset }), session(['user']), {
      limit,
      signal,
    })
    const { columns, states } = replay
    for (let turn = 0; turn < columns.turns; turn += 1) {
      const trace = traceTurn(replay, turn, limit)
      expect(columns.domains[columns.primary[turn] ?? -1]).toBe(trace.primary.domain)
      expect(columns.momentum[turn]).toBe(trace.momentum.after.momentum)
      expect(trace.momentum.before).toEqual(states[turn])
    }
  }
})

test('flips between replays of other texts are told by the turn of the first', async () => {
  // The tool's `git commit` in between keeps momentum weak; without it the fourth `ls` is resisted.
  const mixed = session(
    ['user', 'tool_result'],
    (seq) => TEXTS[seq % 2 === 1 ? 3 : seq % 8 === 6 ? 2 : 0] ?? '',
  )
  const classify = { user: true, agent: false, tool: false }
  const all = await replaySession(await compiled(), mixed, { limit, signal })
  const users = await replaySession(await compiled({ ...CONFIG, classify }), mixed, {
    limit,
    signal,
  })
  expect(all.columns.turns).toBe(64)
  expect(users.columns.turns).toBe(32)
  const name = (replay: typeof all, turn: number) =>
    replay.columns.domains[replay.columns.primary[turn] ?? -1]
  const flips = diffReplays(all, users)
  expect(flips.length).toBeGreaterThan(0)
  for (const flip of flips) {
    expect(flip.turn % 2).toBe(0)
    expect(flip.since % 2).toBe(0)
    if (flip.fields.includes('primary')) {
      expect(name(all, flip.turn)).not.toBe(name(users, flip.turn / 2))
    }
  }
  const flipped = new Set(flips.filter((f) => f.fields.includes('primary')).map((f) => f.turn))
  for (let turn = 0; turn < 64; turn += 2) {
    if (!flipped.has(turn)) expect(name(all, turn)).toBe(name(users, turn / 2))
  }
})

test('an aborted replay rejects at its next breath', async () => {
  const stop = new AbortController()
  const long = session(['user'])
  const events = Array.from({ length: 200 }, () => long.events).flat()
  const running = replaySession(
    await compiled(),
    { ...long, events },
    { limit, signal: stop.signal },
  )
  stop.abort()
  await expect(running).rejects.toThrow('cancelled')
})

test('marks stand where the signal matched, also behind what was cut out of the text', async () => {
  const { pipeline } = await compiled({ ...CONFIG, preset: 'field' })
  for (const text of TEXTS) {
    const marks = findMarks(pipeline, { text: text, shown: text.length })
    for (const { span, domain, signal: index } of marks) {
      const entry = pipeline.belief.set.byName.get(domain)?.signals[index]
      const shown = text.slice(...span)
      const alone = findMarks(pipeline, { text: shown, shown: shown.length })
      const context = text.slice(Math.max(0, span[0] - 40), span[1] + 40)
      const again = [...alone, ...findMarks(pipeline, { text: context, shown: context.length })]
      expect(again.some((mark) => mark.domain === domain && mark.signal === index)).toBe(true)
      expect(entry).toBeDefined()
    }
  }
  const long = TEXTS[4] ?? ''
  const tail = findMarks(pipeline, { text: long, shown: long.length }).filter(
    ({ span }) => span[0] > long.length - 100,
  )
  expect(tail.length).toBeGreaterThan(0)
  // Text that is not shown is not marked.
  expect(findMarks(pipeline, { text: long, shown: 100 }).every(({ span }) => span[1] <= 100)).toBe(
    true,
  )
})

test('[B25] marks of a coloured text are places in it, one on each side of a code', async () => {
  const text = 'now \u001b[31mgit\u001b[0m \u001b[1mcommit\u001b[0m it'
  const { pipeline } = await compiled()
  const marks = findMarks(pipeline, { text, shown: text.length })
  expect(marks.length).toBeGreaterThan(0)
  const shown = new Set(marks.map(({ span }) => text.slice(...span).trim()))
  expect(shown).toContain('git')
  expect([...shown].every((words) => !words.includes('\u001b'))).toBe(true)
})

test('[B16] a huge text under literal is scored whole: no innocent pattern is cut off', async () => {
  const text = 'Investigate the filings, fix the crash in parse_config.py and git commit it. '
  const huge = session(['user'], (seq) => (seq === 3 ? text.repeat(40_000) : 'ok'))
  const events = huge.events.slice(0, 6)
  const config = { ...CONFIG, preset: 'literal' }
  const replay = await replaySession(await compiled(config), { ...huge, events }, { limit, signal })
  const short = session(['user'], (seq) => (seq === 3 ? text : 'ok'))
  const small = await replaySession(
    await compiled(config),
    { ...short, events: short.events.slice(0, 6) },
    { limit, signal },
  )
  expect(replay.columns.cutOffs).toEqual([])
  expect(replay.columns.scorePairs).toEqual(small.columns.scorePairs)
  expect(traceTurn(replay, 3, limit).domains.every((d) => d.signals.every((s) => !s.cutOff))).toBe(
    true,
  )
})
