import type { CoachOutput } from '../../engine/schema/coach-wire.ts'
import type { Immutable } from '../../engine/schema/immutable.ts'
import { styled } from '../../host/platform/terminal.ts'
import { firstWords } from '../kit/table.ts'

type Shown = Pick<Immutable<CoachOutput>, 'explained' | 'rules' | 'verdict'>

const LONGEST = 72

/** [V81] Why the rules judged so: the rule in plain words, then each sentence with its act and evidence. */
export function explained({ explained: told, verdict }: Shown): string {
  if (told === null) return ''
  const { rule, why, model, more } = told
  const sentences = told.sentences.map(({ text, words, evidence, decided }) => {
    const shown = evidence === '' ? '' : `; ${evidence}`
    const line = `  ${decided ? '>' : ' '} ${firstWords(text, LONGEST)}  [${words}${shown}]`
    return decided ? styled('bold', line) : line
  })
  const rest = more === 0 ? [] : [`    … ${more} more sentences`]
  const unasked = verdict.source === 'rules' && model !== null ? [`  ${model}`] : []
  return [`  ${why} (${rule})`, ...sentences, ...rest, ...unasked, ''].join('\n')
}

/** [V81] The same for programs: the rule always, the sentences where they are asked for. */
export function explainedAs({ explained: told, rules }: Shown, isWhole: boolean) {
  const rule = told?.rule ?? null
  if (!isWhole || told === null) return { rule }
  const sentences = told.sentences.map((sentence, at) => {
    const { span, how, cue, proofs } = rules.acts?.sentences[at] ?? {}
    return { ...sentence, span, how, cue, proofs }
  })
  return { rule, why: told.why, model: told.model, sentences, more: told.more }
}
