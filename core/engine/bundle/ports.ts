import type { StepData } from '../schema/step-data.ts'
import type { RealTokenizers } from './budget.ts'

interface Missing {
  readonly kind: 'missing'
}
interface Unreadable {
  readonly kind: 'unreadable'
  readonly reason: string
}

/** SHA-256 in lower-case hex. */
interface Digest {
  readonly kind: 'ok'
  readonly sha256: string
  readonly size: number
}
export type DigestAnswer = Digest | Missing | Unreadable

/** `text`: the bytes that were hashed, read as UTF-8. */
export type ReadAnswer =
  | (Digest & { readonly text: string })
  | { readonly kind: 'too_large'; readonly size: number }
  | Missing
  | Unreadable

/** Lines of a file, the last one first; null = a line that is too long to be one. */
export type NewestLines =
  | {
      readonly kind: 'ok'
      readonly size: number
      readonly lines: Iterable<string | null>
      /** True if the read limit was reached before the start of the file. */
      readonly partial: boolean
    }
  | Missing
  | Unreadable

/** Read-only access to files, limited to those the host allows. */
export interface BundleFiles {
  /** Content and hash of one reading of a file of at most `maxBytes`. */
  read(path: string, maxBytes: number): ReadAnswer
  /** Hash of a file, or of its last `fromEnd` bytes if the file is larger. `size` is always the file's. */
  digest(path: string, fromEnd: number | null): DigestAnswer
  /** Names of the files in a folder, in any order; none when there is no such folder. */
  list(folder: string): readonly string[]
  /** @param maxBytes null = all */
  newestLines(path: string, maxBytes: number | null): NewestLines
}

/** [A7] Static data of all steps, and which grammar files are there and parse. */
export interface StepLibrary {
  readonly steps: ReadonlyMap<number, StepData>
  readonly contracts: readonly string[]
  readonly grammars: ReadonlySet<string>
}

/** Injected dependencies of building. Clock and randomness are arguments; files are a port. */
export interface BundlePorts {
  readonly library: StepLibrary
  readonly files: BundleFiles
  readonly tokenizers: RealTokenizers
}
