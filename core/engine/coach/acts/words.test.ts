import { expect, it } from 'vitest'
import { shippedCoach } from '../../../../fixtures/coach-rules.ts'
import { ActRuleId } from '../../schema/coach-acts.ts'
import { classifyByRules } from '../classify.ts'
import { RULES } from './rules.ts'
import { explainActs } from './words.ts'

const coach = shippedCoach()

function explain(text: string) {
  const { acts } = classifyByRules(coach, text)
  if (acts === undefined) throw new Error('the rules say how they judged')
  return explainActs(text, acts)
}

it('[V81] each sentence is told with its act and evidence, and those that decided are marked', () => {
  const { rule, why, sentences } = explain('- **Done.**\n\nTests: 2 failed, 118 passed')
  expect(rule).toBe('contradicted')
  expect(why).toContain('its own figures')
  expect(sentences).toMatchObject([
    { number: 1, text: 'Done.', words: 'claim', evidence: '', decided: false },
    {
      number: 2,
      words: 'proof',
      evidence: 'against: 2 failed; for: 118 passed',
      against: true,
      decided: true,
    },
  ])
})

it('[V81] what was settled and what is a guess is told', () => {
  const { sentences } = explain('The build failed at first. I fixed it. It should work now.')
  expect(sentences.map(({ words }) => words)).toEqual([
    'obstacle: a failure, settled later',
    'claim',
    'claim, a guess',
  ])
})

it('[V81] a long output lists its first sentences, and says how many more there are', () => {
  const { sentences, more } = explain('It is a line of the report.\n'.repeat(500))
  expect(sentences).toHaveLength(400)
  expect(more).toBe(100)
})

it('[V73] [V81] every rule of the table is one that can be told', () =>
  expect(new Set(RULES.map(({ id }) => id))).toEqual(
    new Set(ActRuleId.exclude(['blank', 'nothing_said', 'unknown']).options),
  ))
