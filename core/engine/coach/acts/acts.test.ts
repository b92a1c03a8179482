import { describe, expect, it } from 'vitest'
import { processorMs } from '../../../../fixtures/processor.ts'
import { shippedCoach } from '../../../../fixtures/coach-rules.ts'
import { classifyByRules } from '../classify.ts'
import type { Coach } from '../cues.ts'
import { ACT_OF_CUE } from './table.ts'

const coach = shippedCoach()
const judge = (text: string, asked: string | null = null, by: Coach = coach) =>
  classifyByRules(by, text, asked)
const actsOf = (text: string) => judge(text).acts?.sentences.map(({ act }) => act)
const ruleOf = (text: string, asked: string | null = null) => judge(text, asked).acts?.rule

describe('[V70] acts', () => {
  it('[V70] each sentence is one act', () => {
    const text = [
      'I need the deploy token; without it I am blocked.',
      'Fixed the crash in `src/a.ts`.',
      'Tests: 12 passed.',
      'The cause is that the list was empty.',
      'Next I will update the docs.',
      'Let me check the log.',
      'Which branch do you want?',
      'Hope this helps!',
    ].join('\n')
    expect(actsOf(text)).toEqual([
      'obstacle',
      'claim',
      'proof',
      'deliverable',
      'narration',
      'narration',
      'request',
      'courtesy',
    ])
  })

  it('[V70] an apology is no promise: nothing is rejected for it before a model is asked', () => {
    const text = "I'm sorry, but none of the tools I have can look this up."
    for (const asked of [null, 'What does the ticket say?']) {
      const verdict = judge(text, asked)
      expect(verdict).toMatchObject({ type: 'blocker', flags: [], coaching_message: null })
    }
    for (const said of ['Sorry for the confusion.', 'You are right.', 'Good point.'])
      expect(judge(said).flags).not.toContain('empty_promise')
    expect(judge('Sorry about that. I will be more careful.').flags).toEqual(['empty_promise'])
  })

  it.each([
    'PR created: https://git.example.com/acme/x/pull/12',
    'Opened PR #12.',
    'Branch pushed: fix/a (commit 4be19aa).',
  ])('[V70] %j says that something was made, and shows where', (text) =>
    expect(judge(text)).toMatchObject({ type: 'completion', acts: { rule: 'proven' } }),
  )
})

describe('[V72] evidence with sign and scope', () => {
  const signs = (text: string) =>
    judge(text).acts?.sentences.flatMap(({ proofs }) =>
      proofs.flatMap(({ sign, scope }) => (scope === null ? [] : [`${sign} ${scope}`])),
    )

  it.each([
    ['Tests: 2 failed, 118 passed', ['against 2 failed', 'for 118 passed']],
    ['0 failed, 12 passed.', ['for 0 failed', 'for 12 passed']],
    ['29 of 40 tests pass.', ['part 29 of 40 tests pass']],
    ['40 of 40 files migrated.', ['for 40 of 40 files migrated']],
    ['4/60 specs failed.', ['against 4/60 specs failed']],
    ['Failed: 3', ['against Failed: 3']],
    ['No errors.', ['for No errors']],
    ['Fixed the 3 failing tests.', []],
    ['2 failed, both pre-existing and unrelated.', []],
    ['The page lists 3 errors of the user when the form is empty.', []],
  ])('[V72] %j: %j', (text, found) => expect(signs(text)?.toSorted()).toEqual(found.toSorted()))

  it('[V72] a block belongs to the sentence before it', () => {
    const text = 'I ran the suite:\n```\n# pass 59\nTests: 59 passed\n```\nThe docs are updated.'
    const [ran, docs] = judge(text).acts?.sentences ?? []
    expect(ran?.proofs.length).toBeGreaterThan(0)
    expect(docs?.proofs).toEqual([])
  })
})

describe('[V74] [V75] what speaks against a claim', () => {
  it('[V75] failing figures are no proof: the claim is sent back, with the figures', () => {
    const verdict = judge('Done.\n\nTests: 2 failed, 118 passed')
    expect(verdict).toMatchObject({ type: 'status', flags: ['contradicted'] })
    expect(verdict.coaching_message).toContain('“2 failed”')
    expect(judge('Done.\n\nTests: 120 passed').type).toBe('completion')
    expect(judge('Migrated all of it. 29 of 40 tests pass.')).toMatchObject({ type: 'status' })
  })

  it('[V75] figures that were asked for are the answer', () =>
    expect(judge('3 failed, 10 passed. All in auth.', 'Run the tests.').type).toBe('completion'))

  it('[V74] a later claim about something else does not cancel a blocker', () => {
    const stopped = 'I am blocked: I have no credentials for staging.'
    expect(judge(`${stopped} I updated README.md and pushed commit 4be19aa.`).type).toBe('blocker')
    expect(judge(`${stopped} I worked around it: PR #12.`).type).toBe('completion')
  })

  it('[V74] a failure stands until a later sentence says that it was repaired', () => {
    const failed = 'The build failed with exit code 2.'
    expect(judge(`${failed} I updated README.md.`).type).toBe('error')
    expect(judge(`${failed} I fixed the path; commit 4be19aa.`).type).toBe('completion')
  })
})

