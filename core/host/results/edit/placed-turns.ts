import { quoted } from '../../batch/duckdb.ts'

const PART_OF = `regexp_extract(filename, 'part-(\\d{5})', 1)::INTEGER`

/** Turns of these files of a result with their place: part, and number among its turns. */
export function placedTurns(files: readonly string[]): string {
  return `(SELECT ${PART_OF} AS part, file_row_number AS place, file, row, session, turn
    FROM read_parquet([${files.map(quoted).join(', ')}], filename = true, file_row_number = true))`
}
