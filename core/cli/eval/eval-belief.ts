import { readJson } from '../../engine/json-read.ts'
import { allWords } from '../../engine/schema/issue-words.ts'
import { z } from 'zod'
import {
  createPipeline,
  initialBeliefState,
  type Pipeline,
  type TurnOutcome,
} from '../../engine/pipeline.ts'
import { keptIn } from '../../engine/maps.ts'
import type { SessionState } from '../../engine/rows/open-sessions.ts'
import type { DomainSet } from '../../engine/matcher/domains.ts'
import { formatProblem, messageOf } from '../../engine/result.ts'
import type { Preset } from '../../engine/schema/preset.ts'
import { ModelProfile } from '../../engine/schema/profile.ts'
import {
  type TurnClassifier,
  type TurnIn,
  createTurnClassifier,
} from '../../host/rows/classify-turns.ts'
import { type CutOffRun, createCutOffRun } from '../../host/platform/guard/cut-off-run.ts'
import { type TimeLimit, createTimeLimit } from '../../host/platform/guard/guard.ts'
import { jsonLine } from '../../host/platform/terminal.ts'
import { LINE_TOO_LONG, type InputLine } from './jsonl.ts'

/** One line of input. Lines with the same `session` share state; a line without one is classified alone. */
const Line = z.object({
  session: z.string().nullish(),
  message: z.string(),
  profile: ModelProfile.nullish(),
})

interface EvalBeliefOptions {
  readonly domains: DomainSet
  readonly preset: Preset
  readonly limit?: TimeLimit
  /** Pattern cut-offs so far. */
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

/** A parsed line: an error, or a turn of a session with its pipeline. */
type Read = { readonly error: string } | { readonly turn: TurnIn; readonly pipeline: Pipeline }

/** Turns that follow each other under one pipeline, and lines with errors. */
function* groupsOf(lines: readonly Read[]): Generator<readonly Read[], void, undefined> {
  let group: Read[] = []
  for (const line of lines) {
    const [first] = group
    const isSame =
      first !== undefined &&
      ('error' in first ? 'error' in line : !('error' in line) && line.pipeline === first.pipeline)
    if (group.length > 0 && !isSame) {
      yield group
      group = []
    }
    group.push(line)
  }
  if (group.length > 0) yield group
}

/**
 * Reads JSON lines and writes one JSON line for each. `{"session"?, "message", "profile"?}` returns scores, primary,
 * secondary, signature, momentum, event, plan and enrichment. Blank lines are skipped. An unusable line returns
 * `{"error"}` with its 1-based number, and the next lines are still answered. Lines that arrive together are classified
 * together (T62), and answered before the next ones are read.
 */
export async function* evalBelief(
  portions: AsyncIterable<readonly InputLine[]>,
  options: EvalBeliefOptions,
): AsyncGenerator<string, void, undefined> {
  const pipelineFor = pipelineCache(options)
  const { cutOffs = createCutOffRun(), limit = createTimeLimit() } = options
  const classifiers = new Map<Pipeline, TurnClassifier>()
  const sessions = new Map<string, SessionState>()
  let number = 0

  function read(text: InputLine): Read | null {
    number += 1
    if (text === null) return { error: `line ${number}: ${LINE_TOO_LONG}` }
    if (text.trim() === '') return null
    try {
      const { session, message, profile } = Line.parse(readJson(text))
      const pipeline = pipelineFor(profile ?? null)
      // A line without a session starts afresh.
      const key = session ?? ''
      const of = (key === '' ? undefined : sessions.get(key)) ?? { state: initialBeliefState }
      if (key !== '') sessions.set(key, of)
      return { turn: { message, of }, pipeline }
    } catch (thrown) {
      return { error: `line ${number}: ${describe(thrown)}` }
    }
  }

  function answer(group: readonly Read[]): readonly string[] {
    const [first] = group
    if (first === undefined || 'error' in first) return group.map((line) => jsonLine(line))
    const { pipeline } = first
    const classifier = keptIn(classifiers, pipeline, () =>
      createTurnClassifier({ pipeline }, { limit, cutOffs }),
    )
    const turns = group.flatMap((line) => ('turn' in line ? [line.turn] : []))
    return classifier.run(turns).map(({ outcome }) => jsonLine(shown(outcome)))
  }

  for await (const lines of portions)
    for (const group of groupsOf(lines.flatMap((line) => read(line) ?? []))) yield* answer(group)
  for (const classifier of classifiers.values()) classifier.end()
}
