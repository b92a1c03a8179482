import type { Problem, Result } from '../result.ts'
import type { SourceRef, TextReader } from '../schema/event.ts'
import type { Transcript } from '../schema/session.ts'
import type { Head } from './head.ts'
import type { SessionDraft } from './shared/drafts.ts'
import type { ImportLog, RecordCounts } from './shared/import-log.ts'

/** One line of a file. `offset` and `length` are bytes of the file and leave the terminator out. */
export interface RawLine {
  readonly text: string
  readonly offset: number
  readonly length: number
  /** 1-based. */
  readonly line: number
  /** The file ends here without a newline: the writer may still be at it. */
  readonly unterminated: boolean
  readonly nul: boolean
  /** Longer than the reader's limit: `text` is only its beginning. */
  readonly tooLong: boolean
  /** Why the content of this line cannot be read, if the host knows it (a part of a table). */
  readonly broken?: string
}

/** Some bytes of a document. They are valid until the next window is requested. */
export interface ByteWindow {
  readonly bytes: Uint8Array
  /** Position of the first byte in the document. */
  readonly start: number
  /** The document ends with these bytes. */
  readonly last: boolean
}

/** A whole file as UTF-8 bytes of which a part at a time is held, so that items of a JSON document can be located and decoded one by one. */
export interface ByteDocument {
  readonly size: number
  /** At least `least` bytes from `from` on, or all if the document ends earlier. */
  window(from: number, least: number): Promise<ByteWindow>
  /** Decodes `[start, end)` of the bytes of a window. */
  readonly decode: (bytes: Uint8Array, start: number, end: number) => string
  /** File offset of a document position (they differ by a BOM, or if the file is UTF-16). */
  readonly fileOffset: (position: number) => number
  readonly close: () => Promise<void>
}

/** Read access of the import to a file. The host implements it. Each read starts from the beginning. */
export interface Source {
  /** Shown in error messages only; never decides anything (I1). */
  readonly name: string
  readonly size: number
  readonly head: Head
  /** Ends at the end of the file or, if the host follows a growing file, when following ends. */
  lines(): AsyncIterable<readonly RawLine[]>
  document(): Promise<ByteDocument>
  /** Members of an archive, by name; null for a plain file. */
  readonly members: Members | null
  /** [I146] Names of the columns of a table, whose rows are the lines; absent for every other file. */
  readonly columns?: readonly string[]
  /** [I205] Its lines are the sessions of a database. */
  readonly isDatabase?: boolean
}

/** The members of an archive. Names are kept unchanged; unsafe ones are left out. */
export interface Members {
  readonly names: readonly string[]
  /** Members that cannot be used (unsafe, encrypted, too large), and why. */
  readonly left: ReadonlyArray<{ readonly name: string; readonly why: string }>
  /** Why the whole archive cannot be read; then there are no names. */
  readonly refusal: Problem | null
  /** The whole member, unpacked and decoded; the host limits sizes. */
  text(name: string): Promise<Result<string>>
  /** The unpacked size of a member in bytes; a member with another size cannot be read. */
  bytes(name: string): number
}

/**
 * A transcript with the number of all problems, of which `problems` lists at most `MAX_PROBLEMS` (I9),
 * and what became of its records (I108).
 */
export type ImportedTranscript = Transcript & {
  readonly problemTotal: number
  readonly records: RecordCounts
}

/**
 * [I3] Rules for splitting a file into records.
 * - `records`: JSON values, one per line or items of a list. An object whose key is in `lists` yields the items of that
 *   list. With `header`, the object without its lists comes first, as a separate record (`header: true`). With
 *   `arrays`, a line that is an array is a record (else a problem).
 * - `document`: the whole file is one record.
 * - `lines`: each line is a record whose value is its text (Markdown, logs).
 * - `members`: each named member of an archive is a record, read in this order.
 */
export type Split =
  | {
      readonly by: 'records'
      readonly lists?: readonly string[]
      readonly header?: boolean
      readonly arrays?: boolean
      /** [I34] Integers beyond 2⁵³ of a document arrive as text, not rounded. */
      readonly exact?: boolean
    }
  | { readonly by: 'document' }
  | { readonly by: 'lines' }
  | { readonly by: 'members'; readonly names: readonly string[] }

