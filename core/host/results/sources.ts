import { randomBytes } from 'node:crypto'
import { lstat, mkdir, rmSync, writeFile } from '../platform/files/fenced-fs.ts'
import { processFolder } from '../platform/files/process-folder.ts'
import { basename, join } from 'node:path'
import { createLru } from '../../engine/lru.ts'
import type { ResultsPlace } from '../../engine/schema/results.ts'
import { SCHEMA_VERSION } from '../../engine/session-file.ts'
import type { LocatedFile } from '../../wire/internal/session.ts'
import type { Output } from '../../wire/rpc.ts'
import type { ResultsThreadContract } from '../../wire/threads.ts'
import { foldersOf } from '../batch/folders.ts'
import { readLineStarts } from '../batch/line-starts.ts'
import { LAYOUT } from '../batch/plan-schema.ts'
import { readBytes } from '../platform/files/regular-file.ts'
import { refusal } from '../platform/threads/refusal.ts'
import { createQueue } from '../platform/threads/shared-work.ts'
import { type LinePlaces, openLinePlaces } from './line-places.ts'
import type { Results } from './results.ts'
import { type SourceRow, sessionRows } from './source-session.ts'
import { type SourceFile, findSource } from './source-file.ts'

/** Sessions whose rows are kept: the one that is asked about is opened a moment later. */
const KEPT = 8

/** The sources behind rows of results. */
interface Sources {
  readonly place: (
    results: Results,
    place: ResultsPlace,
  ) => Promise<Output<ResultsThreadContract, 'results.place'>>
  readonly write: (
    results: Results,
    of: { readonly file: string; readonly session: string; readonly folder: string },
  ) => Promise<LocatedFile>
  readonly close: () => Promise<void>
}

/** @param base where relative paths of sources start */
export function createSources(base: string): Sources {
  const scratch = processFolder('turnscope-sources')
  const lines = new Map<string, Promise<LinePlaces>>()
  const kept = createLru<string, readonly SourceRow[]>(KEPT)
  // Serialized, so that later calls reuse data already read, and the scratch folder holds lines of one session at a
  // time.
  const inTurn = createQueue()

  const linesOf = (results: Results, source: SourceFile): Promise<LinePlaces> => {
    const open = lines.get(source.path) ?? openLines(results, source)
    lines.set(source.path, open)
    return open
  }

  const rowsOf = (results: Results, file: string, session: string) =>
    inTurn(() => readRows(results, file, session))

  async function readRows(results: Results, file: string, session: string) {
    const source = await findSource(results.files, file, base)
    const key = JSON.stringify([results.files.folder, source.path, session])
    const known = kept.get(key)
    if (known !== undefined) return known
    const wanted = { source, session, scratch, lines: () => linesOf(results, source) }
    const rows = await sessionRows(results, wanted)
    kept.set(key, rows)
    return rows
  }

  return {
    place: async (results, { file, row, session, turn }) => {
      const { planned, path } = await findSource(results.files, file, base)
      if (planned.kind === 'transcript') {
        const own = session.startsWith(`${file}#`) ? session.slice(file.length + 1) : null
        return { source: { kind: 'path', path }, session: own, turn: turn - 1, event: null }
      }
      const rows = await rowsOf(results, file, session)
      const event = rows.findIndex((each) => each.row === row)
      if (event < 0)
        throw refusal({
          what: `row ${row} of this source is not one of session "${session}"`,
          where: path,
          do: 'Run the batch again',
        })
      const source = { kind: 'result', results: results.files.folder, file, session } as const
      return { source, session: null, turn: null, event }
    },
    write: async (results, { file, session, folder }) => {
      const rows = await rowsOf(results, file, session)
      const header = {
        type: 'session',
        schemaVersion: SCHEMA_VERSION,
        id: session,
        title: `${session} in ${basename(file)}`,
      }
      const events = rows.map(({ kind, message }) => ({ kind, text: message }))
      const text = [header, ...events].map((line) => `${JSON.stringify(line)}\n`).join('')
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const path = join(folder, `${randomBytes(9).toString('base64url')}.jsonl`)
      await writeFile(path, text, { mode: 0o600 })
      // No path for labels, which would be stored next to it: this is not a file of the operator.
      return { path, shown: null, name: header.title, fixed: 'a session of a table', map: null }
    },
    close: async () => {
      for (const places of lines.values()) await (await places).close().catch(() => undefined)
      rmSync(scratch, { recursive: true, force: true })
    },
  }
}

/** Lines of a source by the places that the batch has written, if it is still there. */
async function openLines({ files }: Results, source: SourceFile): Promise<LinePlaces> {
  const at = files.manifest.plan.files.indexOf(source.planned)
  const kept = foldersOf(files.folder).lineStarts(at)
  // Batches of before wrote the place of another line in so many.
  const isKnown = files.manifest.plan.layout === LAYOUT
  // [F143] A link may lead anywhere; results without the places are as good, and slower.
  const isThere = (isKnown && (await lstat(kept).catch(() => null))?.isFile()) ?? false
  if (!isThere) return openLinePlaces(source.path)
  return openLinePlaces(source.path, readLineStarts(await readBytes(kept), source.planned.size))
}
