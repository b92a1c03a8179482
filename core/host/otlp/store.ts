import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { appendLine, isMissing } from '../files/atomic-file.ts'
import { textIfThere } from '../files/regular-file.ts'
import { OTLP_FOLDER } from '../hook/places.ts'
import { recordPath } from '../hook/record.ts'
import { LINE, MAX_FOLDER, MAX_SESSION, MAX_SESSIONS } from './limits.ts'
import type { Batch, Taken } from './request.ts'

/** What became of the records of an export. */
export interface Kept {
  readonly bytes: number
  /** Names of the sessions that grew. */
  readonly sessions: readonly string[]
  /** Why records were not kept, and how many for each reason. */
  readonly refused: ReadonlyMap<string, number>
}

/** Records of sessions, as lines of OTLP's JSON. */
export interface OtlpStore {
  /**
   * [F152] Adds records to those of their sessions; resolves when they would outlive a kill. Throws where the disk
   * fails. The caller waits before it calls again: lines must not mix.
   */
  readonly keep: (batches: readonly Batch[]) => Promise<Kept>
}

/** Traces whose session is remembered. */
const MAX_TRACES = 20_000

/** [F152] @param folder as `liveFolder` gives it */
export async function openOtlpStore(folder: string): Promise<OtlpStore> {
  const own = join(folder, OTLP_FOLDER)
  await mkdir(own, { recursive: true, mode: 0o700 })
  const sizes = await sizesIn(own)
  const place: Place = { folder, sizes, traces: new Map(), total: sum(sizes.values()) }
  return { keep: (batches) => keep(batches, place) }
}

interface Place {
  readonly folder: string
  /** Bytes of each record, by its path. */
  readonly sizes: Map<string, number>
  /** The session of each trace; those used last are last. */
  readonly traces: Map<string, string>
  total: number
}

async function sizesIn(folder: string): Promise<Map<string, number>> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.jsonl'))
  const sizes = await Promise.all(
    names.map(async (name): Promise<[string, number]> => {
      const path = join(folder, name)
      return [path, await sizeOf(path)]
    }),
  )
  return new Map(sizes)
}

async function sizeOf(path: string): Promise<number> {
  return (await stat(path).catch(() => null))?.size ?? 0
}

const sum = (numbers: Iterable<number>): number => {
  let total = 0
  for (const one of numbers) total += one
  return total
}

async function keep(batches: readonly Batch[], place: Place): Promise<Kept> {
  for (const { records } of batches) {
    for (const { group, trace } of records) {
      if (group !== null && trace !== null) await settle(trace, group, place)
    }
  }
  const plan: Plan = { lines: new Map(), sizes: new Map(), refused: new Map() }
  for (const batch of batches) {
    for (const [session, records] of bySession(batch, place)) {
      const why = noRoom(session, plan, place)
      if (why === null) add(plan, session, linesOf(batch, records))
      else plan.refused.set(why, (plan.refused.get(why) ?? 0) + records.length)
    }
  }
  let bytes = 0
  for (const [session, lines] of plan.lines)
    bytes += await append(pathOf(session, place), lines, place)
  return { bytes, sessions: [...plan.lines.keys()], refused: plan.refused }
}

/** What is to be added to the records of sessions. */
interface Plan {
  readonly lines: Map<string, string[]>
  /** How much that is. */
  readonly sizes: Map<string, number>
  readonly refused: Map<string, number>
}

function add({ lines, sizes }: Plan, session: string, more: readonly string[]): void {
  lines.set(session, [...(lines.get(session) ?? []), ...more])
  sizes.set(session, (sizes.get(session) ?? 0) + sum(more.map((line) => line.length)))
}

/** [F151] Why nothing more can be kept of a session; null where it can. */
function noRoom(session: string, plan: Plan, place: Place): string | null {
  const [there, more] = [place.sizes.get(pathOf(session, place)), plan.sizes.get(session)]
  if (
    there === undefined &&
    more === undefined &&
    place.sizes.size + plan.sizes.size >= MAX_SESSIONS
  )
    return `there are ${MAX_SESSIONS} recorded sessions: delete some`
  if ((there ?? 0) + (more ?? 0) > MAX_SESSION)
    return `the record of its session is full (${MAX_SESSION} bytes)`
  return place.total > MAX_FOLDER
    ? `the recorded sessions are ${MAX_FOLDER} bytes: delete some`
    : null
}

function pathOf(session: string, { folder }: Place): string {
  return recordPath(folder, OTLP_FOLDER, session)
}

/** [F152] The session of each record: the conversation that it or its trace names, else its trace, else its process. */
function bySession(
  { records, home }: Batch,
  { traces }: Place,
): ReadonlyMap<string, readonly Taken[]> {
  const found = new Map<string, Taken[]>()
  for (const record of records) {
    const { group, trace } = record
    const known = trace === null ? undefined : traces.get(trace)
    const session = group ?? known ?? trace ?? home
    if (trace !== null && known === undefined) remember(trace, session, traces)
    const list = found.get(session)
    if (list === undefined) found.set(session, [record])
    else list.push(record)
  }
  return found
}

function remember(trace: string, session: string, traces: Map<string, string>): void {
  traces.delete(trace)
  traces.set(trace, session)
  if (traces.size <= MAX_TRACES) return
  for (const oldest of traces.keys()) {
    traces.delete(oldest)
    break
  }
}

/** [F152] A trace turns out to belong to a conversation: what came of it before moves there. */
async function settle(trace: string, session: string, place: Place): Promise<void> {
  if (place.traces.get(trace) === session) return
  remember(trace, session, place.traces)
  const [from, to] = [pathOf(trace, place), pathOf(session, place)]
  const size = place.sizes.get(from)
  if (from === to || size === undefined) return
  if (place.sizes.has(to)) {
    const text = await textIfThere(from)
    // One that is too large to be held stays a session of its own.
    if (text?.ok === false) return
    if (text !== null) await append(to, [text.value.trimEnd()], place)
    await rm(from, { force: true })
    place.total -= size
  } else {
    await rename(from, to).catch(ifGone)
    place.sizes.set(to, await sizeOf(to))
  }
  place.sizes.delete(from)
}

/** A person may delete a record at any time. */
function ifGone(error: unknown): void {
  if (!isMissing(error)) throw error
}

/** Complete exports of about a megabyte: a torn one costs no more than itself. */
function linesOf({ before, behind }: Batch, records: readonly Taken[]): readonly string[] {
  const lines: string[] = []
  let texts: string[] = []
  let size = 0
  const end = () => {
    if (texts.length > 0) lines.push(`${before}${texts.join(',')}${behind}`)
    texts = []
    size = 0
  }
  for (const { text } of records) {
    if (size + text.length > LINE) end()
    texts.push(text)
    size += text.length
  }
  end()
  return lines
}

async function append(path: string, lines: readonly string[], place: Place): Promise<number> {
  const before = place.sizes.get(path) ?? 0
  await appendLine(path, lines.join('\n'), false)
  const size = await sizeOf(path)
  place.sizes.set(path, size)
  place.total += size - before
  return Math.max(0, size - before)
}
