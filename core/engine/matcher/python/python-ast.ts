/** Flags in force at a place of a pattern. IGNORECASE is on from the start: signals ignore case. */
export interface Flags {
  readonly ignoreCase: boolean
  readonly multiline: boolean
  readonly dotAll: boolean
  readonly verbose: boolean
  readonly ascii: boolean
}

/** The six shorthand classes of Python's re. */
export type Category = 'w' | 'W' | 'd' | 'D' | 's' | 'S'

/** Inclusive range of code points. */
export type Range = readonly [number, number]

/** One character of the text: a literal, a class, or the dot. */
export interface CharSet {
  readonly negate: boolean
  readonly ranges: readonly Range[]
  readonly categories: readonly Category[]
  readonly ignoreCase: boolean
}

export type Position =
  'start' | 'lineStart' | 'end' | 'lineEnd' | 'textEnd' | 'boundary' | 'notBoundary'

export type RepeatMode = 'greedy' | 'lazy' | 'possessive'

/** `at` is the 0-based UTF-16 offset in the pattern, for messages. */
export type Node =
  | { readonly kind: 'set'; readonly set: CharSet }
  | { readonly kind: 'sequence'; readonly items: readonly Node[] }
  | { readonly kind: 'alternation'; readonly branches: readonly Node[] }
  | {
      readonly kind: 'repeat'
      readonly min: number
      /** Infinity = no limit. */
      readonly max: number
      readonly mode: RepeatMode
      readonly body: Node
      readonly at: number
    }
  | { readonly kind: 'group'; readonly number: number | null; readonly body: Node }
  | { readonly kind: 'atomic'; readonly body: Node; readonly at: number }
  | {
      readonly kind: 'look'
      readonly behind: boolean
      readonly negative: boolean
      readonly body: Node
      readonly at: number
    }
  | { readonly kind: 'position'; readonly position: Position; readonly at: number }
  | {
      readonly kind: 'reference'
      readonly group: number
      readonly ignoreCase: boolean
      readonly at: number
    }

export type NodeOf<Kind extends Node['kind']> = Extract<Node, { kind: Kind }>

/** The nodes directly inside a node, in their order. */
export function childrenOf(node: Node): readonly Node[] {
  if (node.kind === 'sequence') return node.items
  if (node.kind === 'alternation') return node.branches
  return 'body' in node ? [node.body] : []
}

/** Why a pattern is refused: `column` is 1-based in UTF-16 units, as editors count. */
export interface PatternProblem {
  readonly what: string
  readonly column: number
  readonly do: string
}

/** A parsed pattern. */
export interface Pattern {
  readonly root: Node
  readonly flags: Flags
}
