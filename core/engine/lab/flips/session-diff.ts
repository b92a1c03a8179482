import { keptIn } from '../../maps.ts'
import type { Replay } from '../../replay.ts'
import type { SessionDiff } from '../../schema/compare.ts'
import { type CorpusFlip, type FlipCell, LISTED_FLIPS } from '../../schema/lab.ts'
import type { TurnLabel } from '../../schema/label.ts'
import type { Flip } from '../../schema/replay.ts'
import { diffReplays, oneSided } from './diff.ts'
import { firesIn, verdictBy } from '../metrics/label.ts'
import type { Outcome } from './causes.ts'
import { type StageFacts, stageFlips } from './recorded.ts'

/** One side of a session: its replay, and the results of the other stages for its events. */
export interface ComparedSide {
  readonly replay: Replay
  readonly stages: StageFacts
}

/** Counts pairs of primaries. */
export function createCells(): {
  readonly add: (from: string, to: string) => void
  /** The most frequent first. */
  readonly all: () => readonly FlipCell[]
} {
  const cells: Array<{ readonly from: string; readonly to: string; count: number }> = []
  const places = new Map<string, Map<string, number>>()
  return {
    add: (from, to) => {
      const own = keptIn(places, from, () => new Map<string, number>())
      const place = keptIn(own, to, () => cells.push({ from, to, count: 0 }) - 1)
      const cell = cells[place]
      if (cell !== undefined) cell.count += 1
    },
    all: () => cells.toSorted((a, b) => b.count - a.count),
  }
}

function viewOf({ columns }: Replay, turn: number): CorpusFlip['before'] {
  return {
    primary: columns.domains[columns.primary[turn] ?? -1] ?? '',
    secondary: columns.domains[columns.secondary[turn] ?? -1] ?? null,
    enriched: columns.enriched[turn] ?? 0,
  }
}

type Labels = ReadonlyMap<number, TurnLabel>

function flipOf(
  [a, b]: readonly [Replay, Replay],
  { other, ...flip }: Flip,
  labels: Labels,
): CorpusFlip {
  const seq = a.columns.seq[flip.turn] ?? -1
  const before = viewOf(a, flip.turn)
  const after = viewOf(b, other)
  const verdict = verdictBy(
    labels.get(seq),
    { primary: before.primary, fires: firesIn(a.columns, flip.turn) },
    { primary: after.primary, fires: firesIn(b.columns, other) },
  )
  return { ...flip, session: 0, seq, before, after, verdict, gained: [], lost: [] }
}

/** The earliest difference of any stage. */
function firstOf(
  flips: readonly CorpusFlip[],
  stages: SessionDiff['stages'],
  turnOf: (seq: number) => number,
): SessionDiff['first'] {
  const [flip] = flips
  const [stage] = stages
  const isStage = stage !== undefined && (flip === undefined || stage.seq < flip.seq)
  const seq = isStage ? stage.seq : flip?.seq
  if (seq === undefined) return null
  const turn = turnOf(seq)
  return { seq, turn: turn < 0 ? null : turn, what: isStage ? stage.stage : 'domains' }
}

/**
 * [L38] [L51] All that two sides say differently of one session, paired by event. Turns are those of
 * this side.
 * @param labels of this session, by event
 */
export function diffSession(a: ComparedSide, b: ComparedSide, labels: Labels): SessionDiff {
  const sides = [a.replay, b.replay] as const
  const flips = diffReplays(...sides).map((flip) => flipOf(sides, flip, labels))
  const { flips: stages, totals } = stageFlips(a.stages, b.stages)
  const cells = createCells()
  for (const { before, after } of flips)
    if (before.primary !== after.primary) cells.add(before.primary, after.primary)
  const count = (is: (flip: CorpusFlip) => boolean): number => flips.filter(is).length
  return {
    turns: a.replay.columns.turns,
    total: flips.length,
    direct: count(({ cause }) => cause === 'direct'),
    momentum: count(({ cause }) => cause === 'momentum'),
    primaries: count(({ fields }) => fields.includes('primary')),
    fixed: count(({ verdict }) => verdict === 'fixed'),
    broken: count(({ verdict }) => verdict === 'broken'),
    flips: flips.slice(0, LISTED_FLIPS),
    cells: cells.all(),
    oneSided: oneSided(...sides),
    ambiguous: {
      base: a.replay.columns.ambiguous?.length ?? null,
      other: b.replay.columns.ambiguous?.length ?? null,
    },
    stages: stages.slice(0, LISTED_FLIPS),
    stageTotals: totals,
    uncompared: [],
    first: firstOf(flips, stages, (seq) => a.replay.columns.seq.indexOf(seq)),
    recorded: null,
  }
}

/** [L52] All that differs, by turn and by stage: equal outcomes are equal answers. */
export function outcomeOf(a: ComparedSide, b: ComparedSide): Outcome {
  const outcome = new Map<string, string>()
  for (const { turn, other } of diffReplays(a.replay, b.replay)) {
    const { primary, secondary, enriched } = viewOf(b.replay, other)
    const key = `turn ${a.replay.columns.seq[turn] ?? -1}`
    outcome.set(key, JSON.stringify([primary, secondary, enriched]))
  }
  for (const { stage, seq, is } of stageFlips(a.stages, b.stages).flips)
    outcome.set(`${stage} ${seq}`, is)
  return outcome
}
