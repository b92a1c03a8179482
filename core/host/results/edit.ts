import { basename, join } from 'node:path'
import type { DuckDBAppender } from '@duckdb/node-api'
import { type EditFlip, createEditFold } from '../../engine/rows/edit-fold.ts'
import type { FoundInPart } from '../../engine/rows/edit-session.ts'
import { type Lacking, lackingSignals } from '../../engine/rows/edit-slots.ts'
import { readMatches } from '../../engine/rows/match-bytes.ts'
import { addTo } from '../../engine/maps.ts'
import { type Result, counted, err } from '../../engine/result.ts'
import { type Database, quoted } from '../batch/duckdb.ts'
import { storedPipeline } from '../batch/stored-config.ts'
import { foldersOf } from '../batch/folders.ts'
import { packageVersion } from '../../version.ts'
import type { FormatsOf } from '../files/own-formats.ts'
import { LONG_TEXT_BYTES, readBytes } from '../files/regular-file.ts'
import type { Compiled } from '../shared/pipelines.ts'
import { refusal, valueOrRefuse } from '../shared/refusal.ts'
import { FLIP_COLUMNS } from '../batch/part-tables.ts'
import type { Results } from './results.ts'
import { scanSources } from './scan-sources.ts'
import { createTextScanner } from './text-scanner.ts'

interface EditOptions {
  /** Where relative paths of sources start. */
  readonly base: string
  readonly formats: FormatsOf
  readonly signal: AbortSignal
  readonly onProgress: (stage: 'finding' | 'comparing', done: number, total: number) => void
}

/** What became of an edit; its flips stand in the table `edited`. */
export interface Edited {
  readonly edit: number
  readonly total: number
  /** Signals whose matches had to be looked for. */
  readonly scanned: number
  readonly elapsedMs: number
  readonly warnings: readonly string[]
}

/**
 * [F146] What `side` decides otherwise than the batch did, over all of its turns. Matches are stored, so that texts are
 * read only for signals that match like none of the batch; then only for these.
 */
export function editResults(
  results: Results,
  side: Compiled,
  options: EditOptions,
): Promise<Edited> {
  // Edits of two windows work with the same tables.
  return results.editor.inTurn(() => edit(results, side, options))
}

async function edit(results: Results, side: Compiled, options: EditOptions): Promise<Edited> {
  const began = performance.now()
  const { folder } = results.files
  const base = valueOrRefuse(await storedPipeline(foldersOf(folder)))
  refuseOtherKinds(base, side, folder)
  const lacking = lackingSignals(base.pipeline, side.pipeline)
  const warnings = await findLacking(results, side, lacking, options)
  const raw = await compareParts(results, { base, side, lacking }, options)
  results.has.edit += 1
  await results.editor.database.run('DROP TABLE IF EXISTS found')
  return {
    ...{ edit: results.has.edit, total: raw, scanned: lacking.numbers.length, warnings },
    elapsedMs: performance.now() - began,
  }
}

function refuseOtherKinds(base: Compiled, side: Compiled, where: string): void {
  const kinds = ({ classify: { user, agent, tool } }: Compiled) => [user, agent, tool].join()
  if (kinds(base) === kinds(side)) return
  throw refusal({
    what: 'this side classifies other kinds of texts than the batch: its turns are others',
    where,
    do: 'Run the batch again with it, or choose a preset that classifies the same kinds',
  })
}

const PART_OF = `regexp_extract(filename, 'part-(\\d{5})', 1)::INTEGER`

/** The turns of these parts with their place: part, and number among its turns. */
function placedTurns(files: readonly string[]): string {
  return `(SELECT ${PART_OF} AS part, file_row_number AS place, file, row, session, turn
    FROM read_parquet([${files.map(quoted).join(', ')}], filename = true, file_row_number = true))`
}

/** Matches of the lacking signals, as the table `found` (part, place, signal). Answers what should be known of them. */
async function findLacking(
  results: Results,
  { pipeline, classify }: Compiled,
  { numbers }: Lacking,
  { onProgress, ...options }: EditOptions,
): Promise<readonly string[]> {
  const { files } = results
  const { database, ask } = results.editor
  await database.run('CREATE OR REPLACE TABLE found (part INTEGER, place INTEGER, signal INTEGER)')
  if (numbers.length === 0) return []
  const signals = numbers.flatMap((number) => pipeline.signals[number] ?? [])
  const scanner = createTextScanner(signals, pipeline.preset.belief)
  await scanSources(results, {
    ...{ ...options, scanner, classify, scratch: results.scratch },
    onBytes: (done, total) => onProgress('finding', done, total),
  })
  const turns = placedTurns(files.turns)
  const joined = (where: string) =>
    `SELECT part, place::INTEGER, signal FROM hits JOIN ${turns} AS turns ON hits.file = turns.file AND ${where}`
  await ask(
    `INSERT INTO found SELECT * FROM (
       ${joined('hits.session IS NULL AND hits.row = turns.row')} UNION ALL
       ${joined('hits.session = turns.session AND hits.turn = turns.turn')}) ORDER BY ALL`,
    [],
    options.signal,
  )
  await database.run('DROP TABLE hits')
  return scanner.cut.size === 0
    ? []
    : [
        `${counted(scanner.cut.size, 'pattern')} took too long and count as not matched from there on: ${[
          ...scanner.cut,
        ]
          .map((at) => signals[at]?.pattern ?? '')
          .join(', ')}`,
      ]
}

