import { type CueKind, EvidenceKind } from '../../schema/coach.ts'
import type { ActKind } from '../../schema/coach-acts.ts'

/**
 * [V70] Which act a cue tells. Of several cues in one sentence the kind that stands first here decides;
 * what no cue knows is a proof where it counts something, else a deliverable.
 */
export const ACT_OF_CUE: ReadonlyArray<readonly [kind: CueKind, act: ActKind]> = [
  ['blocker', 'obstacle'],
  ['error', 'obstacle'],
  ['offer', 'request'],
  ['gate', 'request'],
  ['question', 'request'],
  ['wait', 'plan'],
  ['claim', 'claim'],
  ['test_claim', 'claim'],
  ['courtesy', 'courtesy'],
  ['progress', 'plan'],
  ['promise', 'plan'],
  ['narration', 'narration'],
  ['ahead', 'plan'],
  ['hedge', 'claim'],
  ['answer', 'deliverable'],
  ['act', 'deliverable'],
]

/** [V70] "Let me know if you have questions" asks nothing: of these a courtesy is never also one. */
export const NOT_WITH_COURTESY: ReadonlySet<CueKind> = new Set([
  'question',
  'gate',
  'narration',
  'offer',
])

/** Guesses about the result itself make a claim of their own; others only weaken one beside them. */
export const ABOUT_RESULT: ReadonlySet<string> = new Set(['should-work', 'seems-done'])

/** Questions to the person wherever they stand; other questions count at the end only. */
export const DIRECT: ReadonlySet<string> = new Set(['asks-you', 'your-wish'])

/** [V74] What a later sentence has to say so that an obstacle is gone. */
export const SETTLED_BY: Readonly<Record<string, readonly CueKind[]>> = {
  blocker: ['settle'],
  error: ['settle', 'repair'],
}

/** [V72] A count with a sign, read out of the words themselves. */
export const COUNTED = 'counted'

/** Evidence that something was run or is in place; a path alone only says where. */
export const SHOWS: ReadonlySet<string> = new Set([
  ...EvidenceKind.options.filter((kind) => kind !== 'path'),
  COUNTED,
])

/** What a claim about tests is proven by. */
export const SHOWS_TESTS: ReadonlySet<string> = new Set<EvidenceKind | typeof COUNTED>([
  'test_output',
  'command_output',
  'link',
  COUNTED,
])
