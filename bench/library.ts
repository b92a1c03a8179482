/** `npm run bench -- library`: a library of 1,000 sessions, finding in 100,000 turns, and redaction. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createMatcher } from '../core/engine/find/match.ts'
import { parseQuery } from '../core/engine/find/parse.ts'
import { redactText } from '../core/engine/redact/redact.ts'
import type { SessionTexts } from '../core/engine/schema/event.ts'
import { plainEvent, withTexts } from '../fixtures/events.ts'
import { RedactionKind } from '../core/engine/schema/redaction.ts'
import { createTimeLimit } from '../core/host/platform/guard/guard.ts'
import { findEvents } from '../core/host/find/session/find.ts'
import { fastest, formatRatio, type Section } from './measure.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const SESSIONS = 1000
const TURNS = 100_000

/** Lines of the sample session, header first. */
function sampleLines(): readonly string[] {
  return readFileSync(join(ROOT, 'fixtures/sessions/st-003.jsonl'), 'utf8').trimEnd().split('\n')
}

/** Texts of the sample, numbered so that no two are the same. */
function manyTexts(count: number): readonly string[] {
  const texts = sampleLines()
    .slice(1)
    .map((line) => (JSON.parse(line) as { readonly text: string }).text)
  return Array.from({ length: count }, (_, at) => `${texts[at % texts.length] ?? ''} (${at})`)
}

interface Ran {
  /** Milliseconds, from the question to the last answer. */
  readonly wall: number
  /** Milliseconds of processor time of all threads meanwhile. */
  readonly cpu: number
  /** Paths and stats of the sessions that were read. */
  readonly known: ReadonlyArray<readonly [string, unknown]>
}

function library(command: 'scan' | 'list', folder: string, workspace: string): Ran {
  const args = [join(ROOT, 'bench/library-child.ts'), folder, workspace, command]
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  if (stdout === '') throw new Error(stderr)
  // Written by that script.
  return JSON.parse(stdout) as Ran
}

function benchFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'turnscope-bench-'))
  const workspace = join(folder, 'workspace')
  const sessions = join(folder, 'sessions')
  const lines = sampleLines()
  let bytes = 0
  for (let at = 0; at < SESSIONS; at += 1) {
    const sub = join(sessions, `project-${at % 20}`)
    mkdirSync(sub, { recursive: true })
    const header = {
      ...(JSON.parse(lines[0] ?? '{}') as object),
      id: `s${at}`,
      title: `Session ${at}`,
    }
    const text = `${[JSON.stringify(header), ...lines.slice(1)].join('\n')}\n`
    bytes += Buffer.byteLength(text)
    writeFileSync(join(sub, `s${at}.jsonl`), text)
  }
  mkdirSync(workspace)
  try {
    const first = library('scan', sessions, workspace)
    const again = library('scan', sessions, workspace)
    const list = [1, 2, 3].map(() => library('list', sessions, workspace))
    const best = list.reduce((least, each) => (each.wall < least.wall ? each : least))
    // All are the same session under another name.
    const stats = JSON.stringify(first.known[0]?.[1])
    const failed = [first, again, ...list].some(
      ({ known }) =>
        known.length !== SESSIONS || known.some(([, each]) => JSON.stringify(each) !== stats),
    )
    return { bytes, first, again, best, failed }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Seconds of a search, and how many events it found. */
async function search(session: SessionTexts, query: string) {
  const parsed = parseQuery(query)
  const matcher = parsed.ok
    ? createMatcher(parsed.value, { facts: null, events: session.events })
    : parsed
  if (!matcher.ok) throw new Error(matcher.error.what)
  const limit = createTimeLimit()
  let best = Infinity
  let found = 0
  for (let round = 0; round < 5; round += 1) {
    const start = process.cpuUsage()
    const { seqs } = await findEvents(session, matcher.value, { limit, breath: () => undefined })
    const { user, system } = process.cpuUsage(start)
    best = Math.min(best, (user + system) / 1e6)
    found = seqs.length
  }
  return { best, found }
}

export async function benchLibrary(): Promise<Section> {
  const folder = benchFolder()
  const texts = manyTexts(TURNS)
  const events = texts.map((text, seq) => plainEvent({ seq, text }))
  const session = withTexts(events)
  const word = 'filings'
  let bareFound = 0
  const bare = fastest(5, () => {
    bareFound = events.filter(({ text }) => text.includes(word)).length
  })
  const megabytes = texts.reduce((sum, text) => sum + text.length, 0) / 1e6
  const plain = await search(session, word)
  const regex = await search(session, `/${word}\\b/`)
  const heavy = await search(session, '/(\\w+)[ ,]+\\1\\b/i')
  const filters = await search(session, 'role:user -role:agent error:no')
  const joined = texts.join('\n').slice(0, 10_000_000)
  const redact = fastest(3, () => redactText(joined, { kinds: RedactionKind.options }))
  const row = (
    name: string,
    { best, found }: { readonly best: number; readonly found: number },
  ) => [
    name,
    (best * 1000).toFixed(0),
    formatRatio(best / bare),
    `${found.toLocaleString('en')} found`,
  ]
  const { first, again, best } = folder
  const libraryRow = (name: string, { wall, cpu }: Ran) => [
    name,
    wall.toFixed(0),
    '',
    `${cpu.toFixed(0)} ms of processor, ${((SESSIONS * 1000) / cpu).toFixed(0)} sessions a second of it`,
  ]
  return {
    title: `Library of ${SESSIONS} sessions (${(folder.bytes / 1e6).toFixed(1)} MB), finding in ${TURNS.toLocaleString('en')} turns (${megabytes.toFixed(0)} MB), redaction`,
    head: ['', 'ms', 'a bare loop of `includes` = 1', ''],
    rows: [
      libraryRow('first scan: read and replay all', first),
      libraryRow('scan again, nothing changed', again),
      libraryRow('entries from the index, cold process, best of 3', best),
      row('a bare loop of `includes`', { best: bare, found: bareFound }),
      row(`find \`${word}\` (any case)`, plain),
      row(`find \`/${word}\\b/\` under the time limit`, regex),
      row('find `/(\\w+)[ ,]+\\1\\b/i`, a pattern that backtracks', heavy),
      row('find three filters, no text', filters),
      [
        'redact 10 MB, all kinds',
        (redact * 1000).toFixed(0),
        '',
        `${(joined.length / 1e6 / redact).toFixed(0)} MB/s`,
      ],
    ],
    notes: [
      'library times are of a new process with two threads, from the question on; they include starting threads and compiling the preset, and everything else that the machine did',
      'finding and redaction are processor time of the fastest run',
    ],
    failed: folder.failed || plain.found < bareFound || regex.found > bareFound,
  }
}
