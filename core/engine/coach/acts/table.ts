import { type CueKind, EvidenceKind } from '../../schema/coach.ts'
import type { ActKind } from '../../schema/coach-acts.ts'

/**
 * [V70] The act that each cue indicates. If a sentence has several cues, the first kind in this list decides. A
 * sentence without a known cue is a proof if it counts something, else a deliverable.
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

/** Guesses about the result itself count as claims. Other guesses only weaken a claim in the same sentence. */
export const ABOUT_RESULT: ReadonlySet<string> = new Set(['should-work', 'seems-done'])

/** Questions to the user that count anywhere; other questions count only at the end. */
export const DIRECT: ReadonlySet<string> = new Set(['asks-you', 'your-wish'])

/** [V74] Cue kinds in a later sentence that settle an obstacle. */
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

/** Evidence that proves a claim about tests. */
export const SHOWS_TESTS: ReadonlySet<string> = new Set<EvidenceKind | typeof COUNTED>([
  'test_output',
  'command_output',
  'link',
  COUNTED,
])
