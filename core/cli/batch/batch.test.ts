import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../host/batch/duckdb.ts'
import { CLI } from '../../../fixtures/built.ts'
import { runCli } from '../../../fixtures/run-cli.ts'
import { runHere } from '../../../fixtures/run-here.ts'

const SESSIONS = fileURLToPath(new URL('../../../fixtures/sessions', import.meta.url))
const root = mkdtempSync(join(tmpdir(), 'turnscope-batch-test-'))
const at = (...names: readonly string[]) => join(root, ...names)

const TEXTS = [
  'fix the bug in the parser',
  'ok',
  'Write unit tests',
  'Plan the release',
  'it’s “late” 😀',
]
const KINDS = ['user', 'assistant', 'tool', 'Human', null]

/** Rows of ten sessions, mixed. A call of a tool says nothing. */
const rows = Array.from({ length: 300 }, (_, row) => ({
  chat_id: `s${row % 10}`,
  idx: Math.floor(row / 10) * 2,
  text: row % 7 === 3 ? null : (TEXTS[(row * 7) % TEXTS.length] ?? ''),
  role: KINDS[row % 4] ?? null,
}))
const jsonLines = (all: readonly unknown[]) => all.map((row) => `${JSON.stringify(row)}\n`).join('')

async function query(sql: string): Promise<readonly unknown[]> {
  const database = await openDatabase({ threads: 1, memoryMb: 300, scratch: at('scratch') })
  try {
    return (await database.connection.runAndReadAll(sql)).getRowObjectsJson()
  } finally {
    database.close()
  }
}

/** Every file of a folder with its hash. */
const hashes = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
    .map((path) => [
      path.slice(folder.length),
      createHash('sha256').update(readFileSync(path)).digest('hex'),
    ])

const DECISION = '"primary", secondary, confidence, signature, momentum, event, fired'
const inOrder = (folder: string) =>
  query(
    `SELECT session, ${DECISION} FROM read_parquet('${folder}/turns/*.parquet') ORDER BY session, turn`,
  )

const made = new Map<string, ReturnType<typeof runCli>>()

/** The folder of the results of an input that several tests ask, made once. */
async function resultsOf(name: string): Promise<string> {
  const out = at(`out-${name}`)
  const run = made.get(name) ?? runCli(['batch', at(name), '--out', out])
  made.set(name, run)
  expect(await run).toMatchObject({ code: 0 })
  return out
}

let pipedOnce: Promise<readonly unknown[]> | null = null

/** Answers of `pipe` for the same rows, in the same order and in the columns of a batch. Requested once. */
const piped = (): Promise<readonly unknown[]> => (pipedOnce ??= askPipe())

async function askPipe(): Promise<readonly unknown[]> {
  const kinds: Readonly<Record<string, string>> = {
    assistant: 'agent',
    tool: 'tool_result',
    Human: 'user',
  }
  const input = rows.map(({ chat_id: session, idx: turn, text, role }) => ({
    session,
    turn,
    message: text ?? '',
    kind: kinds[role ?? ''] ?? role,
  }))
  writeFileSync(at('piped.jsonl'), (await runHere(['pipe'], { input: jsonLines(input) })).out)
  return query(
    `SELECT session, ${DECISION} FROM read_json('${at('piped.jsonl')}', columns = {session: 'VARCHAR', turn: 'BIGINT',
       "primary": 'VARCHAR', secondary: 'VARCHAR', confidence: 'DOUBLE', signature: 'VARCHAR', momentum: 'INTEGER',
       event: 'VARCHAR', fired: 'VARCHAR[]'}) WHERE event IS NOT NULL ORDER BY session, turn`,
  )
}

beforeAll(async () => {
  writeFileSync(at('rows.jsonl'), jsonLines(rows))
  await query(
    `COPY (SELECT * FROM read_json('${at('rows.jsonl')}')) TO '${at('rows.parquet')}' (ROW_GROUP_SIZE 2048)`,
  )
  await query(`COPY (SELECT * FROM read_json('${at('rows.jsonl')}')) TO '${at('rows.csv')}'`)
})

