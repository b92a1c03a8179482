import { describe, expect, it } from 'vitest'
import { shippedCoach } from '../../../fixtures/coach-rules.ts'
import type { Verdict } from '../schema/coach.ts'
import { lintVerdicts } from './lint.ts'
import { buildCoachingMessage } from './message.ts'
import { judgeOutput } from './output.ts'
import { contextOf, criteriaOf } from './plan.ts'

const coach = shippedCoach()
const none = contextOf(null, null)
const UNPROVEN = { text: 'I have implemented it.', asked: null }
const verdict = (change: Partial<Verdict>): Verdict => ({
  type: 'status',
  confidence: 0.9,
  reason: 'r',
  coaching_message: null,
  flags: [],
  source: 'model',
  marks: [],
  ...change,
})

describe('[V9] what the agent receives', () => {
  const build = (change: Partial<Verdict>, fallback: Verdict | null, context = none) =>
    buildCoachingMessage(verdict(change), fallback, context, coach.rules)

  it('[V9] in order: its own coaching, the rules’, skill and plan, plain continue', () => {
    const rules = verdict({ coaching_message: 'rules say', source: 'rules' })
    const context = contextOf('docs/plan.md', 'do-build')
    expect(build({ coaching_message: 'model says' }, rules, context)).toBe(
      '[System Coach] model says',
    )
    expect(build({}, rules, context)).toBe('[System Coach] rules say')
    const skilled = build({}, null, context)
    expect(skilled).toMatch(/^\[System Coach\] .*do-build.*docs\/plan\.md/)
    expect(build({}, null, contextOf('docs/plan.md', null))).toMatch(/docs\/plan\.md/)
    expect(build({}, null)).toBe('continue')
  })

  it('[V1] [V9] what passes gets nothing, whatever coaching it carries', () => {
    for (const type of ['question', 'completion', 'blocker', 'error'] as const)
      expect(build({ type, coaching_message: 'kept for display' }, null)).toBeNull()
  })

  it('[V9] the reason never leaks (L35)', () => {
    const secret = 'internal: hedging'
    const message = build({ reason: secret }, verdict({ reason: secret }), contextOf('p', 's'))
    expect(message).not.toContain('internal')
  })

  it('[V9] success criteria of a plan’s text are named', () => {
    const plan = '# Plan\n## Success Criteria\n- [ ] tests pass\n- [x] docs written\n## Next\n- no'
    expect(criteriaOf(plan)).toEqual(['tests pass', 'docs written'])
    expect(build({}, null, contextOf(plan, null))).toContain('tests pass; docs written')
  })
})

describe('[V10] gates, recorded answers, rules', () => {
  const recorded = (raw: string) => ({ raw, source: 'recorded' as const })
  const completion = '{"type":"completion","confidence":0.95,"coaching_message":null}'

  it('[V10] an empty promise and pure narration are rejected before any model', () => {
    for (const text of ['Will do.', 'Let me check the log.']) {
      const { verdict: made, message } = judgeOutput(
        coach,
        { text, asked: null },
        none,
        recorded(completion),
      )
      expect(made).toMatchObject({ type: 'status', source: 'rules' })
      expect(message).toMatch(/^\[System Coach\] /)
    }
  })

  it('[V10] else the model’s answer stands, and the rules beside it', () => {
    const judged = judgeOutput(coach, UNPROVEN, none, recorded(completion))
    expect(judged.verdict).toMatchObject({ type: 'completion', source: 'recorded' })
    expect(judged.rules.type).toBe('status')
    expect(lintVerdicts([judged.verdict], judged.rules).map((one) => one.kind)).toEqual([
      'rules_disagree',
    ])
  })

  it('[V10] an answer that cannot be read leaves the rules, and says so', () => {
    const judged = judgeOutput(coach, UNPROVEN, none, recorded('I cannot help'))
    expect(judged.verdict).toMatchObject({ source: 'rules', flags: ['no_evidence', 'unparsable'] })
  })
})

describe('[V12] lint', () =>
  it('[V12] a verdict against its own reason, and runs that disagree, are listed (L37)', () => {
    const against = verdict({ type: 'completion', reason: 'There is no test output.' })
    expect(lintVerdicts([against], null).map((one) => one.kind)).toEqual(['contradicts_reason'])
    const runs = [verdict({ type: 'error' }), verdict({ type: 'blocker' })]
    expect(lintVerdicts(runs, null).map((one) => one.kind)).toEqual(['runs_disagree'])
    expect(lintVerdicts([verdict({ reason: 'asks nothing' })], null)).toEqual([])
    expect(lintVerdicts([], null)).toEqual([])
  }))
