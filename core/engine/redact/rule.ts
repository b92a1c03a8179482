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
  /** Units between the beginning of the value and its anchor, where the anchor stands inside. */
  readonly back?: number
  /** A value that a terminal broke at the end of a line is put together again [F32]. */
  readonly wraps?: boolean
  /** Refused values are looked into again: the shape ends at what begins the next one. */
  readonly lookAgain?: boolean
  /** Whether what has the shape is a secret, too: keeps false positives low [R6]. */
  readonly accept?: (match: RegExpExecArray, text: string) => boolean
}

/** A finder for one text; it may remember what it has searched, so that it never searches twice. */
export type Finder = (text: string) => (at: number) => readonly [start: number, end: number] | null

/** What has no anchor is looked for everywhere, and only where its kind was chosen [F36] to [F39]. */
export interface Pattern {
  readonly kind: RedactionKind
  readonly name: string
  /** Units of the shortest value: shorter texts are not looked through. */
  readonly least: number
  /** Global; group `v` or all is what is taken out. Linear, as shapes are. */
  readonly shape: RegExp
  readonly accept: (value: string, text: string, at: number) => boolean
}
