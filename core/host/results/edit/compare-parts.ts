import { basename, join } from 'node:path'
import type { DuckDBAppender } from '@duckdb/node-api'
import { keptIn } from '../../../engine/maps.ts'
import type { EditFlip } from '../../../engine/rows/edit-fold.ts'
import { FLIP_COLUMNS } from '../../batch/part-tables.ts'
import type { Results } from '../results.ts'
import { placedTurns } from './placed-turns.ts'
import type { EditRunner } from './runner.ts'
import type { EditTask, FoundNumbers } from './work.ts'

const COLUMNS =
  'part INTEGER, place INTEGER, fields VARCHAR, cause VARCHAR, since INTEGER, primary_was VARCHAR, primary_is VARCHAR, secondary_was VARCHAR, secondary_is VARCHAR'

interface Options {
  readonly signal: AbortSignal
  readonly onProgress: (stage: 'comparing', done: number, total: number) => void
}

/**
 * Folds all parts, and stores the flips in the table that the results query. Returns their number.
 * @param isFound the table `found` has matches
 */
export async function compareParts(
  results: Results,
  { runner, isFound }: { readonly runner: EditRunner; readonly isFound: boolean },
  { onProgress, signal }: Options,
): Promise<number> {
  const { files } = results
  const { database, ask } = results.editor
  await database.run(`CREATE OR REPLACE TABLE raw (${COLUMNS})`)
  const appender = await database.connection.createAppender('raw')
  const flipped = new Set<number>()
  let turns = 0
  try {
    onProgress('comparing', 0, files.manifest.turns)
    await runner.all(folds(results, isFound), (answer) => {
      if (answer.kind !== 'folded') return
      if (answer.flips.length > 0) flipped.add(answer.part)
      for (const flip of answer.flips) appendFlip(appender, answer.part, flip)
      turns += answer.turns
      onProgress('comparing', turns, files.manifest.turns)
    })
  } finally {
    appender.closeSync()
  }
  const touched = files.turns.filter((file) => flipped.has(partOf(file)))
  await placeFlips(results.editor, touched, signal)
  const [[total] = []] = await ask('SELECT count(*)::DOUBLE FROM edited')
  return Number(total)
}

function partOf(file: string): number {
  return Number(/part-(\d{5})/u.exec(basename(file))?.[1])
}

async function* folds(
  { files: { folder, turns }, editor }: Results,
  isFound: boolean,
): AsyncGenerator<EditTask, void, undefined> {
  const found = isFound ? await foundByPart(editor) : NOTHING
  for (const file of turns) {
    const path = join(folder, 'matches', basename(file).replace('.parquet', '.bin'))
    const part = partOf(file)
    yield { kind: 'fold', part, path, found: found.get(part) ?? NONE }
  }
}

const NONE: FoundNumbers = { places: new Uint32Array(0), signals: new Uint32Array(0) }
const NOTHING: ReadonlyMap<number, FoundNumbers> = new Map()

/** Matches of all parts, in one query: a query per part would scan all of them each time. */
async function foundByPart({
  database,
}: Results['editor']): Promise<ReadonlyMap<number, FoundNumbers>> {
  const lists = new Map<number, { readonly places: number[]; readonly signals: number[] }>()
  const rows = await database.connection.stream('SELECT part, place, signal FROM found')
  for (;;) {
    const chunk = await rows.fetchChunk()
    if (chunk === null || chunk.rowCount === 0) break
    const [parts = [], places = [], signals = []] = chunk.getColumns()
    for (const [at, part] of parts.entries()) {
      const list = keptIn(lists, Number(part), () => ({ places: [], signals: [] }))
      list.places.push(Number(places[at]))
      list.signals.push(Number(signals[at]))
    }
  }
  const packed = ([part, { places, signals }]: readonly [number, FoundNumbers]) =>
    [part, { places: Uint32Array.from(places), signals: Uint32Array.from(signals) }] as const
  return new Map([...lists].map(packed))
}

function appendFlip(
  appender: DuckDBAppender,
  part: number,
  { at, fields, cause, since, primary, secondary }: EditFlip,
): void {
  appender.appendInteger(part)
  appender.appendInteger(at)
  // A list would take longer than all other cells together.
  appender.appendVarchar(fields.join())
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
  const columns = FLIP_COLUMNS.map(({ name, type }) =>
    type === 'VARCHAR[]' ? `string_split("${name}", ',')` : `"${name}"`,
  ).join(', ')
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
