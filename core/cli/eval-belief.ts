import { allWords } from '../engine/schema/issue-words.ts'
import { z } from 'zod'
import {
  createPipeline,
  initialBeliefState,
  stepTurn,
  type Pipeline,
  type TurnOutcome,
} from '../engine/pipeline.ts'
import type { DomainSet } from '../engine/matcher/domains.ts'
import type { Guard } from '../engine/matcher/scan.ts'
import { formatProblem, messageOf } from '../engine/result.ts'
import type { Preset } from '../engine/schema/preset.ts'
import { ModelProfile } from '../engine/schema/profile.ts'
import type { BeliefState } from '../engine/schema/trace.ts'
import { type CutOffRun, createCutOffRun } from '../host/shared/cut-off-run.ts'
import { signalNumber } from '../host/shared/watchdog.ts'
import { jsonLine } from '../host/shared/terminal.ts'

/** One line of input. Lines with the same `session` share state; without one a line stands alone. */
const Line = z.object({
  session: z.string().nullish(),
  message: z.string(),
  profile: ModelProfile.nullish(),
})

export interface EvalBeliefOptions {
  readonly domains: DomainSet
  readonly preset: Preset
  readonly guard?: Guard
  /** What patterns have cost by now. */
  readonly cutOffs?: CutOffRun
}

type PipelineFor = (profile: ModelProfile | null) => Pipeline

/** One pipeline a profile; profiles come inline, so equal ones are recognised by their text. */
function pipelineCache({ domains, preset }: EvalBeliefOptions): PipelineFor {
  const known = new Map<string, Pipeline>()
  return (profile) => {
    const key = jsonLine(profile)
    const cached = known.get(key)
    if (cached !== undefined) return cached
    const made = createPipeline(domains, preset, profile)
    if (!made.ok) throw new Error(made.error.map(formatProblem).join('; '))
    known.set(key, made.value)
    return made.value
  }
}

function shown(outcome: TurnOutcome): unknown {
  const { scored, primary, secondary, signature, state, event, plan } = outcome
  return {
    scores: scored.scores.map(({ domain, score, signals }) => ({ domain, score, signals })),
    primary,
    secondary,
    signature,
    momentum: state.momentum,
    event,
    plan,
    // Preset `literal` answers as the document's code does: with a KeyError.
    enrichment: outcome.enrichmentError ?? outcome.enrichment,
  }
}

function describe(thrown: unknown): string {
  if (thrown instanceof z.ZodError) return allWords(thrown, 'the line')
  return messageOf(thrown)
}

/**
 * JSON lines in, one JSON line out for each: `{"session"?, "message", "profile"?}` gives scores,
 * primary, secondary, signature, momentum, event, plan and enrichment. Blank lines are skipped; a
 * line that cannot be used gives `{"error"}` with its 1-based number, and the rest goes on.
 */
export async function* evalBelief(
  lines: AsyncIterable<string>,
  options: EvalBeliefOptions,
): AsyncGenerator<string, void, undefined> {
  const pipelineFor = pipelineCache(options)
  const { cutOffs = createCutOffRun() } = options
  const states = new Map<string, BeliefState>()
  let number = 0
  for await (const text of lines) {
    number += 1
    if (text.trim() === '') continue
    try {
      const { session, message, profile } = Line.parse(JSON.parse(text))
      const state = states.get(session ?? '') ?? initialBeliefState
      const pipeline = pipelineFor(profile ?? null)
      const outcome = stepTurn(cutOffs.without(pipeline), state, message, options.guard)
      for (const cut of outcome.cutOffs) {
        cutOffs.cutOff(pipeline, signalNumber(pipeline, cut), {
          ...cut,
          elapsedMs: cutOffs.budget.lostMs(),
        })
      }
      // The state under '' is never set: a line without session starts afresh.
      if (session !== null && session !== undefined && session !== '')
        states.set(session, outcome.state)
      yield jsonLine(shown(outcome))
    } catch (thrown) {
      yield jsonLine({ error: `line ${number}: ${describe(thrown)}` })
    }
  }
}