interface Compared {
  readonly base: Compiled
  readonly side: Compiled
  readonly lacking: Lacking
}

const COLUMNS =
  'part INTEGER, place INTEGER, fields VARCHAR[], cause VARCHAR, since INTEGER, primary_was VARCHAR, primary_is VARCHAR, secondary_was VARCHAR, secondary_is VARCHAR'

/** Folds part after part, and puts the flips where the results ask for them. Answers how many there are. */
async function compareParts(
  results: Results,
  { base, side, lacking }: Compared,
  { onProgress, signal }: EditOptions,
): Promise<number> {
  const { files } = results
  const { database, ask } = results.editor
  const hasStates = files.manifest.plan.engine === packageVersion()
  const fold = createEditFold(base.pipeline, side.pipeline, { lacking, hasStates })
  const signals = base.pipeline.signals.length
  await database.run(`CREATE OR REPLACE TABLE raw (${COLUMNS})`)
  const appender = await database.connection.createAppender('raw')
  const flipped = new Set<string>()
  let turns = 0
  try {
    for await (const { file, path, bytes } of storedParts(files)) {
      signal.throwIfAborted()
      onProgress('comparing', turns, files.manifest.turns)
      const part = Number(/part-(\d{5})/u.exec(basename(file))?.[1])
      const stored = valueOrRefuse(damagedMatches(readMatches(bytes, signals), path))
      const found = lacking.numbers.length === 0 ? NOTHING : await foundIn(ask, part)
      const done = fold.part(stored, found, (flip) => {
        flipped.add(file)
        appendFlip(appender, part, flip, database)
      })
      valueOrRefuse(damagedMatches(done, path))
      turns += stored.turns
    }
  } finally {
    appender.closeSync()
  }
  await placeFlips(results.editor, [...flipped], signal)
  const [[total] = []] = await ask('SELECT count(*)::DOUBLE FROM edited')
  return Number(total)
}

/** The stored matches of all parts, of which the next ones are read while some are folded. */
async function* storedParts({ folder, turns }: Results['files']) {
  const read = (file: string | undefined) => {
    if (file === undefined) return null
    const path = join(folder, 'matches', basename(file).replace('.parquet', '.bin'))
    const bytes = readBytes(path, LONG_TEXT_BYTES)
    // Whoever waits for it is told; where folding failed, nobody does.
    bytes.catch(() => undefined)
    return { file, path, bytes }
  }
  let next = read(turns[0])
  for (let at = 1; next !== null; at += 1) {
    const now = { ...next, bytes: await next.bytes }
    next = read(turns[at])
    yield now
  }
}

/** The same with the words for a file that does not say what a batch of this version writes. */
function damagedMatches<T>(read: Result<T, string>, where: string): Result<T> {
  if (read.ok) return read
  return err({ what: `stored matches: ${read.error}`, where, do: 'Run the batch again' })
}

const NOTHING: FoundInPart = new Map()

async function foundIn(ask: Results['ask'], part: number): Promise<FoundInPart> {
  const rows = await ask(
    `SELECT place, signal FROM found WHERE part = ${part} ORDER BY place, signal`,
  )
  const found = new Map<number, number[]>()
  for (const [at, signal] of rows) addTo(found, Number(at), Number(signal))
  return found
}

function appendFlip(
  appender: DuckDBAppender,
  part: number,
  { at, fields, cause, since, primary, secondary }: EditFlip,
  { textList }: Database,
): void {
  appender.appendInteger(part)
  appender.appendInteger(at)
  appender.appendList([...fields], textList)
  appender.appendVarchar(cause)
  appender.appendInteger(since + 1)
  for (const name of [...primary, ...secondary])
    if (name === null) appender.appendNull()
    else appender.appendVarchar(name)
  appender.endRow()
}

/** File, row, session and turn of each flip, from the turns of the parts that have some. */
async function placeFlips(
  { ask, database }: Results['editor'],
  files: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const columns = FLIP_COLUMNS.map(({ name }) => `"${name}"`).join(', ')
  const from = files.length === 0 ? null : placedTurns(files)
  await ask('DELETE FROM edited')
  if (from !== null)
    await ask(
      `INSERT INTO edited SELECT ${columns} FROM raw JOIN ${from} AS turns USING (part, place) ORDER BY part, place`,
      [],
      signal,
    )
  await database.run('DROP TABLE raw')
}
