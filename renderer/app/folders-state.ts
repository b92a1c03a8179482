import type {
  DiscoveredPlace,
  LibraryEntry,
  LibraryFolder,
} from '../../core/engine/schema/library.ts'
import type { Immutable } from '../../core/engine/schema/immutable.ts'
import { type AsyncData, type Failure, type Work, idle } from './async-data.ts'

export type Folder = Immutable<LibraryFolder>
export type Entry = Immutable<LibraryEntry>
export type Place = Immutable<DiscoveredPlace>

/** Columns of the table of sessions. */
export const COLUMNS = [
  'name',
  'format',
  'turns',
  'domains',
  'flips',
  'breaks',
  'held',
  'signals',
  'errors',
  'problems',
  'modified',
] as const
export type ColumnName = (typeof COLUMNS)[number]

export interface Sort {
  readonly column: ColumnName
  readonly down: boolean
}

/** A look through a folder under way, or how the last one ended. */
export type Scan =
  | { readonly kind: 'never' }
  | { readonly kind: 'running'; readonly work: Work }
  | {
      readonly kind: 'done'
      readonly files: number
      readonly failed: number
      readonly skipped: Readonly<Record<string, number>>
    }
  | { readonly kind: 'stale' }
  | { readonly kind: 'failed'; readonly failure: Failure }

/** The library of folders: the list, the folder in view, and its contents. */
export interface FoldersState {
  readonly list: AsyncData<readonly Folder[]>
  /** Path of the folder in view, over the session; null = the session is in view. */
  readonly shown: string | null
  /** Entries of the folder that was looked at last, by path. */
  readonly entries: AsyncData<ReadonlyMap<string, Entry>>
  /** Folder and configuration that `entries` are of. */
  readonly of: string
  readonly scan: Scan
  readonly sort: Sort
  readonly filter: string
  readonly grouped: boolean
  /** Path of the row that has the keyboard. */
  readonly current: string | null
  readonly places: AsyncData<readonly Place[]>
}

export const noFolders: FoldersState = {
  list: idle,
  shown: null,
  entries: idle,
  of: '',
  scan: { kind: 'never' },
  sort: { column: 'modified', down: true },
  filter: '',
  grouped: true,
  current: null,
  places: idle,
}
