import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  defaultPipeline,
  replay,
  sampleLabels,
  sampleSession,
  type ReplayedTurn,
} from '../../../fixtures/workspace.ts'
import { readTranscript } from '../../../fixtures/read-transcript.ts'

/** Longest run of turns in a row with this primary and one of these momentum events. */
function longestRun(
  turns: readonly ReplayedTurn[],
  domain: string,
  events: ReadonlySet<string>,
): number {
  let longest = 0
  let run = 0
  for (const { outcome } of turns) {
    run = outcome.primary.domain === domain && events.has(outcome.event) ? run + 1 : 0
    longest = Math.max(longest, run)
  }
  return longest
}
const HELD: ReadonlySet<string> = new Set(['hold', 'resist'])

describe('[L1] the lock-in session', async () => {
  const session = await sampleSession('lock-in.jsonl')
  const labels = await sampleLabels(session, 'lock-in.labels.jsonl')
  /** Turns of the new job with a word on code in the injected text. */
  const guidedOnCode = (turns: readonly ReplayedTurn[]): number =>
    turns.slice(4, 47).filter(({ outcome }) => /^\[BST\].*\bcoding\b/mu.test(outcome.enrichment))
      .length
  const wrong = (turns: readonly ReplayedTurn[]): number =>
    labels.filter((label) =>
      label.forbidden?.includes(turns[label.turn - 1]?.outcome.primary.domain ?? ''),
    ).length

  it.each(['literal', 'recommended'])(
    '[L1] %s holds the wrong domain for 43 turns in a row',
    async (preset) => {
      const turns = replay(await defaultPipeline(preset), session)
      expect(turns).toHaveLength(51)
      expect(longestRun(turns, 'investigation', HELD)).toBe(43)
      expect(wrong(turns)).toBe(43)
      expect(turns[46]?.outcome.state).toMatchObject({ signature: 'investigation', momentum: 47 })
      expect(turns[47]?.outcome.event).toBe('break')
    },
  )

  it('[L4] field lets go at the first turn of the new job', async () => {
    const turns = replay(await defaultPipeline('field'), session)
    // Under `field` the agent's own output is a turn too (L8); labels count the others.
    const labelled = turns.filter((turn) => turn.kind !== 'agent')
    expect(labelled).toHaveLength(51)
    const first = labelled[4]?.outcome
    expect(first).toMatchObject({ event: 'break', rule: 'L4', primary: { domain: 'coding' } })
    expect(longestRun(turns, 'investigation', HELD)).toBe(1)
    // The user messages still tie, so priority ranks research first, but code is detected and guided.
    expect(guidedOnCode(labelled)).toBe(43)
    expect(guidedOnCode(replay(await defaultPipeline('recommended'), session))).toBe(0)
  })
})

describe('[L10] the dead-gate session', async () => {
  const session = await sampleSession('dead-gate.jsonl')

  it('[L10] a profile with foreign names switches nothing off, and says so', async () => {
    const dead = await defaultPipeline('recommended', 'gpt-oss-20b-dead-gate')
    expect(dead.gate).toMatchObject({ unknown: ['codegen', 'debugging', 'sysops'] })
    expect(dead.gate.warnings.length).toBeGreaterThan(0)
    const free = replay(await defaultPipeline('recommended'), session)
    const gated = replay(dead, session)
    expect(gated.map(({ outcome }) => outcome.enrichment)).toEqual(
      free.map(({ outcome }) => outcome.enrichment),
    )
    const primaries = new Set(gated.map(({ outcome }) => outcome.primary.domain))
    expect([...primaries]).toEqual(expect.arrayContaining(['coding', 'bugfix', 'system_admin']))
  })

  it('[L10] a profile with real names gates the same session', async () => {
    const turns = replay(await defaultPipeline('recommended', 'qwen3-14b'), session)
    const skipped = turns.filter(({ outcome }) => outcome.plan.reason_primary_skipped !== null)
    expect(skipped.length).toBeGreaterThan(0)
    expect(new Set(skipped.map(({ outcome }) => outcome.primary.domain))).toEqual(
      new Set(['bugfix']),
    )
  })
})

describe('the Claude Code demo', async () => {
  const path = join(import.meta.dirname, '../../../fixtures/sessions/claude-code-demo.jsonl')
  const read = await readTranscript(path)
  const transcript = read.ok ? read.value : null

  it('is read as Claude Code, with its bad line and its torn end listed', () => {
    expect(transcript?.format).toBe('claude-code')
    expect(transcript?.problems.map((problem) => problem.code).toSorted()).toEqual([
      'bad_json',
      'torn_line',
    ])
  })

  it('keeps the sub-agent as a session of its own and the person apart from the harness', () => {
    expect(transcript?.sessions).toHaveLength(2)
    const kinds = (transcript?.sessions[0]?.events ?? []).map((event) => event.kind)
    expect(kinds.filter((kind) => kind === 'user')).toHaveLength(6)
    expect(kinds).toEqual(expect.arrayContaining(['command', 'injected', 'interruption']))
  })

  it('is classified turn by turn as a person would', async () => {
    const [main] = transcript?.sessions ?? []
    if (main === undefined) throw new Error('the demo holds no session')
    const turns = replay(await defaultPipeline('recommended'), main)
    const said = turns.filter((turn) => turn.kind === 'user')
    const scored = said.map(({ outcome }) => outcome.scored.primary.domain)
    expect(scored).toEqual(['analysis', 'coding', 'coding', 'bugfix', 'git_ops', 'conversation'])
  })
})
