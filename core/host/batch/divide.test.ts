import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { noFormats } from '../transcripts/own-formats.ts'
import { divideFile } from './divide.ts'
import { largestFirst, measureParts, rowsOf } from './run.ts'
import { type Database, openDatabase, quoted } from './duckdb.ts'
import { foldersOf } from './folders.ts'
import { LAYOUT, type Plan } from './plan-schema.ts'
import { sharesOf } from './write-parts.ts'

const folder = mkdtempSync(join(tmpdir(), 'turnscope-divide-test-'))
afterAll(() => rmSync(folder, { recursive: true }))

const GROUP = 2048
const ROWS = 3 * GROUP

const COLUMNS = { session: 'session', turn: 'turn', message: 'message', kind: null } as const

const planOf = (file: Plan['files'][number]): Plan => ({
  engine: '',
  duckdb: '',
  layout: LAYOUT,
  config: '',
  against: null,
  order: 'HUGEINT',
  parts: 2,
  files: [file],
})

/** Options common to all calls. */
const HOW = { formats: noFormats, signal: new AbortController().signal } as const

const openTest = () => openDatabase({ threads: 2, memoryMb: 200, scratch: join(folder, 'scratch') })

/** Rows of three groups; the statements that `fails` chooses leave half a file behind and fail, as a damaged source makes them. */
async function divided(name: string, fails: (sql: string) => boolean) {
  const real = await openTest()
  const path = join(folder, `${name}.parquet`)
  await real.run(
    `COPY (SELECT 's' || (i % 7) AS session, i // 7 AS turn, 'text ' || i AS message FROM range(${ROWS}) t(i))
     TO ${quoted(path)} (FORMAT parquet, ROW_GROUP_SIZE ${GROUP})`,
  )
  const broken: Database = {
    ...real,
    rows: async (sql) => {
      if (!fails(sql)) return real.rows(sql)
      const [, target = ''] = /\)\s+TO '([^']+)'/u.exec(sql) ?? []
      mkdirSync(join(target, 'part=0'), { recursive: true })
      writeFileSync(join(target, 'part=0', 'data_0.parquet'), 'PAR1')
      throw new Error('a page cannot be read')
    },
  }
  const plan = planOf({ path, size: 1, changed: 0, kind: 'parquet', columns: COLUMNS })
  const folders = foldersOf(join(folder, name))
  await divideFile(broken, 0, {
    folders,
    plan,
    threads: 1,
    ...HOW,
  })
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

/** Lines of which some are blank, and some are no JSON, as a file that is large enough for several statements. */
function linesFile(name: string): Plan['files'][number] {
  const path = join(folder, name)
  const lines = Array.from({ length: ROWS + 5 }, (_, at) => {
    if (at % 1000 === 7) return ''
    if (at % 1000 === 8) return '   '
    if (at % 1000 === 9) return '{"session": "s1", "turn": 3'
    if (at % 1000 === 10) return '  [1]'
    return JSON.stringify({ session: `s${at % 5}`, turn: at, message: `text ${at}` })
  })
  writeFileSync(path, lines.join('\n'))
  return { path, size: 64 * 1024 * 1024, changed: 0, kind: 'lines', columns: COLUMNS }
}

