import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { runCli } from '../../fixtures/run-cli.ts'

const SCRIPT = fileURLToPath(new URL('classify.py', import.meta.url))
const MAIN = fileURLToPath(new URL('../../core/cli/main.ts', import.meta.url))
const PARTS = 8

/** A Python that has Dask distributed, which the system's package installs for the system's Python only. */
const python = ['/usr/bin/python3', 'python3'].find(
  (each) => spawnSync(each, ['-c', 'import distributed']).status === 0,
)

const started: ChildProcess[] = []
afterAll(() => {
  for (const child of started) child.kill('SIGKILL')
})

/** Starts a process, and answers when it has said what matches. */
async function start(args: readonly string[], said: RegExp) {
  const child = spawn(python ?? '', [...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  started.push(child)
  for await (const line of createInterface(child.stderr)) {
    const found = said.exec(line)
    if (found === null) continue
    child.stderr.resume()
    return { child, found: found[0] }
  }
  throw new Error(`${args.join(' ')} ended before it was ready`)
}

/** Rows of 40 sessions over four files, and a line that cannot be used. */
function makeInput(folder: string): string {
  mkdirSync(folder)
  const texts = ['fix the bug in the parser', 'ok', 'Write unit tests', 'Plan the next release']
  const rows = Array.from({ length: 800 }, (_, at) => ({
    session: `s${at % 40}`,
    turn: Math.floor(at / 40),
    message: texts[at % texts.length],
  }))
  const lines = rows.map((row) => `${JSON.stringify(row)}\n`)
  for (let file = 0; file < 4; file += 1)
    writeFileSync(join(folder, `${file}.jsonl`), lines.slice(file * 200, file * 200 + 200).join(''))
  writeFileSync(join(folder, 'bad.jsonl'), 'nonsense\n')
  return lines.join('')
}

const textsIn = (folder: string, names: RegExp) =>
  readdirSync(folder)
    .filter((name) => names.test(name))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
const sorted = (texts: readonly string[]) => texts.join('').split('\n').toSorted()

test.skipIf(python === undefined)(
  '[F113] a Dask cluster that loses a worker gives the same rows as one machine',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'turnscope-dask-'))
    const input = join(folder, 'in')
    const out = join(folder, 'out')
    const alone = runCli(['pipe'], makeInput(input))
    const scheduler = await start(
      [
        '-m',
        'distributed.cli.dask_scheduler',
        '--host',
        '127.0.0.1',
        '--port',
        '0',
        '--no-dashboard',
      ],
      /tcp:\/\/127\.0\.0\.1:\d+/u,
    )
    const address = scheduler.found
    const worker = () =>
      start(
        [
          '-m',
          'distributed.cli.dask_worker',
          address,
          '--nthreads',
          '1',
          '--no-nanny',
          '--no-dashboard',
          '--local-directory',
          folder,
        ],
        /Registered to/u,
      )
    const [first] = await Promise.all([worker(), worker()])
    const command = `${process.execPath} ${MAIN}`
    const run = spawn(
      python ?? '',
      [SCRIPT, address, input, out, '--parts', String(PARTS), '--turnscope', command],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
    started.push(run)
    const ended = once(run, 'close')
    const [part] = (await once(createInterface(run.stdout), 'line')) as [string]
    expect(part).toMatch(/^part \d of 8$/u)
    first.child.kill('SIGKILL')
    run.stdout.resume()
    expect((await ended)[0]).toBe(0)
    expect(readdirSync(out).filter((name) => name.startsWith('part-')).length).toBe(PARTS)
    expect(sorted(textsIn(out, /^part-/u))).toEqual(sorted([(await alone).out]))
    expect(textsIn(out, /^errors-/u).join('')).toMatch(/^\{"line":1,"error":"not JSON[^\n]*\n$/u)
  },
)
