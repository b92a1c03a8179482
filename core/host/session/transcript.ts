import { stat } from 'node:fs/promises'
import type { EventIndex, SessionHead } from '../../contract.ts'
import type { ImportedTranscript } from '../../engine/import/source.ts'
import { IMPORTERS } from '../../engine/import/table.ts'
import type { Result } from '../../engine/result.ts'
import { err, ok } from '../../engine/result.ts'
import { EventKind } from '../../engine/schema/event.ts'
import type { Session } from '../../engine/schema/session.ts'
import { turnsOf } from '../../engine/turns.ts'
import { byteRange } from '../byte-input.ts'
import { readTranscript } from '../read-transcript.ts'

/** A transcript held in memory, with what is needed to show its bytes later. */
export interface OpenTranscript {
  readonly path: string
  readonly bytes: number
  readonly transcript: ImportedTranscript
  readonly formatLabel: string
  readonly seal: Seal
}

/** What the file looked like when it was read. */
interface Seal {
  readonly size: number
  readonly changedAt: number
  readonly head: Buffer
  readonly tail: Buffer
}

interface OpenOptions {
  readonly signal?: AbortSignal
  /** Bytes read so far, bytes in all. */
  readonly onProgress?: (done: number, total: number) => void
}

/** Reads and imports one transcript file. */
export async function openTranscript(
  path: string,
  options: OpenOptions = {},
): Promise<Result<OpenTranscript>> {
  // Sealed before it is read: a line appended meanwhile then shows as growth, not as a change.
  const seal = await sealOf(path).catch(() => null)
  const read = await readTranscript(path, options)
  if (!read.ok) return read
  if (seal === null) return err(gone(path))
  const { format } = read.value
  return ok({
    path,
    bytes: seal.size,
    transcript: read.value,
    formatLabel: IMPORTERS.find((importer) => importer.name === format)?.label ?? format,
    seal,
  })
}

const SEAL_BYTES = 4096

async function sealOf(path: string): Promise<Seal> {
  const { size, mtimeMs } = await stat(path)
  const [head, tail] = await edges(path, size)
  return { size, changedAt: mtimeMs, head, tail }
}

function edges(path: string, size: number): Promise<[Buffer, Buffer]> {
  const length = Math.min(size, SEAL_BYTES)
  return Promise.all([byteRange(path, 0, length), byteRange(path, size - length, length)])
}

/**
 * Whether offsets of an opened transcript still mean the same bytes. A file that has only grown (an
 * agent is still writing) passes: its old beginning and end are where they were.
 */
export async function checkUnchanged(opened: OpenTranscript): Promise<Result<null>> {
  const { path, seal } = opened
  const now = await stat(path).catch(() => null)
  if (!now) return err(gone(path))
  if (now.size === seal.size && now.mtimeMs === seal.changedAt) return ok(null)
  const [head, tail] = await edges(path, seal.size)
  if (now.size >= seal.size && head.equals(seal.head) && tail.equals(seal.tail)) return ok(null)
  return err({ what: 'the file changed since it was opened', where: path, do: 'Open it again' })
}

function gone(path: string) {
  return { what: 'the file is not there any more', where: path, do: 'Open it again' }
}

/** Heads of all sessions of a file, for the library. */
export function sessionHeads(transcript: ImportedTranscript): SessionHead[] {
  return transcript.sessions.map((session, index) => {
    const kinds: Partial<Record<EventKind, number>> = {}
    for (const { kind } of session.events) kinds[kind] = (kinds[kind] ?? 0) + 1
    const { id, title, thread, parent, startedAt, cwd, events } = session
    return { index, id, title, thread, parent, startedAt, cwd, events: events.length, kinds }
  })
}

/** The light index of one session: kind, time, size and exchange of every event, as columns. */
export function eventIndex(session: Session): EventIndex {
  const codes = new Map(EventKind.options.map((kind, code) => [kind, code]))
  let current = -1
  const exchange = session.events.map((event) => {
    if (event.kind === 'user') current += 1
    return current
  })
  return {
    kind: session.events.map((event) => codes.get(event.kind) ?? 0),
    at: session.events.map((event) => event.at ?? 0),
    chars: session.events.map((event) => event.text.length),
    exchange,
  }
}

/** Turns of a file's main threads by the default of L8 (user messages and tool results). */
export function countTurns({ sessions }: ImportedTranscript): number {
  const classify = { user: true, agent: false, tool: true }
  const main = sessions.filter((session) => session.parent === null)
  return main.reduce((sum, session) => sum + turnsOf(session.events, classify).length, 0)
}