/** One record of a file, parsed, with the place of its bytes. */
export interface RawRecord {
  readonly value: unknown
  readonly ref: SourceRef
  /** The object around a list of records, without the list (`Split.header`). */
  readonly header?: boolean
  /** [I146] It is a row of a table: one that holds a question and its answer is a session. */
  readonly row?: boolean
  /** Name of the member that the record is (`Split` by members). */
  readonly member?: string
  /** Name of the companion's folder. */
  readonly folder?: string | undefined
}

/**
 * Takes the records of one file in their order. Its memory must not grow with the texts: events
 * go into the drafts, and the host moves their texts elsewhere after each batch.
 */
export interface Reader {
  /** Never throws. Records that it cannot use go to the log (I5). */
  readonly take: (record: RawRecord) => void
  /** The sessions so far, in order of their first record. Called after each batch, so it must be cheap. */
  readonly drafts: () => Iterable<SessionDraft>
  /**
   * Puts the sessions in order before a snapshot: drops repetitions, separates branches. Called
   * often while a file is read, and `take` may go on afterwards, because a file may still grow.
   */
  readonly tidy?: () => void
  /** Why the whole file cannot be used, once that is known. */
  readonly refusal?: () => Problem | null
  /**
   * [I143] Called at the end of a file without any session. Returns the reason if the format knows more than others.
   */
  readonly nothing?: () => Problem | null
  /**
   * [I101] Whether a file named by `companions` belongs to the sessions read so far. Called before the file is read,
   * and again when it has grown. Without it the name decides.
   */
  readonly claims?: (companion: Companion) => boolean
}

/** Ids in a file's first record. Null if the record does not state them. */
export interface CompanionTag {
  /** Id of the session that it belongs to. */
  readonly session: string | null
  /** Id of the sub-agent whose thread it is. */
  readonly agent: string | null
}

/** A file beside the opened one, by its path relative to that one's folder. */
export interface Companion extends CompanionTag {
  readonly path: string
}

/** Files that were found beside one, by their path relative to its folder, and how often was looked. */
export interface SeenFiles {
  readonly files: readonly string[]
  readonly round: number
}

/** Maximum calls to a format for the folders of companions. */
export const FOLDER_ROUNDS = 3

/** A row of the table of formats. Detection looks at content only (I1). */
export interface Importer {
  readonly name: string
  readonly label: string
  readonly detect: (head: Head) => boolean
  /**
   * [I103] Other formats share this record shape and identify themselves by an additional member. If the head ends
   * within such a record, its rest is examined before this row is chosen.
   */
  readonly shares?: true
  /**
   * [I104] For text formats whose first mark may be anywhere. Takes the lines of a file in order, and returns true from
   * the line on that shows the format.
   */
  readonly seek?: () => (line: string) => boolean
  /** For formats that are archives: whether these members are such a one. */
  readonly detectMembers?: (names: readonly string[]) => boolean
  readonly split: (source: Pick<Source, 'head' | 'members'>) => Split
  /** `texts` is the store to which the host moves event texts while it reads the file. */
  readonly read: (log: ImportLog, texts: TextReader) => Reader
  /**
   * Files beside the opened one that belong to the same run (sub-agents, a task's other half), by
   * their path relative to its folder, out of all that are there. They are read after it.
   */
  readonly companions?: (name: string, neighbours: readonly string[]) => readonly string[]
  /**
   * [I56] Folders that may hold companions of a file of this name, relative to the file's folder (`.`). A trailing `/*`
   * means all folders in one. Called again, at most `FOLDER_ROUNDS` times, with the files found in the named folders.
   * Default: the file's folder and its direct subfolders.
   */
  readonly companionFolders?: (name: string, seen?: SeenFiles) => readonly string[]
  /** [I56] Most of a session is in its companions, so more of them are read with it. */
  readonly manyCompanions?: true
  /** [I101] The ids at the beginning of a companion, for `Reader.claims`. */
  readonly tag?: (head: Head) => CompanionTag
}
