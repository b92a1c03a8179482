import { rm } from '../../platform/files/fenced-fs.ts'
import { join } from 'node:path'
import { lineLiterals, textNeeds } from '../../../engine/rows/line-literals.ts'
import type { CompiledSignal } from '../../../engine/matcher/signal.ts'
import type { BeliefOptions, ClassifyKinds } from '../../../engine/schema/preset.ts'
import { databaseFailure } from '../../batch/duckdb.ts'
import { copyPlain, isUnreadable } from '../../batch/plain-lines.ts'
import type { FormatsOf } from '../../transcripts/own-formats.ts'
import type { Results } from '../results.ts'
import { findSource, type SourceFile } from '../source-file.ts'
import { createHits } from './hits.ts'
import { createOddLines } from './lines/odd-lines.ts'
import { placedLines, stretchesOf } from './lines/placed-lines.ts'
import { tableTexts, transcriptTexts } from './placed-texts.ts'
import type { EditRunner } from './runner.ts'
import type { TextScanner } from './text-scanner.ts'

interface ScanOptions {
  readonly signals: readonly CompiledSignal[]
  /** How their side reads texts. */
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
 * [F146] Looks for signals in the texts of all sources; what is found stands in the table `hits`, by row or by turn.
 * [F132] First in the files of lines of which it is known where lines begin: by threads, and most lines are not even
 * parsed.
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
