import { rm, appendFileSync, rmSync } from '../../platform/files/fenced-fs.ts'
import { join } from 'node:path'
import { lineLiterals, textNeeds } from '../../../engine/rows/line-literals.ts'
import type { CompiledSignal } from '../../../engine/matcher/signal.ts'
import type { BeliefOptions, ClassifyKinds } from '../../../engine/schema/preset.ts'
import { databaseFailure, type Database, quoted } from '../../batch/duckdb.ts'
import { copyPlain, isUnreadable, plainLine } from '../../batch/plain-lines.ts'
import type { FormatsOf } from '../../transcripts/own-formats.ts'
import type { Results } from '../results.ts'
import { findSource, type SourceFile } from '../source-file.ts'
import { tableTexts, transcriptTexts, type Placed } from './placed-texts.ts'
import type { EditRunner } from './runner.ts'
import type { TextScanner } from './text-scanner.ts'
import { keptIn } from '../../../engine/maps.ts'
import type { StretchFound } from './lines/scan-stretch.ts'
import { foldersOf } from '../../batch/folders.ts'
import { LINE_STEP, hasPlaces, readLineStarts } from '../../batch/line-starts.ts'
import { LONG_TEXT_BYTES, readBytes } from '../../platform/files/regular-file.ts'
import type { EditTask } from './work.ts'

interface ScanOptions {
  readonly signals: readonly CompiledSignal[]
  /** Options that control how the side of these signals reads texts. */
  readonly belief: BeliefOptions
  readonly scanner: TextScanner
  readonly runner: EditRunner
  readonly classify: ClassifyKinds
  readonly base: string
  readonly formats: FormatsOf
  readonly scratch: string
  readonly signal: AbortSignal
  /** Bytes of sources that were looked through. */
  readonly onBytes: (done: number, total: number) => void
}

/**
 * [F146] Scans the texts of all sources for signals, and stores the matches in the table `hits`, by row or by turn.
 * [F132] Starts with files of lines whose line offsets are known. Threads scan them, and most lines are not parsed.
 */
export async function scanSources(
  { files, editor: { database } }: Results,
  options: ScanOptions,
): Promise<void> {
  const { base, signal, runner, signals, belief, scratch } = options
  const { plan } = files.manifest
  const total = plan.files.reduce((sum, { size }) => sum + size, 0)
  let done = 0
  const onBytes = (bytes: number): void => options.onBytes((done += bytes), total)
  onBytes(0)
  const sources = await Promise.all(plan.files.map(({ path }) => findSource(files, path, base)))
  const placed = await placedLines(files.folder, sources)
  const lines = lineLiterals(signals, belief) === null ? 'all' : 'some'
  const isPlaced = new Set(placed.map(({ source }) => source))
  const tables = { ...options, order: plan.order, needs: textNeeds(signals, belief) }
  const hits = await createHits(database, options.scanner)
  const odd = createOddLines(scratch)
  try {
    await runner.all(stretchesOf(placed, lines), (answer) => {
      if (answer.kind !== 'looked') return
      for (const [at, row] of answer.rows.entries())
        hits.add(answer.file, { row, session: null, turn: 0 }, answer.signals[at] ?? 0)
      odd.add(answer)
      onBytes(answer.bytes)
    })
    for (const { source, rows } of odd.sources(sources))
      for await (const portion of tableTexts(source, tables)) {
        signal.throwIfAborted()
        const own = portion.map((each) => ({ ...each, row: rows[each.row] ?? 0 }))
        hits.look(source.planned.path, own)
      }
    for (const source of sources.filter((each) => !isPlaced.has(each))) {
      const { kind, path, size } = source.planned
      const texts = kind === 'transcript' ? transcriptTexts : tableTexts
      const look = async (from: SourceFile): Promise<void> => {
        for await (const portion of texts(from, tables)) {
          signal.throwIfAborted()
          hits.look(path, portion)
        }
      }
      try {
        await look(source)
      } catch (error) {
        if (!isUnreadable(error, { kind, path: source.path })) throw error
        await hits.forget(path)
        await withCopy(source, { scratch, signal }, look)
      }
      onBytes(size)
    }
  } finally {
    odd.end()
    hits.close()
  }
}

/** [F134] Looks through a copy of packed lines of which the database cannot read some, as the batch did. */
async function withCopy(
  source: SourceFile,
  { scratch, signal }: Pick<ScanOptions, 'scratch' | 'signal'>,
  look: (from: SourceFile) => Promise<void>,
): Promise<void> {
  const path = join(scratch, 'unpacked.jsonl')
  try {
    await copyPlain(source.path, path, { signal })
    await look({ ...source, path })
  } catch (error) {
    throw signal.aborted ? error : databaseFailure(error, source.path)
  } finally {
    await rm(path, { force: true })
  }
}

/** The table `hits`: where signals matched, by row of a table, or by session and turn of a transcript. */
interface Hits {
  /** Looks for the signals in texts of a source. */
  readonly look: (file: string, portion: readonly Placed[]) => void
  readonly add: (file: string, place: Omit<Placed, 'text'>, signal: number) => void
  /** Removes the matches of a source before it is scanned again. */
  readonly forget: (file: string) => Promise<void>
  readonly close: () => void
}