describe('[F116] a batch', () => {
  test.each(['rows.jsonl', 'rows.parquet', 'rows.csv'])(
    '[F114] [F117] of %s decides as pipe does',
    async (name) => {
      const out = await resultsOf(name)
      expect((await made.get(name))?.err).toContain('turns of 300 rows in 10 sessions')
      expect(await inOrder(out)).toEqual(await piped())
      expect(existsSync(join(out, '.work'))).toBe(false)
      // The same again: nothing is left to do.
      expect((await runHere(['batch', at(name), '--out', out])).code).toBe(0)
      const other = await runHere(['batch', at(name), '--out', out, '--preset', 'literal'])
      expect(other).toMatchObject({ code: 2, out: '' })
      expect(other.err).toContain('holds the results of another batch')
    },
  )

  test('[F116] keeps every row of a part that is larger than what is written at a time', async () => {
    const many = 21_000
    const row = (number: number) => ({ session: `s${number % 50}`, turn: number, message: 'ok' })
    writeFileSync(at('many.jsonl'), jsonLines(Array.from({ length: many }, (_, n) => row(n))))
    const ran = await runCli(['batch', at('many.jsonl'), '--out', at('out-many')])
    expect(ran.err).toContain(`${many} turns of ${many} rows in 50 sessions`)
    expect(
      await query(
        `SELECT count(DISTINCT row)::INTEGER AS n FROM read_parquet('${at('out-many')}/turns/*.parquet')`,
      ),
    ).toEqual([{ n: many }])
  })

  test('[F116] results of a program that may have lost rows are not taken for these', async () => {
    const out = at('out-older')
    cpSync(await resultsOf('rows.jsonl'), out, { recursive: true })
    const path = join(out, 'manifest.json')
    writeFileSync(path, readFileSync(path, 'utf8').replace(/"layout": \d+,/u, ''))
    const again = await runHere(['batch', at('rows.jsonl'), '--out', out])
    expect(again.code).toBe(2)
    expect(again.err).toContain('another configuration or version')
  })

  test('[F114] [F117] of transcripts has the turns of replay; flips are those of diff', async () => {
    cpSync(SESSIONS, at('sessions'), {
      recursive: true,
      filter: (path) => !path.includes('labels'),
    })
    const out = at('out-sessions')
    const ran = await runCli(['batch', at('sessions'), '--out', out, '--against', 'literal'])
    // One file has a line that is no JSON, and a last line that is not finished.
    expect(ran.err).toContain('2 rows could not be used')
    const files = readdirSync(at('sessions')).map((name) => at('sessions', name))
    const replayed = await runHere(['replay', ...files, '--json'])
    const [{ turns } = { turns: 0 }] = (await query(
      `SELECT count(*)::INTEGER AS turns FROM read_parquet('${out}/turns/*.parquet')`,
    )) as ReadonlyArray<{ turns: number }>
    expect(turns).toBe(replayed.out.trimEnd().split('\n').length)
    const diff = await runHere([
      'diff',
      '--base',
      'recommended',
      '--head',
      'literal',
      ...files,
      '--json',
      '--no-probe',
    ])
    const flips = diff.out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ type }) => type === 'flip')
      .map(({ file, turn, cause }) => ({ file, turn, cause }))
    expect(flips.length).toBeGreaterThan(5)
    const ours = await query(`SELECT file, turn, cause FROM read_parquet('${out}/flips/*.parquet')`)
    const sorted = (all: readonly unknown[]) => all.map((each) => JSON.stringify(each)).toSorted()
    expect(sorted(ours)).toEqual(sorted(flips))
  })

  test('ended by kill -9 and started again, writes the same bytes', async () => {
    // Five files, so that there is something to go on with.
    mkdirSync(at('many'))
    for (let file = 0; file < 5; file += 1)
      writeFileSync(at('many', `${file}.jsonl`), jsonLines(rows.slice(file * 60, file * 60 + 60)))
    const args = (out: string) => ['batch', at('many'), '--out', out, '--against', 'literal']
    await runCli(args(at('whole')))
    const expected = hashes(at('whole'))
    for (const files of [0, 2, 5]) {
      const out = at(`killed-${files}`)
      const child = spawn(process.execPath, [CLI, ...args(out)])
      const divided = join(out, '.work', 'divided')
      const done = () =>
        existsSync(divided) &&
        readdirSync(divided).filter((name) => /^\d+$/u.test(name)).length >= files
      while (!done()) await new Promise((resolve) => setTimeout(resolve, 2))
      child.kill('SIGKILL')
      await once(child, 'close')
      expect((await runCli(args(out))).code).toBe(0)
      expect(hashes(out)).toEqual(expected)
    }
  })

  test('has a place for each row that cannot be used, and goes on', async () => {
    const bad = [
      { chat_id: '', idx: 1, text: 'x', role: 'user' },
      { chat_id: 's1', idx: 'soon', text: 'x', role: 'user' },
      { chat_id: 's1', idx: 9, text: 'x', role: 'king' },
    ]
    writeFileSync(at('bad.jsonl'), `${jsonLines(rows)}\nnonsense\n${jsonLines(bad)}{"chat_id":"s1"`)
    const out = at('out-bad')
    const ran = await runCli(['batch', at('bad.jsonl'), '--out', out])
    expect(ran.code).toBe(2)
    expect(ran.err).toContain('5 rows could not be used')
    const errors = readFileSync(join(out, 'errors.jsonl'), 'utf8').trimEnd().split('\n')
    expect(errors.map((line) => (JSON.parse(line) as { row: number }).row)).toEqual([
      301, 302, 303, 304, 305,
    ])
    for (const [row, words] of ['not JSON', 'no session', '"soon"', '"king"', 'not JSON'].entries())
      expect(errors[row]).toContain(words.replaceAll('"', '\\"'))
    expect(await inOrder(out)).toEqual(await inOrder(await resultsOf('rows.jsonl')))
  })

  test('of CSV goes on behind a line that has too much in it', async () => {
    const [head = '', ...lines] = readFileSync(at('rows.csv'), 'utf8').trimEnd().split('\n')
    writeFileSync(
      at('bad.csv'),
      [head, ...lines.slice(0, 100), 's1,1,2,3,4,5,6,7', ...lines.slice(100), ''].join('\n'),
    )
    const out = at('out-bad-csv')
    const ran = await runCli(['batch', at('bad.csv'), '--out', out])
    expect(ran.code).toBe(2)
    const errors = readFileSync(join(out, 'errors.jsonl'), 'utf8').trimEnd().split('\n')
    expect(errors.length).toBe(1)
    expect(errors[0]).toContain('"row":100,"error":"Expected Number of Columns: 4')
    expect(await inOrder(out)).toEqual(await inOrder(await resultsOf('rows.csv')))
  })

  const disk = at('disk')
  const mount = (...options: readonly string[]) =>
    spawnSync('mount', ['-t', 'tmpfs', '-o', ...options, 'tmpfs', disk]).status === 0
  mkdirSync(disk)
  const canMount = mount('size=16k')
  afterAll(() => {
    spawnSync('umount', [disk])
  })

  test.skipIf(!canMount)('says that a disk is full, and goes on when there is room', async () => {
    const out = join(disk, 'out')
    const full = await runCli(['batch', at('rows.jsonl'), '--out', out])
    expect(full).toMatchObject({ code: 2, out: '' })
    expect(full.err).toMatch(/No space left|ENOSPC/iu)
    expect(full.err).toContain('Make room there')
    expect(mount('remount,size=50m')).toBe(true)
    expect((await runCli(['batch', at('rows.jsonl'), '--out', out])).code).toBe(0)
    expect(hashes(out)).toEqual(hashes(await resultsOf('rows.jsonl')))
  })

  test('loses the rows of a damaged row group only, and says which', async () => {
    const big = Array.from({ length: 30 }, () => rows).flat()
    writeFileSync(at('big.jsonl'), jsonLines(big.map((row, idx) => ({ ...row, idx }))))
    await query(
      `COPY (SELECT * FROM read_json('${at('big.jsonl')}')) TO '${at('damaged.parquet')}' (ROW_GROUP_SIZE 2048)`,
    )
    const [{ start } = { start: 0 }] = (await query(
      `SELECT data_page_offset::INTEGER AS start FROM parquet_metadata('${at('damaged.parquet')}') WHERE row_group_id = 1 AND path_in_schema = 'text'`,
    )) as ReadonlyArray<{ start: number }>
    const bytes = readFileSync(at('damaged.parquet'))
    bytes.fill(0xff, start, start + 40)
    writeFileSync(at('damaged.parquet'), bytes)
    const out = at('out-damaged')
    const ran = await runCli(['batch', at('damaged.parquet'), '--out', out])
    expect(ran.code).toBe(2)
    const [error = ''] = readFileSync(join(out, 'errors.jsonl'), 'utf8').split('\n')
    expect(error).toContain('rows 2048 to 4095 cannot be read')
    expect(ran.err).toContain('of 6952 rows in 10 sessions')
  })

  test('[I60] a named pipe is refused, and not waited for', async () => {
    expect(spawnSync('mkfifo', [at('pipe.jsonl')]).status).toBe(0)
    const ran = await runHere(['batch', at('pipe.jsonl'), '--out', at('refused')])
    expect(ran).toMatchObject({ code: 2, out: '' })
    expect(ran.err).toContain('no regular file')
  })

  test.each([
    [
      ['rows.jsonl', '--columns', 'turn=nope'],
      'there is no column "nope"; there are chat_id, idx, role, text',
    ],
    [['rows.parquet', '--columns', 'turns=x'], 'Write PART=NAME'],
    [['nothing.parquet'], 'there is no such file'],
    [['s3://bucket/turns/*.parquet'], 'httpfs'],
  ])('[F115] %j is refused in a clear sentence', async ([name = '', ...options], words) => {
    const input = name.includes(':') ? name : at(name)
    const ran = await runHere(['batch', input, '--out', at('refused'), ...options])
    expect(ran).toMatchObject({ code: 2, out: '' })
    expect(ran.err).toContain(words)
    expect(ran.err).not.toContain('    at ')
    expect(existsSync(at('refused'))).toBe(false)
  })

  test('--dry-run shows the columns and a sample, and writes nothing', async () => {
    const ran = await runHere(['batch', at('rows.csv'), '--dry-run'])
    expect(ran.code).toBe(0)
    expect(ran.out).toContain('session = chat_id, turn = idx, message = text, kind = role')
    expect(ran.out).toMatch(/about \d+ rows in 1 part/u)
  })

  test('[F118] sql asks the results', async () => {
    const results = await resultsOf('rows.jsonl')
    const ask = (sql: string, ...more: readonly string[]) =>
      runHere(['sql', sql, '--results', results, ...more])
    const counted = await ask('SELECT count(*)::INTEGER AS n FROM turns', '--json')
    expect(JSON.parse(counted.out)).toEqual({ n: (await piped()).length })
    expect((await ask('SELECT "primary", turn FROM turns LIMIT 1')).out).toMatch(
      /^primary +turn\n\w+ +\d+\n$/u,
    )
    const wrong = await ask('SELECT nope FROM turns')
    expect(wrong).toMatchObject({ code: 2, out: '' })
    expect(wrong.err).toContain('nope')
    expect(wrong.err).toContain('Correct the statement')
    expect(wrong.err).not.toContain('Check the file')
  })

  test('[F219] a results folder is a path, also if its name is a pattern of names', async () => {
    const results = await resultsOf('rows.jsonl')
    const odd = at('odd[a-z]*{b}')
    cpSync(results, odd, { recursive: true })
    const ask = await runHere([
      'sql',
      'SELECT count(*) > 0 AS n FROM turns',
      '--results',
      odd,
      '--json',
    ])
    expect(ask).toMatchObject({ code: 0, out: '{"n":true}\n' })
    expect(await runHere(['results', odd])).toMatchObject({ code: 0 })
    rmSync(join(odd, 'turns'), { recursive: true })
    symlinkSync(join(results, 'turns'), join(odd, 'turns'))
    for (const words of [
      ['sql', 'SELECT 1 FROM turns', '--results', odd],
      ['results', odd],
    ]) {
      const ran = await runHere(words)
      expect(ran.code).toBe(2)
      expect(ran.err).toContain('is a link')
    }
  })

  test('[F220] a statement reads the results and named files, and nothing else', async () => {
    const results = await resultsOf('rows.jsonl')
    const ask = (sql: string, ...more: readonly string[]) =>
      runHere(['sql', sql, '--results', results, ...more])
    const other = at('rows.csv')
    const read = `SELECT count(*) > 0 AS n FROM read_csv('${other}')`
    for (const sql of [
      read,
      `COPY (SELECT 1) TO '${at('stolen.csv')}'`,
      `ATTACH '${at('stolen.db')}' AS stolen`,
      "SELECT * FROM glob('/etc/*')",
      "SELECT content FROM read_text('/etc/passwd')",
      'SET enable_external_access = true',
      "SET allowed_directories = ['/']",
      'INSTALL httpfs',
      'LOAD httpfs',
      "SELECT * FROM read_parquet('https://example.com/x.parquet')",
    ]) {
      const ran = await ask(sql)
      expect(ran, sql).toMatchObject({ code: 2, out: '' })
    }
    expect((await ask(read)).err).toContain('--unsafe-sql')
    expect(await ask(read, '--input', other)).toMatchObject({ code: 0 })
    expect(await ask(read, '--unsafe-sql')).toMatchObject({ code: 0 })
    expect((await ask(read, '--input', at('.'))).err).toContain('no regular file')
  })

  test('[F220] a statement writes neither the results nor a named file', async () => {
    const results = await resultsOf('rows.jsonl')
    const named = at('named.csv')
    writeFileSync(named, 'a\n1\n')
    const before = hashes(results)
    const part = join(results, 'turns', 'part-00000.parquet')
    const copy = `COPY (SELECT 1 AS stolen) TO '${part}'`
    for (const sql of [
      copy,
      `COPY (SELECT 1) TO '${join(results, 'more.csv')}'`,
      `COPY (SELECT 1) TO '${named}' (USE_TMP_FILE false)`,
      `SELECT 1; ${copy}`,
      `EXPLAIN ANALYZE ${copy}`,
      `EXPLAIN /* */ ANALYZE ${copy}`,
      `PREPARE p AS ${copy}; EXECUTE p`,
      `EXPORT DATABASE '${join(results, 'export')}'`,
      `ATTACH '${join(results, 'more.db')}' AS more`,
      `CALL enable_logging(storage='file', storage_path='${results}/log')`,
      `SELECT * FROM enable_logging(storage='file', storage_path='${results}/log')`,
      `SELECT (SELECT count(*) FROM enable_logging(storage='file', storage_path='${results}/log'))`,
      `FROM query('FROM enable_logging(storage=''file'', storage_path=''${results}/log'')')`,
      `FROM json_execute_serialized_sql(json_serialize_sql('FROM range(3)'))`,
      `FROM enable_profiling(save_location='${results}/profile.json')`,
    ])
      expect(
        await runHere(['sql', sql, '--results', results, '--input', named]),
        sql,
      ).toMatchObject({ code: 2, out: '' })
    expect(hashes(results)).toEqual(before)
    expect(readFileSync(named, 'utf8')).toBe('a\n1\n')
    const refused = await runHere(['sql', copy, '--results', results])
    expect(refused.err).toContain('To run any statement, give --unsafe-sql')
  })

  test.each([
    'FROM turns LIMIT 1;',
    'EXPLAIN SELECT count(*) FROM turns',
    'EXPLAIN ANALYZE SELECT count(*) FROM turns',
    'DESCRIBE turns',
    'SUMMARIZE turns',
    'SHOW TABLES',
    '/* how many */ WITH n AS (SELECT count(*) AS n FROM turns) SELECT n, i FROM n, range(n) AS r(i) LIMIT 1',
    'SELECT * FROM (SELECT 2 AS a), range(a), unnest([1])',
    'PIVOT (SELECT 1 AS a, 2 AS b) ON a IN (1) USING sum(b)',
    'SELECT name FROM duckdb_settings() LIMIT 1',
  ])('[F220] reading statements stay: %s', async (sql) => {
    const results = await resultsOf('rows.jsonl')
    expect(await runHere(['sql', sql, '--results', results])).toMatchObject({ code: 0 })
  })

  test('[F221] a long statement can be stopped', async () => {
    const results = await resultsOf('rows.jsonl')
    const long = 'SELECT sum(a.range * b.range) FROM range(10000000) a, range(10000000) b'
    const stop = setInterval(() => process.emit('SIGINT'), 500)
    const ran = await runHere(['sql', long, '--results', results])
    clearInterval(stop)
    expect(ran).toMatchObject({ code: 2, out: '' })
    expect(ran.err).toContain('the statement was stopped')
  })
})
