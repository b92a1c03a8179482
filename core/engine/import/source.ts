import type { Result } from '../result.ts'
import type { SourceRef } from '../schema/event.ts'
import type { Transcript } from '../schema/session.ts'
import type { Head } from './head.ts'
import type { Ledger } from './ledger.ts'

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
}

/** A whole file as UTF-8 bytes, so that items of a JSON document can be located and decoded one by one. */
export interface ByteDocument {
  readonly bytes: Uint8Array
  /** Decodes `[start, end)` of `bytes`. */
  text(start: number, end: number): string
  /** Where a position of `bytes` stands in the file (they differ by a BOM or when the file is UTF-16). */
  fileOffset(position: number): number
}

/** What an importer may ask of a file. The host implements it; reading again starts from the beginning. */
export interface Source {
  /** Shown in error messages only; never decides anything (I1). */
  readonly name: string
  readonly size: number
  readonly head: Head
  lines(): AsyncIterable<readonly RawLine[]>
  document(): Promise<ByteDocument>
}

/** A transcript with the number of all problems; `problems` lists at most `MAX_PROBLEMS` of them (I9). */
export type ImportedTranscript = Transcript & { readonly problemTotal: number }

/** What an importer hands over: the sessions; problems and counts stand in the ledger. */
export type Sessions = Transcript['sessions']

/** A row of the table of formats. Detection looks at content only. */
export interface Importer {
  readonly name: string
  readonly label: string
  readonly detect: (head: Head) => boolean
  readonly parse: (source: Source, ledger: Ledger) => Promise<Result<Sessions>>
}

/** One record of a file, parsed, with the place of its bytes. */
export interface RawRecord {
  readonly value: unknown
  readonly ref: SourceRef
}
