import { RULE_WORDS, tellActs } from '../engine/coach/acts/words.ts'
import type { CoachOutput } from '../engine/schema/coach-wire.ts'
import type { Immutable } from '../engine/schema/immutable.ts'
import { styled } from '../host/shared/terminal.ts'
import { firstWords } from './table.ts'

type Shown = Pick<Immutable<CoachOutput>, 'text' | 'rules' | 'verdict'>

const LONGEST = 72

/** [V81] Why the rules judged so: the rule in plain words, then each sentence with its act and evidence. */
export function explained({ text, rules, verdict }: Shown): string {
  const { acts } = rules
  if (acts === undefined) return ''
  const { why, model } = RULE_WORDS[acts.rule]
  const sentences = tellActs(text, acts).map(({ decided, act, evidence, ...sentence }) => {
    const shown = evidence === '' ? '' : `; ${evidence}`
    const line = `  ${decided ? '>' : ' '} ${firstWords(sentence.text, LONGEST)}  [${act}${shown}]`
    return decided ? styled('bold', line) : line
  })
  const more = acts.more === 0 ? [] : [`    … ${acts.more} more sentences`]
  const unasked = verdict.source === 'rules' && model !== null ? [`  ${model}`] : []
  return [`  ${why} (${acts.rule})`, ...sentences, ...more, ...unasked, ''].join('\n')
}

/** [V81] The same for programs: the rule always, the sentences where they are asked for. */
export function explainedAs({ text, rules }: Shown, isWhole: boolean) {
  const { acts } = rules
  if (acts === undefined) return { rule: null }
  const { rule, by, sentences, more } = acts
  if (!isWhole) return { rule }
  const told = sentences.map(({ span, ...sentence }) => ({
    text: text.slice(...span).trim(),
    span,
    ...sentence,
  }))
  return { rule, why: RULE_WORDS[rule].why, by, sentences: told, more }
}
