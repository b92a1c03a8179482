import { appendFileSync, rmSync, statSync, utimesSync } from 'node:fs'
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { FileRefused } from '../platform/files/file-refused.ts'
import { copyOf } from './sqlite-copy.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'turnscope-copied-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** An open database with two tables that a transaction always changes together. */
async function makeStore(mode: 'wal' | 'delete') {
  const own = await mkdtemp(join(folder, 'case-'))
  const path = join(own, 'store.db')
  const writer = new DatabaseSync(path)
  writer.exec(`PRAGMA journal_mode = ${mode}; PRAGMA wal_autocheckpoint = 0; PRAGMA cache_size = 5;
    CREATE TABLE a (n integer, filling text); CREATE TABLE b (n integer);
    WITH RECURSIVE s(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s LIMIT 200)
    INSERT INTO a SELECT 1, hex(zeroblob(1000)) FROM s;
    INSERT INTO b VALUES (1);`)
  onTestFinished(() => writer.close())
  const to = await mkdtemp(join(own, 'copy-'))
  return { path, writer, to }
}

const CHANGE = 'BEGIN; UPDATE a SET n = n + 1; UPDATE b SET n = n + 1; COMMIT;'

/** The least and most number in both tables of a copy; one number when it is of one moment. */
function numbersIn(copy: string): readonly unknown[] {
  const reader = new DatabaseSync(copy)
  const all = reader
    .prepare('SELECT DISTINCT n FROM (SELECT n FROM a UNION ALL SELECT n FROM b)')
    .all()
  const check = reader.prepare('PRAGMA integrity_check').get()
  reader.close()
  return [...all.map(({ n }) => n), Object.values(check ?? {})[0]]
}

test.each(['wal', 'delete'] as const)(
  '[I205] a database that is written while it is copied (%s) is copied again',
  async (mode) => {
    const { path, writer, to } = await makeStore(mode)
    let copies = 0
    const copy = await copyOf(path, to, async (from, target) => {
      await copyFile(from, target)
      copies += 1
      if (copies > 1) return
      // All is moved into the database, after its old state was copied, and the log begins anew.
      writer.exec(`${CHANGE} PRAGMA wal_checkpoint(TRUNCATE); ${CHANGE}`)
    })
    expect(copies).toBeGreaterThan(1)
    expect(numbersIn(copy)).toEqual([3, 'ok'])
  },
)

test('[I205] a log that begins anew with the same size is seen', async () => {
  const { path, writer, to } = await makeStore('wal')
  writer.exec(`${CHANGE} PRAGMA wal_checkpoint(PASSIVE);`)
  const before = statSync(`${path}-wal`).size
  let copies = 0
  const copy = await copyOf(path, to, async (from, target) => {
    await copyFile(from, target)
    copies += 1
    if (copies === 1) writer.exec(CHANGE)
  })
  expect(statSync(`${path}-wal`).size).toBe(before)
  expect(copies).toBe(4)
  expect(numbersIn(copy)).toEqual([3, 'ok'])
})

test('[I205] a log that grows meanwhile is used up to its last transaction', async () => {
  const { path, writer, to } = await makeStore('wal')
  let copies = 0
  const copy = await copyOf(path, to, async (from, target) => {
    copies += 1
    if (copies === 2) writer.exec(CHANGE)
    await copyFile(from, target)
  })
  expect(copies).toBe(2)
  expect(numbersIn(copy)).toEqual([2, 'ok'])
})

test('[I205] an unfinished transaction that is partly in the database is undone in the copy', async () => {
  const { path, writer, to } = await makeStore('delete')
  writer.exec('BEGIN; UPDATE a SET n = n + 1;')
  expect(statSync(`${path}-journal`).size).toBeGreaterThan(0)
  const copy = await copyOf(path, to)
  expect(numbersIn(copy)).toEqual([1, 'ok'])
  writer.exec('ROLLBACK')
})

test('[I205] one that changes each time is refused', async () => {
  const { path, to } = await makeStore('delete')
  let copies = 0
  const refused = copyOf(path, to, async (from, target) => {
    await copyFile(from, target)
    copies += 1
    utimesSync(path, copies, copies)
  })
  await expect(refused).rejects.toThrow('changed each time while it was copied')
  expect(copies).toBe(3)
})

test('[I205] a log that vanishes while it is copied is no error', async () => {
  const path = join(folder, 'plain.db')
  await writeFile(path, 'SQLite format 3\0')
  await writeFile(`${path}-wal`, 'a log')
  const tried: string[] = []
  const copy = await copyOf(path, await mkdtemp(join(folder, 'copy-')), async (from, target) => {
    tried.push(from.slice(path.length))
    if (from !== path) rmSync(from, { force: true })
    await copyFile(from, target)
  })
  expect(tried).toEqual(['', '-wal', ''])
  appendFileSync(copy, 'ours to write')
  expect(statSync(path).size).toBe(16)
})

test.each(['ENOSPC', 'EDQUOT'])(
  '[I205] a full disk (%s) is named, with what to do',
  async (code) => {
    const { path, to } = await makeStore('delete')
    const refused = copyOf(path, to, () =>
      Promise.reject(Object.assign(new Error('no space'), { code })),
    )
    const error: unknown = await refused.catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(FileRefused)
    expect(error).toMatchObject({
      message: 'no room in the temporary folder for a copy of 1 MB',
      advice: expect.stringContaining('TMPDIR') as string,
    })
  },
)
