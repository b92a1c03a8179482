import type { CharSet, Range } from '../python/python-ast.ts'

/** A set with the rules of its pattern. */
export interface Member {
  readonly set: CharSet
  readonly ascii: boolean
  readonly ranges: readonly Range[]
  /** Case matters to it: it is taken for every character, and the match is verified. */
  readonly open: boolean
}
