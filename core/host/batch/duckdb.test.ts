import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { databaseFailure, openDatabase, quoted } from './duckdb.ts'
import { lineTable } from './tables.ts'

test('lines that end in different ways say so, and what to do', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'turnscope-duckdb-test-'))
  const path = join(folder, 'mixed.jsonl')
  writeFileSync(path, '{"text":"one"}\n{"text":"two"}\r\n{"text":"three"}\n')
  const database = await openDatabase({ threads: 1, memoryMb: 200, scratch: folder })
  const read = database.rows(`SELECT count(*) FROM ${lineTable(path)}`)
  const failure = databaseFailure(await read.catch((error: unknown) => error), path)
  database.close()
  rmSync(folder, { recursive: true })
  expect(failure.what).toBe('lines of this file end in different ways, or hold a carriage return')
  expect(failure.do).toContain(String.raw`sed -i 's/\r//g'`)
})

test('a line that is too long for a table says so, and where it stands', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'turnscope-duckdb-test-'))
  const path = join(folder, 'long.csv')
  writeFileSync(path, `short\n${'x'.repeat(5000)}\n`)
  const database = await openDatabase({ threads: 1, memoryMb: 200, scratch: folder })
  const read = database.rows(
    `SELECT count(*) FROM read_csv(${quoted(path)}, columns = {'text': 'VARCHAR'}, header = false, auto_detect = false, max_line_size = 1000)`,
  )
  const failure = databaseFailure(await read.catch((error: unknown) => error), path)
  database.close()
  rmSync(folder, { recursive: true })
  expect(failure.message).toContain('Line: 2')
  expect(failure.do).toBe('That line is longer than 16 MB: shorten it, or take it out of the file')
})
