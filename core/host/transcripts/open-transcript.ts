import type { ImportedTranscript } from '../../engine/import/source.ts'
import type { Problem } from '../../engine/result.ts'
import type { Progressed } from './live-work.ts'
import type { PageContents } from './page-file.ts'
import type { RecordPlace } from './reading.ts'

/** A transcript as far as it was read. What it says changes while the file is read and followed. */
export interface OpenTranscript {
  readonly path: string
  readonly formatLabel: string
  /** Bytes of the file. */
  readonly bytes: number
  readonly transcript: ImportedTranscript
  /** All that the file had was read. */
  readonly complete: boolean
  /** Changes when events changed places; then all that was learnt of them is void. */
  readonly generation: number
  /** Changes when the file was read anew: other events, even where they say the same. */
  readonly reading: number
  /** [U125] What came along in an exported page; null for every other file. */
  readonly page: PageContents | null
  /** [I56] Files that were read with it, relative to its folder. */
  readonly companions: readonly string[]
  /** Where records are; null for a number that is no file of this transcript. */
  place(file: number | undefined): RecordPlace | null
  /** Gives texts back; events of this transcript cannot be read any more. */
  close(): void
}

/** What happens on the way. `look`: there is more to see; `refused`: no transcript, or not any more. */
export type LiveStep =
  | Progressed
  | { readonly kind: 'look' }
  | {
      readonly kind: 'refused'
      readonly problem: Problem
      /** No format knows it, which is seen by its beginning. */
      readonly isUnknown?: boolean
    }
  | { readonly kind: 'following'; readonly state: 'watching' | 'restarted' | 'gone' }
