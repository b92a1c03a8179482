import type { Pipeline } from '../../../engine/pipeline.ts'
import type { EditTrace } from '../../../engine/schema/edit-trace.ts'
import { type SessionEvent, type TextReader, textOf } from '../../../engine/schema/event.ts'
import type { BeliefState, TurnTrace } from '../../../engine/schema/trace.ts'
import { editsOf, skillsUsed } from '../../../engine/skills/edits.ts'
import { traceEdit } from '../../../engine/skills/file-triggers.ts'
import type { Recorded } from '../../../engine/textless/scans.ts'
import { textlessTurn } from '../../../engine/textless/schema.ts'
import { traceTurn as traceOne } from '../../../engine/trace.ts'
import type { CutOffBudget } from '../../platform/guard/cut-off-budget.ts'
import { type TimeLimit, moreTime, watchText } from '../../platform/guard/guard.ts'
import type { Compiled } from '../../rules/pipelines.ts'
import { signalNumber, withoutSignals } from '../../platform/guard/watchdog.ts'
import type { SessionReplay } from './replay.ts'

/** The whole reason of one turn, exactly as it was replayed: signals cut off then stay out. */
export function traceTurn(
  replay: SessionReplay,
  turn: number,
  limit: TimeLimit,
  budget?: CutOffBudget,
): TurnTrace {
  const { compiled, turns, texts, states, missing, recorded } = replay
  const state = states[turn]
  const event = turns[turn]
  if (!state || !event) throw new RangeError(`there is no turn ${turn}`)
  const off = missing.get(turn) ?? new Set<number>()
  const trace = traceEvent({ compiled, event, texts, turn, state, off, recorded }, limit, budget)
  return isSkills(compiled) ? { ...trace, edits: editsAfter(replay, turn, limit) } : trace
}

const isSkills = ({ pipeline }: Compiled): boolean => pipeline.belief.set.kind === 'skill-rules'

/** [K24] Results of file triggers for the files that were edited between a turn and the next. */
function editsAfter(
  { compiled, turns, session }: SessionReplay,
  turn: number,
  limit: TimeLimit,
): readonly EditTrace[] {
  const { events, texts, cwd } = session
  const from = (turns[turn]?.seq ?? -1) + 1
  const to = turns[turn + 1]?.seq ?? events.length
  const edits = editsOf(events.slice(from, to), texts, cwd)
  if (edits.length === 0) return []
  const { domains } = compiled.pipeline.belief.set
  const used = skillsUsed(events.slice(0, to), texts)
  return edits.map((edit) => {
    const { guard } = watchText(limit, () => moreTime.allPatterns(edit.text.length))
    return traceEdit(domains, { edit, used, guard })
  })
}

/** An event that is classified, at its place. */
interface PlacedTurn {
  readonly compiled: Compiled
  readonly event: SessionEvent
  readonly texts: TextReader
  readonly turn: number
  /** Before it. */
  readonly state: BeliefState
  /** Numbers of signals that do not take part. */
  readonly off: ReadonlySet<number>
  readonly recorded?: Recorded | null
}

/** The same of an event that need not be in the session, from the state before it. */
export function traceEvent(
  { compiled, event, texts, turn, state, off, recorded }: PlacedTurn,
  limit: TimeLimit,
  budget?: CutOffBudget,
): TurnTrace {
  const pipeline = withoutSignals(compiled.pipeline, off)
  const { seq, kind } = event
  const text = textOf(event, texts)
  const trace = traceOne(
    pipeline,
    { turn, seq, kind, text, state, known: recorded?.(textlessTurn(event), text) },
    watchText(limit, () => moreTime.allPatterns(text.length), budget).guard,
  )
  return off.size === 0 ? trace : markMissing(trace, compiled.pipeline, off)
}

function markMissing(trace: TurnTrace, pipeline: Pipeline, off: ReadonlySet<number>): TurnTrace {
  const isOff = (domain: string, signal: number) =>
    off.has(signalNumber(pipeline, { domain, signal }))
  return {
    ...trace,
    domains: trace.domains.map((domain) => ({
      ...domain,
      signals: domain.signals.map((signal) =>
        isOff(domain.domain, signal.index) ? { ...signal, cutOff: true } : signal,
      ),
    })),
    warnings: [
      ...[...off].map(
        (number) =>
          `pattern ${pipeline.signals[number]?.pattern ?? ''} was cut off and counts as not matched`,
      ),
      ...trace.warnings,
    ],
  }
}
