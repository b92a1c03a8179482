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
  /** Why what should stand here cannot be read, where the host knows it (a part of a table). */
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
  /** The bytes from `from` on: `least` of them, or all where the document ends before. */
  window(from: number, least: number): Promise<ByteWindow>
  /** Decodes `[start, end)` of the bytes of a window. */
  readonly decode: (bytes: Uint8Array, start: number, end: number) => string
  /** Where a position of the document stands in the file (they differ by a BOM or when the file is UTF-16). */
  readonly fileOffset: (position: number) => number
  readonly close: () => Promise<void>
}

/** What the import may ask of a file. The host implements it; reading again starts from the beginning. */
export interface Source {
  /** Shown in error messages only; never decides anything (I1). */
  readonly name: string
  readonly size: number
  readonly head: Head
  /** Ends at the end of the file, or, where the host follows a growing one, when following ends. */
  lines(): AsyncIterable<readonly RawLine[]>
  document(): Promise<ByteDocument>
  /** Members of an archive, by name; null for a plain file. */
  readonly members: Members | null
  /** [I146] Names of the columns of a table, whose rows are the lines; absent for every other file. */
  readonly columns?: readonly string[]
  /** [I205] Its lines are the sessions of a database. */
  readonly isDatabase?: boolean
}

/** The members of an archive. Names are as they stand in it, unsafe ones are left out. */
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
 * [I3] How a file falls into records.
 * `records`: JSON values, one a line or items of a list; an object whose key is in `lists` stands for
 *   the items of that list, and with `header` the object without its lists comes first, as a record
 *   of its own (`header: true`). With `arrays`, a line that is an array is a record (else a problem).
 * `document`: the whole file is one record.
 * `lines`: each line is a record whose value is its text (Markdown, logs).
 * `members`: each named member of an archive is a record, read in this order.
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
  /** Name of the folder that a companion lies in. */
  readonly folder?: string | undefined
}

/**
 * Takes the records of one file in their order. Its memory must not grow with the texts: events
 * go into the drafts, and the host moves their texts elsewhere after each batch.
 */
export interface Reader {
  /** Never throws, whatever the record is: what it cannot use goes to the log (I5). */
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
  /** [I143] Asked at the end of a file without any session: why there is none, if the format knows more than others. */
  readonly nothing?: () => Problem | null
  /**
   * [I101] Whether a file that `companions` named belongs to what was read so far; asked before it is
   * read, and again when the file has grown. Without it the name decides.
   */
  readonly claims?: (companion: Companion) => boolean
}

/** What a file says of itself in its first record. Null where it does not say it. */
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

/** How often a format is asked for folders of companions. */
export const FOLDER_ROUNDS = 3

/** A row of the table of formats. Detection looks at content only (I1). */
export interface Importer {
  readonly name: string
  readonly label: string
  readonly detect: (head: Head) => boolean
  /**
   * [I103] Other formats have records of this shape too, and a member beside it that says what they are.
   * Where the head ends within such a record, the rest of it is looked at before this row is taken.
   */
  readonly shares?: true
  /**
   * [I104] For formats of text whose first mark may stand anywhere: takes the lines of a file in
   * order, and says true from the line on that shows the format.
   */
  readonly seek?: () => (line: string) => boolean
  /** For formats that are archives: whether these members are such a one. */
  readonly detectMembers?: (names: readonly string[]) => boolean
  readonly split: (source: Pick<Source, 'head' | 'members'>) => Split
  /** `texts` is where the host moves the texts of events while the file is read. */
  readonly read: (log: ImportLog, texts: TextReader) => Reader
  /**
   * Files beside the opened one that belong to the same run (sub-agents, a task's other half), by
   * their path relative to its folder, out of all that are there. They are read after it.
   */
  readonly companions?: (name: string, neighbours: readonly string[]) => readonly string[]
  /**
   * [I56] Folders in which companions of a file of this name can be, relative to its own (`.` is that
   * one); `/*` at the end stands for all folders in one. It is asked again, at most `FOLDER_ROUNDS` times,
   * with what was found in the folders that it named. Without it: its own and those in it.
   */
  readonly companionFolders?: (name: string, seen?: SeenFiles) => readonly string[]
  /** [I56] Most of a session lies in its companions: more of them are read with it. */
  readonly manyCompanions?: true
  /** [I101] What the beginning of a companion says of itself, for `Reader.claims`. */
  readonly tag?: (head: Head) => CompanionTag
}
