import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CLI } from '../../../fixtures/built.ts'
import { makeFolder } from '../../../fixtures/host.ts'
import { runCli } from '../../../fixtures/run-cli.ts'

/** Loaded before the program: it finds no DuckDB. */
const WITHOUT_DUCKDB = `const fs = require('node:fs')
const { existsSync } = fs
fs.existsSync = (path) => !String(path).includes('@duckdb') && existsSync(path)
require('node:module').syncBuiltinESMExports()
`

test('[F118] no scratch folder stays where DuckDB is missing', async () => {
  const folder = makeFolder({ 'without.cjs': WITHOUT_DUCKDB })
  const scratch = makeFolder()
  const env = {
    ...process.env,
    TMPDIR: scratch,
    NODE_OPTIONS: `--require=${join(folder, 'without.cjs')}`,
  }
  const ran = await runCli(['sql', 'FROM turns', '--results', makeFolder()], '', CLI, env)
  expect(ran).toMatchObject({ code: 2, out: '' })
  expect(ran.err).toContain('npm install')
  expect(readdirSync(scratch)).toEqual([])
})
