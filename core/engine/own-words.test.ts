import { expect, it } from 'vitest'
import { shippedCoach } from '../../fixtures/coach-rules.ts'
import { classifyByRules } from './coach/classify.ts'
import { ownWords, withoutSelfSignals } from './own-words.ts'

const SIGNAL =
  '<signal type="stuck">\n  <attempted>["fixed it, all tests pass"]</attempted>\n  <blocker>Tests: 3 failed</blocker>\n</signal>'

it('[V50] what an agent tells the harness is no prose: rules judge the text without its self-signals', () => {
  const coach = shippedCoach()
  const said = 'Added the parser in src/parse.ts.'
  const text = `${said}\n\n${SIGNAL}`
  const plain = classifyByRules(coach, said)
  const judged = classifyByRules(coach, ownWords(text))
  expect(judged).toEqual(plain)
  expect(classifyByRules(coach, text).type).not.toBe(plain.type)
  // Places in the text stay those of the text that is shown.
  expect(ownWords(`${SIGNAL}\n${said}`).indexOf(said)).toBe(SIGNAL.length + 1)
  expect(withoutSelfSignals(text)).toBe(said)
})
