/**
 * The corpus that the matcher and the lab are measured on: 100,000 turns, about 100 MB, recombined by
 * a seeded generator from what people and tools said in the sessions beside the repository. Where
 * that folder is missing, texts are recombined from the repository's own sessions, and the run says so.
 */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readTranscript } from '../fixtures/read-transcript.ts'
import { plainEvents } from '../core/engine/schema/event.ts'
import { seeded } from './made-up-sessions.ts'

const SHARED = fileURLToPath(new URL('../../shared/sessions', import.meta.url))
/** The repository's own sessions. */
export const OWN = fileURLToPath(new URL('../fixtures', import.meta.url))
/** Larger files add time and no variety. */
const LARGEST_FILE = 4_000_000

interface CorpusTurn {
  readonly kind: 'user' | 'tool_result'
  readonly text: string
}

interface MadeCorpus {
  /** Turns by session. */
  readonly sessions: ReadonlyArray<readonly CorpusTurn[]>
  readonly turns: number
  /** UTF-8. */
  readonly bytes: number
  /** Origin of the texts, for the notes of a table. */
  readonly origin: string
}

interface CorpusSize {
  readonly turns: number
  readonly turnsPerSession: number
  /** Mean length of a turn in UTF-16 units. */
  readonly meanChars: number
}

/** `TURNSCOPE_BENCH_TURNS` makes it smaller, while others use the machine too. */
export const FULL_CORPUS: CorpusSize = {
  turns: Number(process.env['TURNSCOPE_BENCH_TURNS'] ?? 100_000),
  turnsPerSession: 100,
  meanChars: 1000,
}

type Kind = CorpusTurn['kind']
/** Sources of one kind, each cut into lines and sentences. */
type Pool = ReadonlyArray<readonly string[]>

function filesUnder(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:jsonl?|md|eval|traj)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => statSync(path).size < LARGEST_FILE)
    .sort()
}

/** Messages and results of tools of all transcripts below a folder. */
export async function poolsFrom(folder: string): Promise<Readonly<Record<Kind, Pool>>> {
  const pools: Record<Kind, Array<readonly string[]>> = { user: [], tool_result: [] }
  for (const path of filesUnder(folder)) {
    const read = await readTranscript(path)
    if (!read.ok) continue
    for (const { kind, text } of read.value.sessions.flatMap(plainEvents))
      if ((kind === 'user' || kind === 'tool_result') && text.trim() !== '')
        pools[kind].push(text.match(/[^\n]{1,400}(?:\n|$|(?<=[.!?])\s|)/g) ?? [text])
  }
  return pools
}

type Random = () => number

function pick<T>(random: Random, items: readonly T[]): T | undefined {
  return items[Math.floor(random() * items.length)]
}

/** A length whose logarithm is normal with deviation 1.2: most turns are short, a few very long. */
export function lengthOf(random: Random, mean: number): number {
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  return Math.min(40 * mean, Math.max(8, Math.round(mean * Math.exp(1.2 * normal - 0.72))))
}

/** Runs of neighbouring pieces of random sources, up to the length. */
export function recombine(random: Random, pool: Pool, length: number): string {
  let text = ''
  while (text.length < length) {
    const source = pick(random, pool) ?? ['nothing']
    const from = Math.floor(random() * source.length)
    const run = 1 + Math.floor(random() * 12)
    text += source.slice(from, from + run).join('')
    if (!text.endsWith('\n')) text += ' '
  }
  return text.slice(0, length).toWellFormed()
}

/** Makes the corpus: the same texts in every run over the same sessions. */
export async function makeCorpus(size: CorpusSize = FULL_CORPUS): Promise<MadeCorpus> {
  const shared = await poolsFrom(SHARED).catch(() => null)
  const pools = shared ?? (await poolsFrom(OWN))
  const random = seeded(20261122)
  const sessions: CorpusTurn[][] = []
  let bytes = 0
  for (let turn = 0; turn < size.turns; turn += 1) {
    if (turn % size.turnsPerSession === 0) sessions.push([])
    const kind: Kind = random() < 0.3 ? 'user' : 'tool_result'
    const text = recombine(random, pools[kind], lengthOf(random, size.meanChars))
    bytes += Buffer.byteLength(text)
    sessions.at(-1)?.push({ kind, text })
  }
  const origin =
    shared === null
      ? 'no ../shared/sessions: texts are recombined from the repository’s own fixtures'
      : `texts are recombined from ${pools.user.length} messages and ${pools.tool_result.length} tool results of ../shared/sessions`
  return { sessions, turns: size.turns, bytes, origin }
}
