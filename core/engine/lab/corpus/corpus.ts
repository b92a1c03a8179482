import { parseSignature } from '../../belief/score.ts'
import type { BeliefOutcome } from '../../belief/step.ts'
import type { Pipeline } from '../../pipeline.ts'
import type { TurnLabel } from '../../schema/label.ts'
import type { BeliefState } from '../../schema/trace.ts'
import type { Turn } from '../../turns.ts'

/** The turns of one session in the corpus: numbers `first` to `first + turns.length - 1`. */
export interface CorpusSession {
  readonly id: string
  readonly first: number
  readonly turns: readonly Turn[]
}

/**
 * Turns of many sessions, numbered from 0 across all of them, in the order of sessions. Momentum restarts at the first
 * turn of each session.
 */
export interface Corpus {
  readonly sessions: readonly CorpusSession[]
  readonly turns: number
  /** UTF-16 units of all texts. */
  readonly chars: number
  turn(turn: number): Turn
  /** Index of the session that the turn belongs to. */
  sessionOf(turn: number): number
}

/** Numbers of turns, ascending. */
export type Posting = Uint32Array

/** A configuration's decision for one turn. */
export type Decided = Pick<BeliefOutcome, 'scored' | 'primary' | 'secondary' | 'signature' | 'plan'>

/** A corpus under one configuration. Results are those of a full replay, to the last field. */
export interface ScoredCorpus {
  readonly corpus: Corpus
  readonly pipeline: Pipeline
  /** Turns on which signal `number` (index into `pipeline.signals`) fired. */
  posting(number: number): Posting
  /** Signals that fired on a turn, ascending. */
  fired(turn: number): readonly number[]
  decided(turn: number): Decided
  /** State before the turn. */
  state(turn: number): BeliefState
  /** State after it. */
  after(turn: number): BeliefState
  /** Domain number (index into `domains`) by turn; -1 = none. */
  readonly primary: Int16Array
  readonly secondary: Int16Array
  /** Bit 0 primary, bit 1 secondary. */
  readonly enriched: Uint8Array
  /** Configured domains, then the default domain if it is not among them. */
  readonly domains: readonly string[]
}

/** Labels by turn of the corpus. */
export type CorpusLabels = ReadonlyMap<number, TurnLabel>

/** Numbers the turns of sessions, in the order given. Reads every text once, for its length. */
export function createCorpus(sessions: ReadonlyArray<Pick<CorpusSession, 'id' | 'turns'>>): Corpus {
  const placed: CorpusSession[] = []
  let turns = 0
  let chars = 0
  for (const session of sessions) {
    placed.push({ id: session.id, first: turns, turns: session.turns })
    turns += session.turns.length
    for (const { text } of session.turns) chars += text.length
  }
  const owner = new Uint32Array(turns)
  for (const [index, { first, turns: own }] of placed.entries())
    owner.fill(index, first, first + own.length)
  return {
    sessions: placed,
    turns,
    chars,
    sessionOf: (turn) => owner[turn] ?? -1,
    turn: (turn) => {
      const session = placed[owner[turn] ?? -1]
      const found = session?.turns[turn - session.first]
      if (found === undefined) throw new RangeError(`the corpus has no turn ${turn}`)
      return found
    },
  }
}

/** [K12] [K20] Skills that fire on a turn; null if the configuration decides domains. */
export function firesOf(
  { pipeline, after }: Pick<ScoredCorpus, 'pipeline' | 'after'>,
  turn: number,
): readonly string[] | null {
  return pipeline.belief.rules.allTogether ? parseSignature(after(turn).signature) : null
}
