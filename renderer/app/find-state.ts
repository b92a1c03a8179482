import type { z } from 'zod'
import type { Excerpt as ExcerptSchema } from '../../core/wire/contract.ts'
import type { Immutable } from '../../core/engine/schema/immutable.ts'
import type { Failure, Work } from './async-data.ts'
import type { Answer } from './question.ts'

export type Excerpt = Immutable<z.infer<typeof ExcerptSchema>>

/** Scope of the find box. */
export type Scope = 'session' | 'folder'

/** The find box of a session, with its results. */
export interface Find {
  readonly query: string
  readonly scope: Scope
  readonly seqs: readonly number[]
  /** More events match than are listed. */
  readonly more: boolean
  /** Place in `seqs` of the result that is selected; -1 = none. */
  readonly at: number
  /** Query that `seqs` answers; differs from `query` while the host is asked. */
  readonly asked: string
  /** Error of the query. */
  readonly problem: Failure | null
  /** Texts on which a regular expression ran out of time. */
  readonly cutOff: number
  /** The list shows matches only. */
  readonly only: boolean
  /** The panel of results is open. */
  readonly panel: boolean
  /** Text around the matches, by `seq`, as far as it was looked at. */
  readonly excerpts: ReadonlyMap<number, Excerpt>
}

export const emptyFind: Find = {
  query: '',
  scope: 'session',
  seqs: [],
  more: false,
  at: -1,
  asked: '',
  problem: null,
  cutOff: 0,
  only: false,
  panel: true,
  excerpts: new Map(),
}

/** Matches of one session of a file of the folder. */
export type FoundFile = Extract<Answer<'library.find'>, { readonly kind: 'found' }>

/** A search over all files of a folder, as far as it has come. */
export interface FolderFind {
  readonly folder: string
  readonly query: string
  readonly found: readonly FoundFile[]
  readonly work: Work
  /** Null while it runs. */
  readonly done: {
    readonly files: number
    readonly sessions: number
    readonly total: number
    readonly cancelled: boolean
  } | null
  readonly problem: Failure | null
}
