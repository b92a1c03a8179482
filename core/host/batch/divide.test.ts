import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { noFormats } from '../files/own-formats.ts'
import { divideFile } from './divide.ts'
import { type Database, openDatabase, quoted } from './duckdb.ts'
import { foldersOf } from './folders.ts'
import { LAYOUT, type Plan } from './plan-schema.ts'

const folder = mkdtempSync(join(tmpdir(), 'turnscope-divide-test-'))
afterAll(() => rmSync(folder, { recursive: true }))

const GROUP = 2048
const ROWS = 3 * GROUP

/** Rows of three groups; the statements that `fails` chooses leave half a file behind and fail, as a damaged source makes them. */
async function divided(name: string, fails: (sql: string) => boolean) {
  const real = await openDatabase({ threads: 1, memoryMb: 200, scratch: join(folder, 'scratch') })
  const path = join(folder, `${name}.parquet`)
  await real.run(
    `COPY (SELECT 's' || (i % 7) AS session, i // 7 AS turn, 'text ' || i AS message FROM range(${ROWS}) t(i))
     TO ${quoted(path)} (FORMAT parquet, ROW_GROUP_SIZE ${GROUP})`,
  )
  const broken: Database = {
    ...real,
    run: async (sql) => {
      if (!fails(sql)) return real.run(sql)
      const [, target = ''] = /\) TO '([^']+)'/u.exec(sql) ?? []
      mkdirSync(join(target, 'part=0'), { recursive: true })
      writeFileSync(join(target, 'part=0', 'data_0.parquet'), 'PAR1')
      throw new Error('a page cannot be read')
    },
  }
  const plan: Plan = {
    ...{
      engine: '',
      duckdb: '',
      layout: LAYOUT,
      config: '',
      against: null,
      order: 'HUGEINT',
      parts: 2,
    },
    files: [
      {
        ...{ path, size: 1, changed: 0, kind: 'parquet' },
        columns: { session: 'session', turn: 'turn', message: 'message', kind: null },
      },
    ],
  }
  const folders = foldersOf(join(folder, name))
  await divideFile(broken, 0, { folders, plan, formats: noFormats })
  const rows = await real.rows(
    `SELECT count(*) FILTER (reason IS NULL)::INTEGER, count(DISTINCT row) FILTER (reason IS NULL)::INTEGER,
       count(*) FILTER (reason IS NOT NULL)::INTEGER FROM read_parquet(${quoted(folders.allRows)})`,
  )
  real.close()
  return rows[0]
}

test('[F116] what was written before a damaged row group was met is not read as rows', async () => {
  const fails = (sql: string) => sql.includes(`/all'`) || sql.includes(`/group-1'`)
  expect(await divided('group', fails)).toEqual([ROWS - GROUP, ROWS - GROUP, 1])
})
