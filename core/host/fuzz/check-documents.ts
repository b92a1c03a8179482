import { plainEvents } from '../../engine/schema/event.ts'
import type { ImportedTranscript } from '../../engine/import/source.ts'
import { countsOf, isAmbiguous, lostOf } from './check-lines.ts'
import { readBytes } from './check.ts'
import type { Random } from './random.ts'
import type { Seed } from './seeds.ts'

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/** A seed that is one JSON document, and the lists of records in it. */
export interface WholeDocument {
  readonly seed: Seed
  readonly value: Json
  readonly transcript: ImportedTranscript
  readonly lists: readonly Path[]
}

type Path = ReadonlyArray<string | number>

/**
 * Keys whose lists hold records, whatever the format. Lists in arguments of calls are values, and
 * attempts are called by their index: not records.
 */
const RECORD_LISTS = new Set([
  ...['messages', 'history', 'trajectory', 'traj', 'entries', 'events', 'samples', 'runs', 'spans'],
  ...['loglines', 'conversations', 'chat_messages', 'steps', 'simulations', 'ticks', 'data'],
  ...['observations', 'resourceSpans', 'scopeSpans', 'logs', 'batch', 'traces'],
])

/** Null for what is no document, or damaged already. */
export async function documentOf(seed: Seed): Promise<WholeDocument | null> {
  const value = parsed(seed.bytes.toString('utf8'))
  if (value === undefined || isAmbiguous(seed)) return null
  const read = await readBytes(seed.bytes)
  if (!read.ok || read.value.problemTotal > 0 || read.value.files.length > 0) return null
  const lists = [...listsIn(value, [], true)]
  // Integers beyond 2⁵³ do not come back from JSON.parse; such a file is another one when it is written.
  const again = await readBytes(Buffer.from(JSON.stringify(value)))
  const same = again.ok && textsOf(again.value).join('\0') === textsOf(read.value).join('\0')
  return lists.length > 0 && same ? { seed, value, transcript: read.value, lists } : null
}

function parsed(text: string): Json | undefined {
  try {
    // What JSON.parse gives is JSON.
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

function* listsIn(value: Json, path: Path, records: boolean): Generator<Path> {
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    if (!records || value.length === 0 || !value.every(isPlain)) return
    yield path
    for (const [at, item] of value.entries()) yield* listsIn(item, [...path, at], false)
    return
  }
  for (const [key, member] of Object.entries(value))
    yield* listsIn(member, [...path, key], RECORD_LISTS.has(key))
}

function isPlain(value: Json): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Items that are no record of any format. */
const JUNK: readonly Json[] = [null, 42, 'text', true, {}, [], [1, 2], { type: 'unheard_of' }]

/**
 * [I5] Damage costs the record that it touches, also in a document: an item that is none costs
 * nothing, one in the place of a record no more than if the record were not there, and what stands
 * before a break is read. The first item may be what a file is recognised by, and so may be what stands
 * behind a break: then a refusal is right.
 */
export async function checkDocument(whole: WholeDocument, random: Random): Promise<string | null> {
  return random.pick([junkItem, junkItem, lostItem, cutOff])(whole, random)
}

async function junkItem(whole: WholeDocument, random: Random): Promise<string | null> {
  const { path, at, junk, space } = damageOf(whole, random)
  const damaged = changed(whole.value, path, (list) => list.toSpliced(at, 0, junk))
  const bytes = Buffer.from(JSON.stringify(damaged, null, space))
  return compared(`an item ${JSON.stringify(junk)} in ${path.join('.')}`, whole, bytes, {
    expected: textsOf(whole.transcript),
    spared: at === 0,
  })
}

async function lostItem(whole: WholeDocument, random: Random): Promise<string | null> {
  const { path, at, junk, space } = damageOf(whole, random)
  const written = (change: (list: Json[]) => Json[]): Buffer =>
    Buffer.from(JSON.stringify(changed(whole.value, path, change), null, space))
  const without = await readBytes(written((list) => list.toSpliced(at, 1)))
  if (!without.ok) return null
  const what = `${JSON.stringify(junk)} for item ${at} of ${path.join('.')}`
  return compared(
    what,
    whole,
    written((list) => list.with(at, junk)),
    {
      // Without the record another one may say more: what came of the last step.
      expected: common(textsOf(whole.transcript), textsOf(without.value)),
      spared: at === 0,
    },
  )
}

async function cutOff(whole: WholeDocument, random: Random): Promise<string | null> {
  const { bytes } = whole.seed
  const end = random.below(bytes.length)
  const events = whole.transcript.sessions.flatMap(plainEvents)
  const expected = events
    .filter(({ source }) => source.offset + source.length <= end)
    .map((event) => event.text)
  return compared(`cut off at ${end}`, whole, bytes.subarray(0, end), { expected, spared: true })
}

function damageOf({ value, lists }: WholeDocument, random: Random) {
  const path = random.pick(lists)
  const list = at(value, path)
  const length = Array.isArray(list) ? list.length : 0
  return {
    path,
    at: random.below(length),
    junk: random.pick(JUNK),
    space: random.below(3),
  }
}

function at(value: Json, path: Path): Json | undefined {
  let found: Json | undefined = value
  for (const key of path) {
    if (typeof found !== 'object' || found === null) return undefined
    found = Array.isArray(found) ? found[Number(key)] : found[key]
  }
  return found
}

/** The same with another list at a place. */
function changed(value: Json, path: Path, change: (list: Json[]) => Json[]): Json {
  const [key, ...rest] = path
  if (key === undefined) return Array.isArray(value) ? change(value) : value
  if (Array.isArray(value)) {
    return value.with(Number(key), changed(value[Number(key)] ?? null, rest, change))
  }
  if (typeof value !== 'object' || value === null) return value
  return { ...value, [key]: changed(value[key] ?? null, rest, change) }
}

interface Expected {
  readonly expected: readonly string[]
  /** Whether the damage may hide what the file is. */
  readonly spared: boolean
}

async function compared(
  what: string,
  whole: WholeDocument,
  bytes: Buffer,
  { expected, spared }: Expected,
): Promise<string | null> {
  const read = await readBytes(bytes)
  const hidden = spared || expected.length === 0
  if (!read.ok) return hidden ? null : `${what}: refused: ${read.error.what}`
  if (read.value.format !== whole.transcript.format)
    return hidden ? null : `${what}: taken for ${read.value.format}`
  return lostOf(what, expected, read.value)
}

function textsOf(transcript: ImportedTranscript): readonly string[] {
  return transcript.sessions.flatMap(plainEvents).map((event) => event.text)
}

/** Texts that both have, as many times as both have them. */
function common(some: readonly string[], others: readonly string[]): readonly string[] {
  const left = countsOf(others)
  return some.filter((text) => {
    const count = left.get(text) ?? 0
    left.set(text, count - 1)
    return count > 0
  })
}
