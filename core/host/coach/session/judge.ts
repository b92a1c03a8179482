import { classifyByRules } from '../../../engine/coach/classify.ts'
import type { SaidOutput } from '../../../engine/coach/asked.ts'
import type { Coach } from '../../../engine/coach/cues.ts'
import { ownWords } from '../../../engine/own-words.ts'
import type { Verdict } from '../../../engine/schema/coach.ts'
import { type TimeLimit, moreTime, PATTERN_LIMIT_MS } from '../../platform/guard/guard.ts'
import { createBreath } from '../../platform/threads/yielding.ts'

/** A cue or a kind of evidence whose pattern was cut off. */
interface CueCutOff {
  readonly cue: string
  readonly elapsedMs: number
}

/** The rules under a time limit: patterns are data that people edit, and some never end. */
export interface RulesJudge {
  judge(outputs: readonly SaidOutput[], signal: AbortSignal): Promise<readonly Verdict[]>
  /** Cues and evidence that were disabled because their patterns hung. */
  readonly cutOffs: readonly CueCutOff[]
}

/** Texts under one limit; a call of the limit costs a fifth of a millisecond. */
const AT_ONCE = 32
const CHARS_AT_ONCE = 100_000

/** [V15] Judges with `coach`; a cue that hangs is found, switched off from there on, and named. */
export function createRulesJudge(coach: Coach, limit: TimeLimit): RulesJudge {
  let current = coach
  const cutOffs: CueCutOff[] = []

  const attempt = (outputs: readonly SaidOutput[]): readonly Verdict[] | null => {
    const chars = outputs.reduce((sum, { text }) => sum + text.length, 0)
    const using = current
    const done = limit(
      () => outputs.map(({ text, asked }) => classifyByRules(using, ownWords(text), asked)),
      PATTERN_LIMIT_MS + 2 * moreTime.allPatterns(chars),
    )
    return done.ok ? done.value : null
  }

  function judgeOne(output: SaidOutput): Verdict {
    for (let tries = 0; tries < 3; tries += 1) {
      const done = attempt([output])
      if (done?.[0] !== undefined) return done[0]
      dropHanging(output.text)
    }
    return cutOff(output.text)
  }

  /** Runs every pattern on its own: the one that hangs goes. */
  function dropHanging(text: string): void {
    const most = PATTERN_LIMIT_MS + 2 * moreTime.onePattern(text.length)
    const hangs = (part: Partial<Coach>, cue: string): boolean => {
      const alone = { ...current, cues: [], evidence: [], ...part }
      const done = limit(() => classifyByRules(alone, text), most)
      if (!done.ok) cutOffs.push({ cue, elapsedMs: done.elapsedMs })
      return !done.ok
    }
    const cues = current.cues.filter((cue) => !hangs({ cues: [cue] }, cue.id))
    const evidence = current.evidence.filter((one) => !hangs({ evidence: [one] }, one.id))
    current = { ...current, cues, evidence }
  }

  return {
    cutOffs,
    judge: async (outputs, signal) => {
      const breath = createBreath(signal)
      const verdicts: Verdict[] = []
      for (const batch of batches(outputs)) {
        verdicts.push(...(attempt(batch) ?? batch.map(judgeOne)))
        await breath()
      }
      return verdicts
    },
  }
}

/** No rule could be tried on this text, so the output goes to the user as a question (L31). */
function cutOff(text: string): Verdict {
  return {
    type: 'question',
    confidence: 0.5,
    reason: `the rules were cut off on this output of ${text.length} characters`,
    coaching_message: null,
    flags: ['unrecognised'],
    source: 'rules',
    marks: [],
  }
}

function* batches(outputs: readonly SaidOutput[]): Generator<readonly SaidOutput[]> {
  let batch: SaidOutput[] = []
  let chars = 0
  for (const output of outputs) {
    const { length } = output.text
    if (batch.length > 0 && (batch.length >= AT_ONCE || chars + length > CHARS_AT_ONCE)) {
      yield batch
      batch = []
      chars = 0
    }
    batch.push(output)
    chars += length
  }
  if (batch.length > 0) yield batch
}
