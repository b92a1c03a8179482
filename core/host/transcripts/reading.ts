import { dirname, join } from 'node:path'
import { startImport, type Around, type HeldLine, type ImportRun } from '../../engine/import/run.ts'
import type { ImportedTranscript, Members, RawLine } from '../../engine/import/source.ts'
import { findImporter, judged } from '../../engine/import/recognise.ts'
import { type Result, err, ok } from '../../engine/result.ts'
import { type FileState, FileTail, type Seal, sealOf } from '../platform/files/file-tail.ts'
import { OpenFile } from '../platform/files/open-file.ts'
import { withBroken, type FoundFormats } from './own-formats.ts'
import type { PageContents } from './page-file.ts'
import type { TableSource } from './parquet-source.ts'
import { DiskTextStore } from './text-store.ts'
import { companionsOf, createTags } from './companions.ts'
import { stat } from '../platform/files/fenced-fs.ts'
import { type OpenedSource, openSource } from './read-transcript.ts'

/** Location of a record's bytes: in a file, or in a member of the archive. */
export type RecordPlace =
  | { readonly path: string; readonly seal: Seal }
  | { readonly members: Members; readonly member: string }
  | { readonly inside: Uint8Array }
  | { readonly table: TableSource }

interface StepOptions {
  readonly signal: AbortSignal
  /** More is waited for: an unfinished last line stays back. */
  readonly following: boolean
}

/** Companions that are read with one file. */
const MAX_COMPANIONS = 500
/** The same, for formats whose sessions lie in many files. */
const MAX_PARTS = 5000

/** Recognises a file and makes ready to read it. Rejects with the system's error when it cannot be read. */
export async function beginReading(path: string, options: BeginOptions): Promise<Result<Reading>> {
  const part = await openFile(path, options)
  const found = await recognised(part, options)
  if (!found.ok) return err(withBroken(found.error, options.formats?.broken ?? []))
  const { importer, head } = found.value
  const main = { ...part, source: { ...part.source, head } }
  const texts = new DiskTextStore()
  const run = startImport(main.source, importer, texts)
  return ok(new Reading({ path, run, texts, main: withTail(main, run, options) }, options))
}

/** Closes the file if no format recognizes it. */
async function recognised(
  { source, held }: Omit<TranscriptFile, 'tail'>,
  { formats }: BeginOptions,
) {
  try {
    const found = await findImporter(source, formats)
    if (!found.ok) await held.letGo()
    return found
  } catch (error) {
    await held.letGo()
    throw error
  }
}

interface Begun {
  readonly path: string
  readonly run: ImportRun
  readonly texts: DiskTextStore
  readonly main: TranscriptFile
}

/** One reading of a file and its companions, from the beginning to their present ends. */
export class Reading {
  readonly formatLabel: string
  /** Whether reading continues when the file grows. If not, the file is read from the beginning. */
  readonly tails: boolean
  /** An archive is read as a whole: it neither grows nor has companions. */
  readonly isArchive: boolean
  /** [U125] Content that came in an exported page. */
  readonly page: PageContents | null
  readonly #begun: Begun
  readonly #options: Pick<BeginOptions, 'onProgress' | 'hashed'>
  readonly #companions: TranscriptFile[] = []
  readonly #names: string[] = []
  /** Files that hold nothing, cannot be read, or are another session's; tried again when the file grows. */
  readonly #passed = new Set<string>()
  /** Files that belong to it beyond those that are read with it. */
  #left: readonly string[] = []

  constructor(begun: Begun, options: Pick<BeginOptions, 'onProgress' | 'hashed'>) {
    this.#begun = begun
    this.#options = options
    const { members, page, table, unpacked } = begun.main.source
    this.formatLabel = page === null ? begun.run.importer.label : 'Exported page'
    this.tails = begun.main.tail !== null
    this.isArchive = [members, page, table, unpacked].some((part) => part !== null)
    this.page = page
  }

