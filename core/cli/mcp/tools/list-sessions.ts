import { stat } from '../../../host/platform/files/fenced-fs.ts'
import { join } from 'node:path'
import { z } from 'zod'
import { counted } from '../../../engine/result.ts'
import { listSamples } from '../../../host/transcripts/samples.ts'
import { isTranscript } from '../../../host/transcripts/read-transcript.ts'
import { walkFolder } from '../../../host/platform/files/walk.ts'
import { liveStatus } from '../../../host/hook/status.ts'
import type { Waiting } from '../../../host/corpus/waiting.ts'
import { HOME } from '../../../place.ts'
import { packageVersion } from '../../../version.ts'
import { CommandError, valueOrFail } from '../../kit/output.ts'
import type { Desk } from '../desk.ts'
import { CURSOR, NEXT, clipped, pageFrom, pageOf, startOf } from '../page.ts'
import { READS, tool } from '../tool.ts'

const Listed = z.object({
  file: z.string().describe('What other tools take as the file.'),
  title: z.string().nullable(),
  bytes: z.int(),
  changed: z.string().nullable().describe('ISO time of the last change.'),
})
type Listed = z.infer<typeof Listed>

const Output = z.object({
  sessions: z.array(Listed),
  outside: z
    .int()
    .describe('Entries that were left out because they lie outside of what this server may read.'),
  folders: z
    .array(z.string())
    .describe('Other folders and files that may be read; `folder` lists one.'),
  ...NEXT,
})

/** `turnscope library list`, recent files, samples and what hooks recorded, in one list. */
export const listSessions = tool({
  name: 'list_sessions',
  title: 'List sessions',
  description:
    'Lists transcripts: of the workspace (default) or another allowed folder, recently opened ones, sample sessions that ship, or live ones that hooks of running agents recorded.',
  input: z.strictObject({
    where: z.enum(['folder', 'recent', 'samples', 'live']).default('folder'),
    folder: z.string().max(4096).optional().describe('With where=folder; default: the workspace.'),
    ...CURSOR,
  }),
  output: Output,
  hints: READS,
  run: async (desk, { where, folder, cursor }, waiting) => {
    const found =
      where === 'folder'
        ? await ofFolder(desk, folder ?? '.', { cursor, waiting })
        : await ofList(desk, await LISTS[where](desk), cursor)
    const { shown, lines, next, outside } = found
    const left = outside === 0 ? '' : `; ${outside} outside of what this server may read`
    const folders = desk.places.roots.slice(1)
    const head = `${counted(shown.length, 'transcript')}${left}`
    const others = folders.length === 0 ? [] : [`also allowed: ${folders.join(', ')}`]
    const end = next === null ? [] : [`more: cursor "${next}"`]
    return {
      value: { sessions: [...shown], outside, folders, next },
      text: [head, ...lines, ...others, ...end].join('\n'),
    }
  },
})

const lineOf = ({ file, title, bytes }: Listed) =>
  `${file}  ${bytes} bytes${title === null ? '' : `  ${title}`}`

interface Entry {
  readonly path: string
  readonly title: string | null
}

/** A folder's transcripts; each is looked into, so only as many as fit into the answer. */
async function ofFolder(
  desk: Desk,
  folder: string,
  { cursor, waiting }: { readonly cursor: string | undefined; readonly waiting: Waiting },
) {
  const { signal, onProgress } = waiting
  const root = await desk.places.real(folder)
  if (!(await stat(root)).isDirectory())
    throw new CommandError({ what: 'this is a file', where: folder, do: 'open_session opens it' })
  const { files } = await walkFolder(root, signal)
  const formats = valueOrFail(await desk.formats())
  const start = startOf(cursor)
  const found: Listed[] = []
  // Positions in the walk: the next page resumes after the entries already read.
  const ends: number[] = []
  for (let at = start; at < files.length && found.length < MOST; at += 1) {
    const file = files[at]
    onProgress?.(at - start, files.length - start)
    if (file === undefined || !(await isTranscript(join(root, file.path), signal, formats)))
      continue
    const changed = new Date(file.modifiedAt).toISOString()
    const shown = desk.places.shown(join(root, file.path))
    found.push({ file: shown, title: null, bytes: file.bytes, changed })
    ends.push(at + 1)
  }
  const isAll = (ends.at(-1) ?? files.length) >= files.length || found.length < MOST
  const page = pageOf(found, lineOf, { more: !isAll })
  const next = page.next === null ? null : String(ends[page.shown.length - 1] ?? files.length)
  return { ...page, next, outside: 0 }
}

/** Transcripts of one answer. */
const MOST = 40

const LISTS: Readonly<
  Record<'recent' | 'samples' | 'live', (desk: Desk) => Promise<readonly Entry[]>>
> = {
  recent: async (desk) => (await desk.recent()).map(({ path, name }) => ({ path, title: name })),
  samples: async () =>
    (await listSamples(HOME)).map(({ sample: { title }, path }) => ({ path, title })),
  live: async ({ live }) => {
    if (live === null)
      throw new CommandError({
        what: 'live sessions may not be read',
        where: 'list_sessions',
        do: 'Ask the person to start the server with --live: turnscope mcp --live',
      })
    const { sessions } = await liveStatus(live, packageVersion())
    return sessions.map(({ path, title, agent }) => ({ path, title: `${agent}: ${title}` }))
  },
}

async function ofList(desk: Desk, entries: readonly Entry[], cursor: string | undefined) {
  const inside: Listed[] = []
  for (const { path, title } of entries) {
    const info = (await desk.places.isInside(path)) ? await stat(path).catch(() => null) : null
    if (info === null) continue
    const changed = new Date(info.mtimeMs).toISOString()
    const name = title === null ? null : clipped(title, 120)
    inside.push({ file: desk.places.shown(path), title: name, bytes: info.size, changed })
  }
  return { ...pageFrom(inside, cursor, lineOf), outside: entries.length - inside.length }
}
