/**
 * The engine alone: texts in, decisions out. It reads no file, has no clock and runs in any JavaScript environment,
 * including browsers. Patterns run without a time limit. Run untrusted patterns in a worker that can be terminated.
 */
import type { Turn } from './turnscope.d.ts'

/** Momentum state carried from turn to turn. Plain data: it may be stored. */
export interface State {
  readonly signature: string
  readonly momentum: number
  readonly primary: string | null
  readonly resistedRun: number
  readonly unsupportedRun: number
}

/** A text, as it was decided. */
export interface Decided extends Pick<
  Turn,
  | 'primary'
  | 'secondary'
  | 'confidence'
  | 'secondaryConfidence'
  | 'signature'
  | 'momentum'
  | 'event'
  | 'enrichment'
> {
  /** Signals that matched, as `domain/id`, or `domain/number` counted from 1. */
  readonly fired: readonly string[]
  /** To be given with the next text of the same session. */
  readonly state: State
}

export interface Classifier {
  /** Names in the profile that match no domain. The enrichments they were meant to gate stay enabled. */
  readonly warnings: readonly string[]
  /** Decides a text. @param state that of the text before; left out: the first of a session */
  readonly classify: (text: string, state?: State) => Decided
}

/** Parsed contents of files in `profiles/`. */
export interface Parts {
  readonly domains: unknown
  readonly preset: unknown
  readonly profile?: unknown
}

/** Creates a classifier. Throws an error that names domain, signal and column if the parts are invalid. */
export function createClassifier(parts: Parts): Classifier
