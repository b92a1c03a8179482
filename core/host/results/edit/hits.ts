import { type Database, quoted } from '../../batch/duckdb.ts'
import type { Placed } from './placed-texts.ts'
import type { TextScanner } from './text-scanner.ts'

/** The table `hits`: where signals matched, by row of a table, or by session and turn of a transcript. */
export interface Hits {
  /** Looks for the signals in texts of a source. */
  readonly look: (file: string, portion: readonly Placed[]) => void
  readonly add: (file: string, place: Omit<Placed, 'text'>, signal: number) => void
  /** Takes away what was found in a source, which is looked through anew. */
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