describe('[V76] what a claim needs', () => {
  const shown: Coach = { ...coach, rules: { ...coach.rules, claims: 'shown' } }

  it.each([
    ['I refactored `Scheduler` into two classes.', 'completion', 'status'],
    [
      'Fixed the rounding in `money.rb`, `cart.rb` and `tax.rb`. All tests pass.',
      'completion',
      'status',
    ],
    ['Fixed the rounding. 61 passed.', 'completion', 'completion'],
    ['I updated README.md.', 'completion', 'completion'],
    ['I have implemented the export.', 'status', 'status'],
  ] as const)('[V76] %j is a %s when told, a %s where it has to be shown', (text, told, strict) => {
    expect(judge(text).type).toBe(told)
    expect(judge(text, null, shown).type).toBe(strict)
  })
})

describe('[V77] [V78] [V79] [V80] how it ends, what was asked', () => {
  it.each([
    ['I see. Let me fix it:', 'status'],
    ['All parts are listed here.\n\n### Step 3: the index', 'status'],
    ['I checked the three files and found that the problem is with', 'status'],
    ['Let me check the log:\n```\nready in 3 s\n```', 'question'],
    ['Now I will run the script.\n```bash\npython reproduce.py\n```', 'status'],
    ['I will write the script. It opens the start menu.', 'status'],
  ])('[V77] %j is a %s', (text, type) => expect(judge(text, 'Fix it.').type).toBe(type))

  it('[V78] an answer to a question is a deliverable', () => {
    const text = 'The limit lives in the settings file.'
    expect(judge(text, 'Where is the limit?').type).toBe('completion')
    expect(judge(text, 'Raise the limit.').type).toBe('question')
    expect(judge(text).type).toBe('question')
  })

  it('[V79] an offer asks only where nothing was delivered', () => {
    expect(ruleOf('I can add a test for it. Want me to do that?', 'Go on.')).toBe('offer')
    expect(judge('Fixed in commit 4be19aa. Want me to add a test too?').type).toBe('completion')
    expect(judge('Fixed in commit 4be19aa. Which branch is it for?').type).toBe('question')
  })

  it('[V80] a rule that is not sure enough leaves the decision to the person', () => {
    const careful: Coach = { ...coach, rules: { ...coach.rules, minConfidence: 0.99 } }
    const text = 'I have implemented the export.'
    expect(judge(text, null, careful)).toMatchObject({
      type: 'question',
      flags: ['low_confidence'],
      coaching_message: null,
    })
  })
})

it('[V70] [V72] hostile texts take no longer than others', () => {
  const pieces = [
    '1 of ',
    '9 a b ',
    'x_',
    'aB1-',
    '`a',
    '# ',
    'failed: ',
    '12 / ',
    'I am ',
    'now ',
    'been ',
    'your ',
  ]
  const texts = pieces.map((piece) => piece.repeat(20_000))
  const used = processorMs(() => {
    for (const text of texts) expect(judge(text).acts).toBeDefined()
  })
  expect(used).toBeLessThan(20_000)
})

it('[V71] acts are data: rules of a workspace with fewer kinds of cues are judged by the same tables', () => {
  const known = new Set(ACT_OF_CUE.map(([kind]) => kind))
  const old = {
    ...coach,
    cues: coach.cues.filter(({ kind }) => kind === 'claim' || kind === 'blocker'),
  }
  expect(judge('Fixed the crash.', null, old).acts?.sentences[0]?.act).toBe('claim')
  expect(judge('I am blocked: the token is missing.', null, old).type).toBe('blocker')
  // Without the cue no sentence is known to ask.
  expect(judge('Which branch do you want?', null, old).acts?.rule).not.toBe('question')
  expect(ruleOf('Which branch do you want?')).toBe('question')
  // A cue of kind settle or repair refers to another sentence; every other kind names an act.
  const silent = ['settle', 'repair']
  expect(coach.cues.filter(({ kind }) => !known.has(kind) && !silent.includes(kind))).toEqual([])
})
