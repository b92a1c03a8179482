/**
 * `node bench/turn-rows.ts TURNS FILE [SEED]`: JSON rows of the given number of turns, recombined from the repository's
 * own sessions; ten million are about 10 GB. The same numbers give the same bytes. Only the open sessions are held in
 * memory.
 */
import { closeSync, openSync, writeSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { OWN, lengthOf, poolsFrom, recombine } from './corpus.ts'
import { seeded } from './made-up-sessions.ts'

/** Sessions that are under way at the same time; their rows are mixed, as an application would log them. */
const OPEN = 512
const MEAN_CHARS = 1000
/** Turns of a session: their logarithm is normal too; a few sessions are very long. */
const MEAN_TURNS = 24
const WRITE_CHARS = 4 << 20

export interface TurnRows {
  readonly turns: number
  readonly sessions: number
  readonly bytes: number
  /** Turns of the longest session. */
  readonly longest: number
}

export async function writeTurnRows(path: string, turns: number, seed = 19): Promise<TurnRows> {
  const pools = await poolsFrom(OWN)
  const random = seeded(seed)
  let sessions = 0
  let longest = 0
  const begin = () => {
    const length = Math.max(1, lengthOf(random, MEAN_TURNS))
    longest = Math.max(longest, length)
    sessions += 1
    return { name: `s${sessions}`, turn: 0, length }
  }
  const open = Array.from({ length: OPEN }, begin)
  const file = openSync(path, 'w')
  let parts: string[] = []
  let chars = 0
  let bytes = 0
  const flush = (): void => {
    bytes += writeSync(file, parts.join(''))
    parts = []
    chars = 0
  }
  for (let made = 0; made < turns; made += 1) {
    const place = Math.floor(random() * OPEN)
    const session = open[place] ?? begin()
    const kind = random() < 0.3 ? 'user' : 'tool_result'
    const message = recombine(random, pools[kind], lengthOf(random, MEAN_CHARS))
    const row = `${JSON.stringify({ session: session.name, turn: session.turn, kind, message })}\n`
    parts.push(row)
    chars += row.length
    if (chars > WRITE_CHARS) flush()
    session.turn += 1
    if (session.turn === session.length) open[place] = begin()
  }
  flush()
  closeSync(file)
  return { turns, sessions, bytes, longest }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [turns = '', path, seed = '19'] = process.argv.slice(2)
  if (path === undefined || !/^\d+$/u.test(turns)) {
    process.stderr.write('node bench/turn-rows.ts TURNS FILE [SEED]\n')
    process.exitCode = 2
  } else
    process.stdout.write(
      `${JSON.stringify(await writeTurnRows(path, Number(turns), Number(seed)))}\n`,
    )
}
