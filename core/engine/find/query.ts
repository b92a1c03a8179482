import type { Stage } from '../schema/compare.ts'
import type { SourceKind } from '../schema/context.ts'
import type { EventKind } from '../schema/event-kind.ts'

/** A text to search for: the operator's input as a native regular expression. */
export interface Pattern {
  readonly regexp: RegExp
  /** Written by the operator as `/…/`; it may take disproportionate time. */
  readonly foreign: boolean
}

/** A name with wildcards, in small letters, cut at its `*`. */
export interface Glob {
  readonly parts: readonly string[]
}

/** The condition of one term. With several values, any may hold (F4). */
export type Condition =
  | { readonly field: 'text'; readonly any: readonly Pattern[] }
  | { readonly field: 'kind'; readonly kinds: ReadonlySet<EventKind> }
  | {
      readonly field: 'name'
      readonly toolsOnly: boolean
      readonly any: ReadonlyArray<Glob | Pattern>
    }
  | { readonly field: 'error'; readonly values: ReadonlySet<boolean> }
  | { readonly field: 'context'; readonly kinds: ReadonlySet<SourceKind> }
  | { readonly field: 'skill'; readonly any: ReadonlyArray<Glob | Pattern> }
  | { readonly field: 'injected'; readonly any: readonly Pattern[] }
  | { readonly field: 'tokens'; readonly any: readonly Bound[] }
  | { readonly field: ReplayField | KnownField; readonly values: readonly Value[] }

/** [X17] Tokens on one side of a limit. */
export interface Bound {
  readonly than: '>' | '<'
  readonly tokens: number
}

/** Fields that only a replay can answer. */
export type ReplayField = 'domain' | 'signal' | 'event' | 'flip'

/** [F70] Fields that labels, coach, probe or a second configuration answer (`known.ts`). */
export const KNOWN_FIELDS = [
  'label',
  'verdict',
  'held',
  'ambiguous',
  'persona',
  'query',
  'compare',
] as const
export type KnownField = (typeof KNOWN_FIELDS)[number]

/** A value with its 1-based column in the query. */
export interface Value {
  readonly text: string
  readonly column: number
}

/** One term; all terms of a query must hold (F1). */
export interface Term {
  readonly negated: boolean
  readonly condition: Condition
}

/** A parsed query. */
export interface Query {
  /** In the order in which they are cheapest to ask. */
  readonly terms: readonly Term[]
  /** Whether a field of a replay, or one that is known beside it, occurs: then a replay is needed. */
  readonly needsReplay: boolean
  /** Whether `flip:` or `compare:` occur: then a comparison is needed. */
  readonly needsCompare: boolean
  /** Fields that are known beside the replay, as far as they occur. */
  readonly asks: ReadonlySet<KnownField>
  /** [F77] Stages whose flips the query reads. */
  readonly stages: ReadonlySet<Stage>
}
