import { mkdir, rename, rm, closeSync, readSync } from '../platform/files/fenced-fs.ts'
import { dirname, join } from 'node:path'
import { type Added, appendLine, isMissing, takeBack } from '../platform/files/atomic-file.ts'
import { textIfThere, openRegularSync } from '../platform/files/regular-file.ts'
import { OTLP_FOLDER } from '../hook/places.ts'
import { type RecordOwner, recordFile, recordName } from '../platform/files/record-name.ts'
import { BOUNDS, type Bounds, LINE, BODY_BOUNDS, MAX_UNPACKED } from './limits.ts'
import { type Batch, type Taken, SIGNALS, readExport } from './request.ts'
import { type Room, bytesOf, openRoom } from './room.ts'
import { createJsonMeter } from '../../engine/json-bounds.ts'

/** Result of storing the records of an export. */
interface Kept {
  readonly bytes: number
  /** [F207] Names of the records that grew, without their ending. */
  readonly sessions: readonly string[]
  /** Why records were not kept, and how many for each reason. */
  readonly refused: ReadonlyMap<string, number>
}

/** Records of sessions, as lines of OTLP's JSON. */
export interface OtlpStore {
  /**
   * [F152] Appends records to those of their sessions. Resolves when they would survive a killed process. Throws if the
   * disk fails, in which case none is kept. Callers must wait for it before the next call, so that lines do not mix.
   */
  readonly keep: (batches: readonly Batch[]) => Promise<Kept>
}

/** Traces whose session is remembered, and owners whose path is. */
const MAX_KNOWN = 20_000

/** [F152] @param folder as `liveFolder` gives it */
export async function openOtlpStore(folder: string, bounds: Bounds = BOUNDS): Promise<OtlpStore> {
  const room = await openRoom(join(folder, OTLP_FOLDER), bounds)
  const place: Place = { folder, room, bounds, traces: new Map(), paths: new Map() }
  return { keep: (batches) => keep(batches, place) }
}

interface Place {
  readonly folder: string
  readonly room: Room
  readonly bounds: Bounds
  /** The session that each trace names; those used last are last. */
  readonly traces: Map<string, string>
  /** The path of each owner, by `recordName`; those used last are last. */
  readonly paths: Map<string, string>
}

async function keep(batches: readonly Batch[], place: Place): Promise<Kept> {
  for (const { records } of batches) {
    for (const { group, trace } of records) {
      if (group !== null && trace !== null) await settle(trace, group, place)
    }
  }
  const booking = place.room.booking()
  /** Lines by path. */
  const plan = new Map<string, string[]>()
  const names = new Set<string>()
  const refused = new Map<string, number>()
  for (const batch of batches) {
    for (const { owner, records } of byOwner(batch, place)) {
      const lines = dividedIn(records)
      const path = pathOf(owner, place)
      const why = await booking.take(path, bytesIn(batch, lines))
      if (why !== null) {
        refused.set(why, (refused.get(why) ?? 0) + records.length)
        continue
      }
      names.add(recordName(owner))
      const texts = lines.map((line) => textOf(batch, line))
      const planned = plan.get(path)
      if (planned === undefined) plan.set(path, texts)
      else planned.push(...texts)
    }
  }
  return { bytes: await write(plan, place), sessions: [...names], refused }
}

/** Adds all or nothing, because an exporter resends everything that is not answered with 200. */
async function write(plan: ReadonlyMap<string, readonly string[]>, place: Place): Promise<number> {
  const done: Array<readonly [string, Added]> = []
  try {
    for (const [path, lines] of plan) {
      done.push([path, await append(path, lines, place)])
    }
  } catch (error) {
    for (const [path, added] of done.toReversed()) await undo(path, added, place)
    throw error
  }
  return done.reduce((total, [, { from, to }]) => total + to - from, 0)
}

function pathOf(owner: RecordOwner, { folder, paths }: Place): string {
  const name = recordName(owner)
  const path = paths.get(name) ?? recordFile(join(folder, OTLP_FOLDER), owner, ownerIn)
  remember(name, path, paths)
  return path
}

interface Owned {
  readonly owner: RecordOwner
  readonly records: Taken[]
}

/** [F152] The owner of each record: the conversation that it or its trace names, else its trace, else its process. */
function byOwner({ records, home }: Batch, { traces }: Place): Iterable<Owned> {
  const found = new Map<string, Owned>()
  for (const record of records) {
    const { group, trace } = record
    const session = group ?? (trace === null ? undefined : traces.get(trace))
    const owner: RecordOwner =
      session !== undefined
        ? { kind: 'session', name: session }
        : trace === null
          ? { kind: 'process', name: home }
          : { kind: 'trace', name: trace }
    const name = recordName(owner)
    const owned = found.get(name)
    if (owned === undefined) found.set(name, { owner, records: [record] })
    else owned.records.push(record)
  }
  return found.values()
}

function remember(key: string, value: string, known: Map<string, string>): void {
  known.delete(key)
  known.set(key, value)
  if (known.size <= MAX_KNOWN) return
  for (const oldest of known.keys()) {
    known.delete(oldest)
    break
  }
}

