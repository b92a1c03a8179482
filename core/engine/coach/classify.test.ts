import { describe, expect, it } from 'vitest'
import { shippedCoach } from '../../../fixtures/coach-rules.ts'
import { OutputType, Verdict, VerdictFlag } from '../schema/coach.ts'
import { classifyByRules } from './classify.ts'

const coach = shippedCoach()
const judge = (text: string) => classifyByRules(coach, text)

describe('[V5] the rules', () => {
  it.each([
    ['```\nx = 1\n```', 'question', 'empty'],
    ['The limit lives in config/app.yaml and is read once at start.', 'question', 'unrecognised'],
    ['Je ne sais pas encore.', 'question', 'unrecognised'],
    ['The plan is ready. Waiting for your go-ahead.', 'question', 'approval_gate'],
    ['Please confirm before I drop the table.', 'question', 'approval_gate'],
    ['I fixed it. It should work now.', 'status', 'hedging'],
    ['I have implemented the export.', 'status', 'no_evidence'],
    ['Everything is done and all tests pass.', 'status', 'no_test_output'],
    ['Understood. I will make sure to run them going forward.', 'status', 'empty_promise'],
    ['Let me look at the log.', 'status', 'narration'],
    ['3 of 7 files are migrated, not done yet.', 'status', 'unfinished'],
  ] as const)('[V5] %j is a %s, flagged %s', (text, type, flag) => {
    const verdict = judge(text)
    expect(verdict.type).toBe(type)
    expect(verdict.flags).toEqual([flag])
  })

  it.each([
    ['Should I go on with the second file?', 'question'],
    ['Are we done?', 'question'],
    ['I am blocked: the database wants a password that I do not have.', 'blocker'],
    ['The build failed with exit code 2.', 'error'],
    ['Fixed the crash in the parser. 12 tests passed. Commit 9fceb02d.', 'completion'],
    ['I updated README.md with the install steps.', 'completion'],
  ] as const)('[V5] %j is a %s, without a flag', (text, type) =>
    expect(judge(text)).toMatchObject({ type, flags: [], coaching_message: null, source: 'rules' }),
  )

  it('[V1] the rules know all five types, and only a status carries coaching', () => {
    const verdicts = [
      'Should I go on with the second file?',
      'I fixed it. It should work now.',
      'Fixed the crash in the parser. 12 tests passed. Commit 9fceb02d.',
      'I am blocked: the database wants a password that I do not have.',
      'The build failed with exit code 2.',
    ].map(judge)
    expect(verdicts.map(({ type }) => type)).toEqual(OutputType.options)
    expect(
      verdicts.flatMap(({ type, coaching_message }) => (coaching_message === null ? [] : [type])),
    ).toEqual(['status'])
  })

  it('[V2] flags are a closed list', () => {
    const verdict = judge('I fixed it. It should work now.')
    expect(Verdict.safeParse({ ...verdict, flags: VerdictFlag.options }).success).toBe(true)
    expect(Verdict.safeParse({ ...verdict, flags: ['hedgy'] }).success).toBe(false)
  })

  it.each(['', '   \n ', '\u00a0\ufeff', '\u200b', '...', '---\n```\n```'])(
    '[V60] a blank output (%j) asks nobody anything: it goes back, with the request for a report',
    (text) => {
      const verdict = judge(text)
      expect(verdict).toMatchObject({ type: 'status', flags: ['empty'] })
      expect(verdict.coaching_message).toMatch(/blank/)
    },
  )

  it('[V5] what is quoted or shown is not raised, and what was settled later does not stand', () => {
    const quoted =
      'Fixed. The page said "Error: no such user".\n```\nTraceback\n```\n3 passed, 0 failed'
    expect(judge(quoted).type).toBe('completion')
    const settled = 'The deploy failed at first. I fixed the path and pushed commit 9fceb02d.'
    expect(judge(settled).type).toBe('completion')
    expect(judge('I was blocked on the key. Fixed, see PR #12.').type).toBe('completion')
  })

  it('[V5] "Fixed the crash" is no error, and "Not done yet" no completion (L31)', () => {
    expect(judge('Fixed the crash.').type).not.toBe('error')
    expect(judge('Not done yet.').type).not.toBe('completion')
    expect(judge('It is not finished.').type).not.toBe('completion')
    expect(judge('Is it done?').type).toBe('question')
  })

  it('[V5] a polite closing asks nothing', () => {
    const text = 'All done: 12 passed, pushed as 3f2e1d0. Let me know if you have any questions!'
    expect(judge(text).type).toBe('completion')
  })

  it('[V8] the coaching names the words that gave rise to it', () => {
    expect(judge('I fixed it. It should work now.').coaching_message).toContain(
      'It should work now',
    )
    expect(judge('I fixed it, $& and all. Done.').coaching_message).not.toContain('{quote}')
    const long = `I implemented ${'a very '.repeat(100)}long thing.`
    expect(judge(long).coaching_message?.length).toBeLessThan(400)
  })

  it('[V73] what is marked is what the rule went by', () => {
    const text = 'I changed it in src/retry.ts. This should work now.'
    const [by] = judge(text).marks
    expect(text.slice(...(by?.span ?? [0, 0]))).toContain('should work')
  })

  it('[V4] evidence is found in code too, with its place', () => {
    const text = 'Fixed.\n```\nTests: 12 passed, 12 total\n```'
    const { marks } = judge(text)
    const found = marks.find((mark) => mark.kind === 'test_output')
    expect(text.slice(...(found?.span ?? [0, 0]))).toMatch(/12 passed|Tests: 1/)
  })

  it('[V5] any text gets a verdict, and a huge one too', () => {
    expect(judge('done? '.repeat(200_000)).type).toBe('question')
    expect(judge(`${'"'.repeat(100_000)} ${'`'.repeat(100_000)}`).type).toBe('status')
    expect(judge('a/'.repeat(50_000)).type).toBe('question')
  })
})
