import { type Result, allOk, err, mapOk, ok } from '../result.ts'
import { type Stage, STAGES } from '../schema/compare.ts'
import type { Flip } from '../schema/replay.ts'
import type { Value } from './query.ts'
import { queryProblem } from './tokens.ts'

/** Comparison results for the events of a session. */
export interface FlipFacts {
  /** Turn of a classified event, by `seq`. */
  readonly turnOf: ReadonlyMap<number, number>
  /** Flips against the compared configuration; null if none is compared. */
  readonly flips: readonly Flip[] | null
  /** [F77] Events that flip, by stage. A stage is left out if it has nothing to compare. */
  readonly stageFlips: StageFlipFacts
}

export type StageFlipFacts = ReadonlyMap<Stage, ReadonlySet<number>>

/** For each stage, why it has nothing to compare and what to do instead. */
const ABSENT: Readonly<Record<Stage, readonly [what: string, advice: string]>> = {
  query: ['no side says something else of a query', 'Compare with a configuration'],
  'self-signal': ['no side says something else of a self-signal', 'Compare with a configuration'],
  prompt: ['what ran has no prompts', 'Compare with a configuration'],
  persona: [
    'this asks the probe, which is not here',
    'Look in one session of the window, or: turnscope diff',
  ],
  verdict: [
    'both sides judge by the same rules of the coach, or none was recorded',
    'Compare with what ran, or with a revision that has other rules',
  ],
}

/** [F7] [F77] A turn that flips, by field or cause, or an event of which another stage says something else. */
export function flipTest(
  values: readonly Value[],
  { flips, turnOf, stageFlips }: FlipFacts,
): Result<(event: { readonly seq: number }) => boolean> {
  if (flips === null) {
    const what = 'flip: asks a comparison, and there is none'
    return err(queryProblem(what, values[0]?.column ?? 1, 'Choose a second configuration'))
  }
  const ofStages = values.flatMap(({ text, column }) => {
    const stage = STAGES.find((each) => each === text)
    return stage === undefined ? [] : [{ stage, column }]
  })
  const seqs = allOk(ofStages, ({ stage, column }) => {
    const found = stageFlips.get(stage)
    if (found !== undefined) return ok(found)
    const [what, advice] = ABSENT[stage]
    return err(queryProblem(`flip:${stage}: ${what}`, column, advice))
  })
  const byTurn = new Map(flips.map((flip) => [flip.turn, flip]))
  return mapOk(seqs, (found) => ({ seq }) => {
    if (found.some((each) => each.has(seq))) return true
    const flip = byTurn.get(turnOf.get(seq) ?? -1)
    return flip !== undefined && values.some(({ text }) => isFlip(flip, text))
  })
}

function isFlip({ fields, cause }: Flip, value: string): boolean {
  return value === 'any' || value === cause || fields.some((field) => field === value)
}