/** Rows that the appender holds before they go into the table. */
const PORTION = 20_000

export async function createHits(database: Database, { scan }: TextScanner): Promise<Hits> {
  await database.run(
    'CREATE OR REPLACE TABLE hits (file VARCHAR, row BIGINT, session VARCHAR, turn INTEGER, signal INTEGER)',
  )
  const appender = await database.connection.createAppender('hits')
  let rows = 0
  const add: Hits['add'] = (file, { row, session, turn }, signal) => {
    appender.appendVarchar(file)
    appender.appendBigInt(BigInt(row))
    if (session === null) appender.appendNull()
    else appender.appendVarchar(session)
    appender.appendInteger(turn)
    appender.appendInteger(signal)
    appender.endRow()
    rows += 1
    if (rows % PORTION === 0) appender.flushSync()
  }
  return {
    add,
    look: (file, portion) => {
      for (const [signal, texts] of scan(portion.map(({ text }) => text)))
        for (const at of texts) {
          const placed = portion[at]
          if (placed !== undefined) add(file, placed, signal)
        }
    },
    forget: async (file) => {
      appender.flushSync()
      await database.run(`DELETE FROM hits WHERE file = ${quoted(file)}`)
    },
    close: () => appender.closeSync(),
  }
}

/** Lines of one source set aside: the file that contains them, and the row of each. */
interface Aside {
  readonly path: string
  readonly rows: number[]
}

/** A source of lines that were put aside. */
interface OddSource {
  readonly source: SourceFile
  /** Of each of its lines the row of the source that it was taken from. */
  readonly rows: readonly number[]
}

const LINE_FEED = Uint8Array.of(10)

/**
 * [F132] Puts lines aside whose texts the database has to tell, as files of lines with the columns of their sources.
 * @param folder of this process alone
 */
function createOddLines(folder: string) {
  const asides = new Map<string, Aside>()
  return {
    add: ({ file, odd }: Pick<StretchFound, 'file' | 'odd'>): void => {
      if (odd.length === 0) return
      const { path, rows } = keptIn(asides, file, () => ({
        path: join(folder, `odd-${asides.size}.jsonl`),
        rows: [],
      }))
      appendFileSync(
        path,
        Buffer.concat(odd.flatMap(({ bytes }) => [plainLine(Buffer.from(bytes)), LINE_FEED])),
      )
      for (const { row } of odd) rows.push(row)
    },
    sources: (all: readonly SourceFile[]): readonly OddSource[] =>
      all.flatMap(({ planned }) => {
        const aside = asides.get(planned.path)
        if (aside === undefined) return []
        return [{ source: { planned, path: aside.path }, rows: aside.rows }]
      }),
    end: (): void => {
      for (const { path } of asides.values()) rmSync(path, { force: true })
    },
  }
}

/** A source of lines, and where every 256th of them begins. */
interface PlacedLines {
  readonly source: SourceFile
  readonly column: string
  readonly starts: readonly number[]
}

/** [F132] The sources whose lines can be looked through in stretches: those of which the batch wrote down where lines begin. */
async function placedLines(
  folder: string,
  sources: readonly SourceFile[],
): Promise<readonly PlacedLines[]> {
  const placed: PlacedLines[] = []
  for (const [at, source] of sources.entries()) {
    const { kind, size, columns, path } = source.planned
    if (columns === undefined || !hasPlaces(kind, path)) continue
    const file = foldersOf(folder).lineStarts(at)
    const bytes = await readBytes(file, LONG_TEXT_BYTES).catch(() => null)
    if (bytes === null) continue
    placed.push({ source, column: columns.message, starts: readLineStarts(bytes, size) })
  }
  return placed
}

/**
 * Bytes of a stretch: it takes a tenth of a second or two, so that progress moves and Cancel is not felt. Where every
 * line is parsed and looked through, fewer.
 */
const STRETCH_BYTES = { some: 16 * 1024 * 1024, all: 2 * 1024 * 1024 } as const

/** @param lines which of them are looked through: all, or some that hold a literal */
function* stretchesOf(
  placed: readonly PlacedLines[],
  lines: keyof typeof STRETCH_BYTES,
): Generator<EditTask, void, undefined> {
  for (const { source, column, starts } of placed) {
    const { planned, path } = source
    let from = 0
    for (let step = 0; step < starts.length; step += 1) {
      const begin = starts[from] ?? 0
      const end = starts[step + 1]
      if (end !== undefined && end - begin < STRETCH_BYTES[lines]) continue
      const least = (end === undefined ? step : step + 1) * LINE_STEP
      const next = { least, most: end === undefined ? least + LINE_STEP - 1 : least }
      const place = { from: begin, to: end ?? planned.size, line: from * LINE_STEP, next }
      yield { kind: 'look', file: planned.path, path, column, ...place }
      from = step + 1
    }
  }
}
