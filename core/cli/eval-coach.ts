import { z } from 'zod'
import type { Coach } from '../engine/coach/cues.ts'
import { judgeOutput } from '../engine/coach/output.ts'
import { contextOf } from '../engine/coach/plan.ts'
import { filterLines, type LineSource } from './jsonl.ts'

const Input = z.object({
  text: z.string(),
  plan: z.string().nullish(),
  skill: z.string().nullish(),
  raw_response: z.string().nullish(),
})

/**
 * `turnscope eval coach`: `{"text","plan"?,"skill"?,"raw_response"?}` to
 * `{"type","confidence","reason","coaching_message","message","source","flags"}`. `raw_response` is
 * a model's recorded answer; nothing is sent anywhere.
 */
export function evalCoach(source: LineSource, coach: Coach): AsyncIterable<string> {
  return filterLines(source, Input, ({ text, plan, skill, raw_response: raw }) => {
    const answer = raw === null || raw === undefined ? null : { raw, source: 'recorded' as const }
    const { verdict, message } = judgeOutput(coach, text, contextOf(plan, skill), answer)
    const { type, confidence, reason, coaching_message, source: from, flags } = verdict
    return { type, confidence, reason, coaching_message, message, source: from, flags }
  })
}
