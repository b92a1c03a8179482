/** Measures how long the command line takes to start (F98 to F100), compared with a Node that runs nothing. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { entryOf } from '../bin/launch.cjs'
import { formatRatio, median, type Section } from './measure.ts'
import { ROOT } from './server.ts'

const ROUNDS = 11
const SESSION = join(ROOT, 'fixtures/sessions/st-003.jsonl')
const COMMANDS: ReadonlyArray<readonly string[]> = [
  ['--version'],
  ['--help'],
  ['replay', '--help'],
  ['convert', SESSION],
  ['tour', 'list'],
  ['lint', '--help'],
  ['pipe'],
]
/** Input of `pipe`. The command ends when this row is answered. */
const ROW = `${JSON.stringify({ session: 'a', turn: 1, message: 'please fix the failing test in the login module' })}\n`
const ENTRIES = ['bin/turnscope.cjs', 'core/cli/main.ts'].map((path) => join(ROOT, path))

/** Milliseconds on the clock of a process, from its start to its end. */
function once(args: readonly string[]): number {
  const began = performance.now()
  const { status, stderr } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    input: ROW,
    // As at a prompt: the sources keep nothing that they compiled, the starter says itself where.
    env: { ...process.env, NODE_COMPILE_CACHE: undefined },
  })
  if (status !== 0)
    throw new Error(`${args.join(' ')} ended with ${status ?? 'a signal'}: ${stderr}`)
  return performance.now() - began
}

/** Medians of all in turns, so that a busy moment hits each alike. */
function medians(lines: ReadonlyArray<readonly string[]>): readonly number[] {
  for (const line of lines) once(line)
  const times = lines.map((): number[] => [])
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [at, line] of lines.entries()) times[at]?.push(once(line))
  }
  return times.map(median)
}

export function benchStart(): Section {
  const isBuilt = entryOf('main').endsWith('.cjs')
  const rows = COMMANDS.map((command) => {
    const [bare = 1, built = 0, source = 0] = medians([
      ['-e', '0'],
      ...ENTRIES.map((entry) => [entry, ...command]),
    ])
    const cells = [bare, built, source].map((ms) => ms.toFixed(0))
    const words = command.map((word) => (word === SESSION ? 'FILE' : word)).join(' ')
    const name = words === 'pipe' ? 'pipe, one row answered' : words
    return [name, ...cells, formatRatio(built / bare), formatRatio(source / bare)]
  })
  return {
    title: 'Start of the command line, milliseconds on the clock',
    head: ['', 'bare node', 'turnscope', 'from the sources', 'turnscope / bare', 'sources / bare'],
    rows,
    notes: [
      isBuilt ? 'turnscope ran the build' : 'the build is not current: turnscope ran the sources',
      `medians of ${ROUNDS} runs in turns; aim: a start in at most 4 times bare node`,
    ],
    failed: false,
  }
}