test('[F116] lines that several statements divide are those that one divides', async () => {
  const file = linesFile('lines.jsonl')
  const found = []
  for (const threads of [1, 2, 3]) {
    const database = await openTest()
    const folders = foldersOf(join(folder, `lines-${threads}`))
    await divideFile(database, 0, {
      folders,
      plan: planOf(file),
      threads,
      ...HOW,
    })
    const files = await database.rows(
      `SELECT count(DISTINCT filename)::INTEGER FROM read_parquet(${quoted(folders.allRows)}, filename = true)`,
    )
    const rows = await database.rows(
      `SELECT row::INTEGER, session, place::INTEGER, message, reason, part::INTEGER
       FROM read_parquet(${quoted(folders.allRows)}, hive_partitioning = true) ORDER BY row`,
    )
    database.close()
    expect(Number(files[0]?.[0])).toBeGreaterThan(3 * (threads - 1))
    found.push(rows)
  }
  const [one, two, three] = found
  expect(two).toEqual(one)
  expect(three).toEqual(one)
  // Seven of each thousand: blank lines are no rows, broken ones are rows with a reason.
  expect(one).toHaveLength(ROWS + 5 - 14)
  expect(one?.filter(([, , , , reason]) => reason === 'not JSON')).toHaveLength(7)
  expect(one?.filter(([, , , , reason]) => reason === 'no session')).toHaveLength(7)
  expect(one?.slice(0, 2).map((row) => row.slice(0, 5))).toEqual([
    [0, 's0', 0, 'text 0', null],
    [1, 's1', 1, 'text 1', null],
  ])
})

test('[F116] lines that are packed, and files that are small, are read once', () => {
  const large = linesFile('large.jsonl')
  expect(sharesOf(large, 8)).toBe(3)
  expect(sharesOf({ ...large, path: `${large.path}.gz` }, 8)).toBe(1)
  expect(sharesOf({ ...large, size: large.size - 1 }, 8)).toBe(1)
  expect(sharesOf(large, 1)).toBe(1)
})

test('[F116] rows and bytes of parts are known without reading them', async () => {
  const database = await openTest()
  const folders = foldersOf(join(folder, 'measured'))
  const plan = planOf(linesFile('measured.jsonl'))
  expect(await measureParts(folders)).toEqual({ rows: 0, bytes: new Map() })
  await divideFile(database, 0, {
    folders,
    plan,
    threads: 2,
    ...HOW,
  })
  const sizes = await database.rows(
    `SELECT CASE WHEN filename LIKE '%part=0%' THEN 0 WHEN filename LIKE '%part=1%' THEN 1 ELSE -1 END, sum(size)::INTEGER
     FROM read_blob(${quoted(folders.allRows)}) GROUP BY ALL ORDER BY 1`,
  )
  database.close()
  const { rows, bytes } = await measureParts(folders)
  expect(rows).toBe(ROWS + 5 - 14)
  expect(bytes.get(0)).toBeGreaterThan(1000)
  // Unusable rows have a folder too, but it is not a part.
  expect([...bytes].toSorted(([a], [b]) => a - b)).toEqual(sizes.slice(1))
})

test('[F116] the largest parts come first, and only rows of what is left are counted', () => {
  const all = {
    rows: 1000,
    bytes: new Map([
      [0, 100],
      [1, 300],
      [3, 600],
    ]),
  }
  expect(largestFirst([0, 1, 2, 3], all)).toEqual([3, 1, 0, 2])
  expect([[0, 1, 2, 3], [1, 2], []].map((parts) => rowsOf(parts, all))).toEqual([1000, 300, 0])
  expect(rowsOf([0], { rows: 0, bytes: new Map() })).toBe(0)
})

test('[F116] of several statements one that fails ends the others', async () => {
  const real = await openTest()
  const ended: string[] = []
  const broken: Database = {
    ...real,
    sibling: async () => {
      const other = await real.sibling()
      const slow = 'SELECT sum(a.i * b.i) FROM range(10000000) a(i), range(10000000) b(i)'
      const rows = async () => {
        await other.run(slow).catch((error: unknown) => {
          ended.push(String(error))
          throw error
        })
        return []
      }
      return { ...other, rows }
    },
    rows: () => Promise.reject(new Error('no space left')),
  }
  const file = linesFile('failing.jsonl')
  const folders = foldersOf(join(folder, 'failing'))
  const divided = divideFile(broken, 0, {
    folders,
    plan: planOf(file),
    threads: 2,
    ...HOW,
  })
  await expect(divided).rejects.toThrow('no space left')
  expect(ended.join()).toMatch(/interrupt/iu)
  real.close()
})
