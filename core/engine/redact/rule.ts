import type { RedactionKind } from '../schema/redaction.ts'

/** One way in which a secret looks. Data: `rules.ts` is the table. */
export interface Rule {
  readonly kind: RedactionKind
  readonly name: string
  /** Texts at which the rule looks closer; all rules' anchors are found in one pass. */
  readonly anchors: readonly string[]
  /** Anchors in any case; they are written in small letters. */
  readonly anyCase?: boolean
  /** Condition before an anchor: not a letter or digit (`word`), or anything. */
  readonly before: 'word' | 'any'
  /**
   * Sticky, run at the anchor. Group `v` (or `quoted`, `plain`) is the value to redact, else the whole match. Classes
   * of neighbouring repetitions do not overlap, and repetitions are bounded, which gives linear time [R3].
   */
  readonly shape?: RegExp
  /** Used if a shape cannot express the value: returns the span to redact for an anchor at `at`. */
  readonly find?: Finder
  /** Units between the beginning of the value and its anchor, if the anchor is inside it. */
  readonly back?: number
  /** A value that a terminal broke at the end of a line is put together again [F32]. */
  readonly wraps?: boolean
  /** Refused values are looked into again: the shape ends at what begins the next one. */
  readonly lookAgain?: boolean
  /** Whether a match of the shape is actually a secret. Keeps false positives low [R6]. */
  readonly accept?: (match: RegExpExecArray, text: string) => boolean
}

/** A finder for one text. It may cache searched ranges, so that it never searches a range twice. */
export type Finder = (text: string) => (at: number) => readonly [start: number, end: number] | null

/** Values without an anchor. They are searched everywhere, and only if their kind is selected [F36] to [F39]. */
export interface Pattern {
  readonly kind: RedactionKind
  readonly name: string
  /** Units of the shortest value: shorter texts are not looked through. */
  readonly least: number
  /** Global. Group `v`, or the whole match, is the value to redact. Linear, like shapes. */
  readonly shape: RegExp
  readonly accept: (value: string, text: string, at: number) => boolean
}
