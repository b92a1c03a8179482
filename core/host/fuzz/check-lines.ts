import { plainEvents } from '../../engine/schema/event.ts'
import type { ImportedTranscript } from '../../engine/import/source.ts'
import { readBytes } from './check.ts'
import { JUNK_LINES } from './mutate.ts'
import type { Random } from './random.ts'
import type { Seed } from './seeds.ts'

/** Damage that leaves the other lines what they are. `touched` are the 1-based lines it concerns. */
interface Damage {
  readonly name: string
  readonly lines: readonly string[]
  readonly touched: readonly number[]
}

/** Structure of a seed: what its lines say when it is whole. */
export interface WholeLines {
  readonly seed: Seed
  readonly lines: readonly string[]
  readonly transcript: ImportedTranscript
  /** JSON, a record a line; else lines of text. */
  readonly isRecords: boolean
}

/**
 * Without blanks at the ends of lines, what an Aider line is depends on all before it (I40). Pieces of
 * a streamed message (I15) or of speech (I24) are one event of several records: damage to one changes
 * its text.
 */
const AMBIGUOUS = [
  'aider/stripped-blanks.md',
  'gemini-cli/stream-pieces.jsonl',
  'tau2-bench/ticks.json',
]

/** Whether a record of a seed says what an event is whose place is another record. */
export function isAmbiguous(seed: Seed): boolean {
  return AMBIGUOUS.includes(seed.name.replaceAll('\\', '/'))
}

/** A seed whose records are lines; null for documents, archives and files with damage of their own. */
export async function linesOf(seed: Seed): Promise<WholeLines | null> {
  const text = seed.bytes.toString('utf8')
  if (isAmbiguous(seed)) return null
  if (!Buffer.from(text).equals(seed.bytes) || text.includes('\r')) return null
  const read = await readBytes(seed.bytes)
  if (!read.ok || read.value.problemTotal > 0 || read.value.files.length > 0) return null
  const lines = text.replace(/\n$/, '').split('\n')
  const isRecords =
    lines.every((line) => line.trim() === '' || /^[{[].*[}\]]$/.test(line)) && lines.length > 1
  const isText = !/^\s*[{[]\s*["{\]\n]/.test(text)
  return isRecords || isText ? { seed, lines, transcript: read.value, isRecords } : null
}

/**
 * [I5] Damage costs what it touches. Records: after a junk line, a torn, lost or NUL-filled line, or a
 * lost newline, the texts of all events of the lines that were not touched are there (as many times as
 * before, whatever their kind and thread now are). Lines of text have no records, and a line changes
 * the event that it falls into or beside: those, and their neighbours, are left out.
 */
export async function checkLines(whole: WholeLines, random: Random): Promise<string | null> {
  const damage = whole.isRecords ? damageRecords(whole, random) : damageText(whole, random)
  if (damage === null) return null
  const read = await readBytes(Buffer.from(damage.lines.map((line) => `${line}\n`).join('')))
  const expected = untouched(whole, damage)
  // Without its first record a file may be another format's, or none's.
  const spared =
    expected.length === 0 || (whole.isRecords && damage.touched.includes(firstLine(whole)))
  if (!read.ok) return spared ? null : `${damage.name}: refused: ${read.error.what}`
  if (read.value.format !== whole.transcript.format)
    return spared ? null : `${damage.name}: taken for ${read.value.format}`
  return lostOf(damage.name, expected, read.value)
}

/** A text that is not there as many times as it should be; null when all are. */
export function lostOf(
  what: string,
  expected: readonly string[],
  { sessions }: ImportedTranscript,
): string | null {
  const left = countsOf(sessions.flatMap(plainEvents).map((event) => event.text))
  for (const text of expected) {
    const count = left.get(text) ?? 0
    if (count === 0) return `${what}: lost ${JSON.stringify(text.slice(0, 80))}`
    left.set(text, count - 1)
  }
  return null
}

function firstLine(whole: WholeLines): number {
  return whole.lines.findIndex((line) => line.trim() !== '') + 1
}

export function countsOf(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return counts
}

/** Texts of the events that damage must not cost. */
function untouched(
  { isRecords, transcript, lines }: WholeLines,
  damage: Damage,
): readonly string[] {
  const events = transcript.sessions
    .flatMap(plainEvents)
    .toSorted((a, b) => a.source.offset - b.source.offset)
  if (isRecords) {
    return events
      .filter((event) => !damage.touched.includes(event.source.line))
      .map((event) => event.text)
  }
  const [at = 1] = damage.touched
  const offset = Buffer.byteLength(
    lines
      .slice(0, at - 1)
      .map((line) => `${line}\n`)
      .join(''),
  )
  const before = events.findLast(({ source }) => source.offset + source.length < offset)
  const after = events.find(({ source }) => source.offset >= offset)
  return events
    .filter(({ source }) => source.offset >= offset || source.offset + source.length < offset)
    .filter(
      ({ source }) =>
        source.offset !== before?.source.offset && source.offset !== after?.source.offset,
    )
    .map((event) => event.text)
}

function damageRecords({ lines }: WholeLines, random: Random): Damage {
  const at = random.below(lines.length)
  const line = lines[at] ?? ''
  const half = line.slice(0, random.below(line.length))
  return random.pick<() => Damage>([
    () => ({
      name: 'a junk line',
      lines: lines.toSpliced(at, 0, random.pick(JUNK_LINES)),
      touched: [],
    }),
    () => ({ name: 'a line of NULs', lines: lines.toSpliced(at, 0, '\0'.repeat(40)), touched: [] }),
    () => ({ name: 'a torn line', lines: lines.with(at, half), touched: [at + 1] }),
    () => ({ name: 'a lost line', lines: lines.toSpliced(at, 1), touched: [at + 1] }),
    () => ({
      name: 'a line with NULs in it',
      lines: lines.with(at, `${half}\0\0${line.slice(half.length)}`),
      touched: [at + 1],
    }),
    () => ({
      name: 'a lost newline',
      lines: lines.toSpliced(at, 2, line + (lines[at + 1] ?? '')),
      touched: [],
    }),
  ])()
}

/** Junk below the first event only: what stands first is how such a file is recognised. */
function damageText({ lines, transcript }: WholeLines, random: Random): Damage | null {
  const said = transcript.sessions[0]?.events.find((event) => event.kind !== 'meta')
  const first = said?.source.line ?? lines.length
  if (first >= lines.length) return null
  const at = first + random.below(lines.length - first)
  const junk = random.pick(['garbage', '42', '\0\0\0', '{"a":', '\ufffd', '// a note'])
  return { name: 'a junk line', lines: lines.toSpliced(at, 0, junk), touched: [at + 1] }
}
