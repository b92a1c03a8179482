import type { RedactionKind } from '../schema/redaction.ts'

/** One way in which a secret looks. Data: `rules.ts` is the table. */
export interface Rule {
  readonly kind: RedactionKind
  readonly name: string
  /** Texts at which the rule looks closer; all rules' anchors are found in one pass. */
  readonly anchors: readonly string[]
  /** Anchors in any case; they are written in small letters. */
  readonly anyCase?: boolean
  /** What stands before an anchor: not a letter or digit (`word`), or anything. */
  readonly before: 'word' | 'any'
  /**
   * Sticky, run at the anchor; group `v` (or `quoted`, `plain`) is what is taken out, else all. Classes of
   * neighbouring repetitions do not overlap, and repetitions are bounded: linear time [R3].
   */
  readonly shape?: RegExp
  /** Where a shape cannot say it: the span of what is taken out, for an anchor at `at`. */
  readonly find?: Finder
  /** Refused values are looked into again: the shape ends at what begins the next one. */
  readonly lookAgain?: boolean
  /** Whether what has the shape is a secret, too: keeps false positives low [R6]. */
  readonly accept?: (match: RegExpExecArray, text: string) => boolean
}

/** A finder for one text; it may remember what it has searched, so that it never searches twice. */
export type Finder = (text: string) => (at: number) => readonly [start: number, end: number] | null