/** [F152] Called when a trace turns out to belong to a conversation. Moves its earlier records there. */
async function settle(trace: string, session: string, place: Place): Promise<void> {
  if (place.traces.get(trace) === session) return
  const from = pathOf({ kind: 'trace', name: trace }, place)
  const to = pathOf({ kind: 'session', name: session }, place)
  if (from !== to && place.room.sizeOf(from) !== undefined) await move(from, to, place)
  // Set last, so that a move that failed on the disk is retried with the next request.
  remember(trace, session, place.traces)
}

async function move(from: string, to: string, place: Place): Promise<void> {
  const { room, bounds } = place
  // Another host may have written there: only the disk knows.
  const more = await bytesOf(from)
  const there = await bytesOf(to)
  if (more !== null && there !== null) {
    // [F151] Accepted records are kept: a record that does not fit stays a separate session.
    if (there + more > bounds.session) return
    const text = await textIfThere(from)
    // The same of one that is too large to be held.
    if (text?.ok === false) return
    if (text !== null) await append(to, [text.value.trimEnd()], place)
    // If this fails, the file may be gone anyway. The appended records therefore stay, and readers count them once
    // (F153).
    await rm(from, { force: true })
  } else if (more !== null) {
    await rename(from, to).catch(ifGone)
    await room.look(to)
  }
  room.set(from, null)
}

/** The operator may delete a record at any time. */
function ifGone(error: unknown): void {
  if (!isMissing(error)) throw error
}

async function append(path: string, lines: readonly string[], place: Place): Promise<Added> {
  const text = lines.join('\n')
  try {
    return await appendLine(path, text, false).catch(async (error: unknown) => {
      // The operator may also delete the whole folder.
      if (!isMissing(error)) throw error
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      return appendLine(path, text, false)
    })
  } finally {
    await place.room.look(path)
  }
}

/** If records cannot be taken back either, they are stored twice when they are sent again, but read once (F153). */
async function undo(path: string, added: Added, { room }: Place): Promise<void> {
  await takeBack(path, added).catch(() => undefined)
  await room.look(path)
}

/** Records as they go into lines of about a megabyte: a torn line costs no more than itself. */
function dividedIn(records: readonly Taken[]): ReadonlyArray<readonly Taken[]> {
  const lines: Taken[][] = []
  let size = Infinity
  for (const record of records) {
    const { length } = record.text
    if (size + length > LINE) {
      lines.push([])
      size = 0
    }
    lines.at(-1)?.push(record)
    size += length
  }
  return lines
}

/** A complete export in OTLP's JSON, without the end of its line. */
function textOf({ before, behind }: Batch, line: readonly Taken[]): string {
  return `${before}${line.map(({ text }) => text).join(',')}${behind}`
}

/** Bytes of all these lines with their ends, which need not be made to know it. */
function bytesIn({ around }: Batch, lines: ReadonlyArray<readonly Taken[]>): number {
  let bytes = 0
  for (const line of lines) {
    bytes += around
    // A comma after each record but the last, and the end of the line.
    for (const { text } of line) bytes += Buffer.byteLength(text) + 1
  }
  return bytes
}

/**
 * [F207] The owner that a record names: the session of the first line that names one, else the trace or process of
 * the first line. Null if the file holds no export. Looks at the first 64 MiB.
 */
function ownerIn(path: string): RecordOwner | null {
  let first: RecordOwner | null = null
  for (const line of linesIn(path)) {
    for (const { record, home } of recordsIn(line)) {
      const { group, trace } = record
      if (group !== null) return { kind: 'session', name: group }
      first ??= trace === null ? { kind: 'process', name: home } : { kind: 'trace', name: trace }
    }
  }
  return first
}

function recordsIn(line: Buffer): ReadonlyArray<{ readonly record: Taken; readonly home: string }> {
  if (createJsonMeter(BODY_BOUNDS).push(line) !== null) return []
  return SIGNALS.flatMap((signal) => {
    const read = readExport(line, 'json', signal)
    const batches = read.ok ? read.value.batches : []
    return batches.flatMap(({ records, home }) => records.map((record) => ({ record, home })))
  })
}

const NEWLINE = 0x0a
const STEP = 1024 * 1024

/** The complete lines at the beginning of a regular file; none if it cannot be read. */
function* linesIn(path: string): Generator<Buffer, void, undefined> {
  let file: number
  try {
    file = openRegularSync(path)
  } catch {
    // The error is reported when the record is written (F168).
    return
  }
  try {
    let rest: Buffer[] = []
    for (let at = 0; at < MAX_UNPACKED; at += STEP) {
      const block = Buffer.allocUnsafe(STEP)
      const held = block.subarray(0, readSync(file, block, 0, STEP, at))
      let from = 0
      for (let end = held.indexOf(NEWLINE); end >= 0; end = held.indexOf(NEWLINE, from)) {
        yield Buffer.concat([...rest, held.subarray(from, end)])
        rest = []
        from = end + 1
      }
      rest.push(held.subarray(from))
      if (held.length < STEP) return
    }
  } finally {
    closeSync(file)
  }
}
