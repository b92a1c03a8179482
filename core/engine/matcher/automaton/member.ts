import type { CharSet, Range } from '../python/python-ast.ts'

/** A set with the rules of its pattern. */
export interface Member {
  readonly set: CharSet
  readonly ascii: boolean
  readonly ranges: readonly Range[]
  /** It depends on case. It is assumed to contain every character, and the match is verified. */
  readonly open: boolean
}