  /** Reads what there is that was not read before; gives back control after each batch. */
  async *steps(options: StepOptions): AsyncGenerator<void, void> {
    yield* this.#readFile(this.#begun.main, options)
    if (!this.isArchive) await this.#findCompanions(options.signal)
    for (const [file, part] of this.#companions.entries()) {
      yield* this.#readFile(part, options, file)
    }
  }

  /** `torn`: list last lines that are held back as problems. */
  snapshot(torn: boolean): Result<ImportedTranscript> {
    return this.#begun.run.snapshot(this.#around(torn))
  }

  /** Why the file as a whole is refused, once it was read; else its transcript. */
  finish(torn: boolean): Result<ImportedTranscript> {
    const transcript = this.snapshot(torn)
    if (!transcript.ok) return transcript
    const { main, run } = this.#begun
    return judged(main.source, run, transcript.value)
  }

  async look(): Promise<FileState> {
    const { path, run, main } = this.#begun
    const state = await lookAt(main)
    if (state === 'gone' || state === 'other' || this.isArchive) return state
    const others = await Promise.all(this.#companions.map(lookAt))
    if (others.includes('other')) return 'other'
    const names = await companionsOf(path, run.importer)
    const more = names.some((name) => !this.#names.includes(name) && !this.#passed.has(name))
    return more || others.includes('grown') ? 'grown' : state
  }

  /** [I148] Whether its files still hold all that was read of them, by the bytes. */
  async holdsAll(): Promise<boolean> {
    for (const part of [this.#begun.main, ...this.#companions]) {
      const holds =
        part.tail === null ? (await lookAt(part)) === 'same' : await part.tail.holdsAll()
      if (!holds) return false
    }
    return true
  }

  /** When the file was changed last before it was opened, in epoch milliseconds. */
  get changedAt(): number {
    return Number(this.#begun.main.held.info.mtimeMs)
  }

  /** Files that are read with it, relative to its folder. */
  companions(): readonly string[] {
    return this.#names
  }

  /** Size of the file in bytes, as far as known. */
  bytes(): number {
    const { source, tail } = this.#begun.main
    return Math.max(source.size, tail?.position() ?? 0)
  }

  place(file: number | undefined): RecordPlace | null {
    const { main, run } = this.#begun
    const { members, page, table, unpacked } = main.source
    if (table !== null) return { table }
    if (page !== null) return { inside: page.session }
    if (unpacked !== null && members === null) return { inside: unpacked }
    if (file !== undefined && members !== null) {
      const split = run.importer.split(main.source)
      const member = split.by === 'members' ? split.names[file] : undefined
      return member === undefined ? null : { members, member }
    }
    const part = file === undefined ? main : this.#companions[file]
    return part === undefined ? null : { path: part.path, seal: part.tail?.seal() ?? part.seal }
  }

  close(): void {
    this.#begun.texts.close()
    // A failure to close does not affect readers.
    for (const { held } of [this.#begun.main, ...this.#companions])
      held.letGo().catch(() => undefined)
  }

  async *#readFile(
    part: TranscriptFile,
    { signal, following }: StepOptions,
    file?: number,
  ): AsyncGenerator<void, void> {
    const { run } = this.#begun
    const { tail, source } = part
    if (tail === null && part.done) return
    // The reader opens a released file again.
    const held = part.held.isOpen ? part.held : null
    part.done = true
    try {
      if (tail === null) yield* run.readMore(source, file)
      else yield* this.#readTail({ ...part, tail }, { signal, following, held }, file)
    } finally {
      await part.held.letGo()
    }
  }

  async *#readTail(
    { source, tail }: TranscriptFile & { readonly tail: FileTail },
    { signal, following, held }: StepOptions & { readonly held: OpenFile | null },
    file?: number,
  ): AsyncGenerator<void, void> {
    const { run } = this.#begun
    const onBytes = (done: number) => {
      if (file === undefined) this.#options.onProgress?.(done, this.bytes())
    }
    const take = (line: RawLine) => run.takesLast(line, following)
    yield* run.readMore(
      { ...source, lines: () => tail.read({ signal, onBytes, take, held }) },
      file,
    )
  }

  async #findCompanions(signal: AbortSignal): Promise<void> {
    const { path, run } = this.#begun
    const tagOf = createTags(run.importer)
    const known = new Set(this.#names)
    const left: string[] = []
    const most = run.importer.manyCompanions === true ? MAX_PARTS : MAX_COMPANIONS
    for (const name of await companionsOf(path, run.importer)) {
      if (known.has(name)) continue
      const at = join(dirname(path), name)
      const isOurs = run.claims({ path: name, ...(await tagOf(at)) })
      const isMore = isOurs && this.#names.length >= most
      if (isMore) left.push(name)
      const part = isOurs && !isMore ? await companionAt(at, signal) : null
      signal.throwIfAborted()
      if (part === null) {
        this.#passed.add(name)
        continue
      }
      this.#names.push(name)
      this.#companions.push(withTail(part, run, this.#options))
    }
    this.#left = left
  }

  /** Companions, and last lines that are held back, if they must be listed. */
  #around(torn: boolean): Around {
    const parts = torn ? [this.#begun.main, ...this.#companions] : []
    const held = parts.flatMap(({ tail }, at): HeldLine[] => {
      const line = tail?.held() ?? null
      return line === null ? [] : [{ line, file: at === 0 ? undefined : at - 1 }]
    })
    return { held, companions: this.#names, left: this.#left }
  }
}

interface BeginOptions {
  readonly signal: AbortSignal
  /** Bytes read so far, bytes in all. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined
  /** [I140] Formats of one's own; none by default. */
  readonly formats?: FoundFormats | undefined
  /** [I148] Hashes the data read, as `holdsAll` requires. */
  readonly hashed?: boolean | undefined
}

/** A file of a transcript, as it is read. */
interface TranscriptFile {
  readonly path: string
  readonly source: OpenedSource
  /** Null if the file is a single document or an archive. */
  readonly tail: FileTail | null
  readonly seal: Seal
  /** The file, open, until it was read for the first time. */
  readonly held: OpenFile
  done: boolean
}

/** Opens a file for reading. Rejects with the system's error. */
async function openFile(
  path: string,
  options: BeginOptions,
): Promise<Omit<TranscriptFile, 'tail'>> {
  // Sealed before it is read, so that data appended meanwhile counts as growth.
  const held = await OpenFile.open(path)
  try {
    const seal = await sealOf(held)
    return { path, held, seal, source: await openSource(held, path, options), done: false }
  } catch (error) {
    await held.letGo()
    throw error
  }
}

/** The file, if it holds something that can be read beside another. */
async function companionAt(
  path: string,
  signal: AbortSignal,
): Promise<Omit<TranscriptFile, 'tail'> | null> {
  const part = await openFile(path, { signal }).catch(() => null)
  // There may be thousands of them: each is opened again when its turn comes.
  await part?.held.letGo()
  const isPlain =
    part?.source.members === null && part.source.table === null && part.source.unpacked === null
  return isPlain && part.source.size > 0 ? part : null
}

/** The file with the tail that continues reading its lines. No tail if it is a document or compressed. */
function withTail(
  part: Omit<TranscriptFile, 'tail'>,
  run: ImportRun,
  { hashed }: Pick<BeginOptions, 'hashed'>,
): TranscriptFile {
  const { members, page, table, unpacked } = part.source
  const isPlain = [members, page, table, unpacked].every((each) => each === null)
  const lines = isPlain && run.byLines(part.source)
  return { ...part, tail: lines ? new FileTail(part.path, hashed) : null }
}

/** A document is not read on: any change makes it another one. */
async function lookAt({ path, tail, held }: TranscriptFile): Promise<FileState> {
  if (tail !== null) return tail.look()
  const now = await stat(path, { bigint: true }).catch(() => null)
  if (now?.isFile() !== true) return 'gone'
  const { mtimeNs, size } = held.info
  return now.mtimeNs === mtimeNs && now.size === size ? 'same' : 'other'
}
