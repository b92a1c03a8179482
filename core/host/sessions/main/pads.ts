import { randomBytes } from 'node:crypto'
import { appendFile, mkdir, readdir, rm, stat } from '../../platform/files/fenced-fs.ts'
import { join } from 'node:path'
import { z } from 'zod'
import { SCHEMA_VERSION, SessionHeader } from '../../../engine/session-file.ts'
import { SCRATCH_EVENT, type ScratchText } from '../../../engine/schema/scratch.ts'
import { Scratch } from '../../../wire/scratch.ts'
import { writeFileAtomic } from '../../platform/files/atomic-file.ts'
import { readText } from '../../platform/files/regular-file.ts'
import { jsonAs } from '../../platform/json.ts'
import { refusal } from '../../platform/threads/refusal.ts'

/** [U165] Maximum stored scratch sessions. The oldest that no window has open are removed first. */
const MOST_PADS = 20
/** UTF-16 units of a recorded session that can be branched: it is written twice. */
export const MOST_RECORDED = 32 * 1024 ** 2

const PadFile = Scratch.extend({
  /** [D70] True if the typed texts are the only content of the operator in it. */
  isSample: z.boolean(),
})
type Pad = Readonly<z.infer<typeof PadFile>>

/** Initial content of a scratch session. */
export type PadStart = Pick<Pad, 'title' | 'from' | 'isSample'> & {
  /** Lines of the recorded session, its header first; null = begun empty. */
  readonly recorded: readonly string[] | null
}

type PadChange = Pick<Pad, 'written' | 'undone' | 'rest'>

/**
 * [U165] Scratch sessions in `<folder>/scratch/ID`, readable by their owner only. `pad.json` holds the written texts.
 * `session.jsonl` is the transcript that is opened, in the native format. For a branch, the recorded session comes
 * before it in the same file, so that the same rules replay both and they can be compared.
 */
export interface Pads {
  begin(start: PadStart): Promise<string>
  read(id: string): Promise<Pad>
  /** The transcript of a scratch session. */
  path(id: string): string
  write(id: string, change: PadChange): Promise<void>
  /** Counts windows that show it: +1 when one opens it, -1 when one closes it. A displayed session is not removed. */
  use(id: string, by: 1 | -1): void
}

export function createPads(folder: string): Pads {
  const users = new Map<string, number>()
  const all = join(folder, 'scratch')
  const at = (id: string, file: string) => join(all, id, file)
  const path = (id: string) => at(id, 'session.jsonl')

  async function read(id: string): Promise<Pad> {
    const text = await readText(at(id, 'pad.json')).catch(() => null)
    const pad = text === null ? null : jsonAs(PadFile, text)
    if (pad !== null) return pad
    throw refusal({
      what: 'this host does not have the scratch session any more',
      where: id,
      do: 'Begin a new one, with N',
    })
  }

  const keep = (file: string, id: string, text: string) =>
    writeFileAtomic(at(id, file), text, { isPrivate: true })

  async function recordedOf(id: string): Promise<readonly string[]> {
    const text = await readText(at(id, 'recorded.jsonl'))
    return text.split('\n').slice(0, -1)
  }

  /** All that the transcript says now. */
  async function transcriptOf(pad: Pad): Promise<string> {
    const typed = pad.written.map(lineOf)
    if (pad.from === null)
      return textOf([headerOf({ id: 'scratch', title: pad.title, scratch: true }), ...typed])
    const [head = '', ...events] = await recordedOf(pad.id)
    const own = events.slice(0, pad.from.seq)
    const rest = pad.rest ? events.slice(pad.from.seq + 1) : []
    const { startedAt, cwd } = jsonAs(SessionHeader, head) ?? {}
    const of = { id: 'branch', title: pad.title, startedAt, cwd, scratch: true }
    const branch = headerOf(of)
    return textOf([head, ...events, branch, ...own, ...typed, ...rest])
  }

  return {
    path,
    read,
    use: (id, by) => void users.set(id, (users.get(id) ?? 0) + by),
    begin: async ({ recorded, ...start }) => {
      await removeOldest(all, (id) => (users.get(id) ?? 0) > 0)
      const id = randomBytes(9).toString('base64url')
      const pad = { ...start, id, written: [], undone: [], rest: false }
      await mkdir(join(all, id), { recursive: true, mode: 0o700 })
      if (recorded !== null) await keep('recorded.jsonl', id, textOf(asRecorded(recorded)))
      await keep('session.jsonl', id, await transcriptOf(pad))
      await keep('pad.json', id, JSON.stringify(pad))
      return id
    },
    write: async (id, change) => {
      const before = await read(id)
      const pad = { ...before, ...change }
      // If the scratch session only gets longer, its new texts are appended, and the window stays unchanged.
      const added = addedTo(before, pad)
      await keep('pad.json', id, JSON.stringify(pad))
      if (added === null) await keep('session.jsonl', id, await transcriptOf(pad))
      else if (added.length > 0) await appendFile(path(id), textOf(added.map(lineOf)))
    },
  }
}

/** Texts appended to the file; null if the file changes in any other way. */
function addedTo(before: Pad, now: Pad): readonly ScratchText[] | null {
  const isTail = now.rest === before.rest && !now.rest
  const isLonger = before.written.every(
    ({ kind, text }, at) => now.written[at]?.kind === kind && now.written[at].text === text,
  )
  if (before.rest && now.rest && isLonger && now.written.length === before.written.length) return []
  return isTail && isLonger ? now.written.slice(before.written.length) : null
}

function lineOf({ kind, text }: ScratchText): string {
  return JSON.stringify({ kind: SCRATCH_EVENT[kind], text })
}

function headerOf(of: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ type: 'session', schemaVersion: SCHEMA_VERSION, ...of })
}

/** The recorded session is in the same file as its branch, with a separate name and no parent. */
function asRecorded([head = '', ...events]: readonly string[]): readonly string[] {
  const { title = '', startedAt, cwd } = jsonAs(SessionHeader, head) ?? {}
  return [headerOf({ id: 'recorded', title: `As recorded: ${title}`, startedAt, cwd }), ...events]
}

function textOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('')
}

async function removeOldest(all: string, isOpen: (id: string) => boolean): Promise<void> {
  const ids = await readdir(all).catch(() => [])
  const dated = await Promise.all(
    ids.map(async (id) => {
      const info = await stat(join(all, id, 'pad.json')).catch(() => null)
      return { id, at: info?.mtimeMs ?? 0 }
    }),
  )
  const old = dated.toSorted((a, b) => b.at - a.at).slice(MOST_PADS - 1)
  for (const { id } of old) {
    if (!isOpen(id)) await rm(join(all, id), { recursive: true, force: true })
  }
}
