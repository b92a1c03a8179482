import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openDatabase } from '../../batch/duckdb.ts'
import { createHits } from './scan-sources.ts'

test('[F134] what was found in a source is forgotten before it is looked through anew, and nothing else is', async () => {
  const scratch = mkdtempSync(join(tmpdir(), 'turnscope-hits-'))
  const database = await openDatabase({ threads: 1, memoryMb: 100, scratch })
  try {
    const hits = await createHits(database, { scan: () => new Map([[7, [0]]]) } as never)
    const placed = [{ text: 'a', row: 3, session: null, turn: 0 }]
    hits.look("it's.gz", placed)
    hits.look('b.gz', placed)
    await hits.forget("it's.gz")
    hits.look("it's.gz", [{ text: 'a', row: 4, session: null, turn: 0 }])
    hits.close()
    const rows = await database.rows('SELECT file, row::INTEGER, signal FROM hits ORDER BY file')
    expect(rows).toEqual([
      ['b.gz', 3, 7],
      ["it's.gz", 4, 7],
    ])
  } finally {
    database.close()
    rmSync(scratch, { recursive: true })
  }
})
