import { stat } from '../platform/files/fenced-fs.ts'
import { promisify } from 'node:util'
import { inflateRaw } from 'node:zlib'
import { z } from 'zod'
import { type JsonBounds, createJsonMeter } from '../../engine/json-bounds.ts'
import { createLru } from '../../engine/lru.ts'
import { type Result, err, messageOf, ok } from '../../engine/result.ts'
import { jsonAs } from '../platform/json.ts'
import { type ByteInput, byteRange, byteSize } from '../platform/files/byte-input.ts'

/** A file of the page author's workspace. It is shown by name, and never used automatically. */
interface PageDataFile {
  readonly kind: 'preset' | 'domain file' | 'model profile'
  readonly name: string
}

/** Contents of an exported page, read as data: none of its code has run. */
export interface PageContents {
  /** Lines of the native format. */
  readonly session: Uint8Array
  /** Lines of a labels file. */
  readonly labels: string | null
  /** The text of a domain file that was edited and not saved. */
  readonly draft: { readonly file: string; readonly text: string } | null
  readonly data: readonly PageDataFile[]
}

/** [U125] Resource limits of a page. */
interface PageLimits {
  readonly pageBytes: number
  readonly unpackedBytes: number
  readonly files: number
}

const PAGE_LIMITS: PageLimits = {
  pageBytes: 400_000_000,
  // A little less than what fits into one text.
  unpackedBytes: 500_000_000,
  files: 5000,
}

/** The mark that our exporter writes near the beginning. */
const MARK = /^\s*<!doctype html>[^]{0,4000}<meta name="generator" content="Turnscope /iu
const HEAD = 8192
const OPENING = '<script type="text/plain" id="files">'
const CLOSING = '</script>'

/** Whether the first characters of a file are those of an exported page. */
export function looksLikePage(start: string): boolean {
  return MARK.test(start.slice(0, HEAD))
}

/**
 * [U125] The contents of an exported page. The file is untrusted: its scripts are not looked at, of all that
 * it holds only the packed files are read, bounded in size before and while they are unpacked.
 */
export async function readPageFile(
  input: ByteInput,
  where: string,
  limits: PageLimits = PAGE_LIMITS,
): Promise<Result<PageContents>> {
  const wrong = (what: string) =>
    err({ what, where, do: 'Ask for the page again, or its session as JSONL' })
  const size = await byteSize(input)
  if (size > limits.pageBytes)
    return wrong(`the page is larger than ${megabytes(limits.pageBytes)}, the most that is read`)
  const bytes = await byteRange(input, 0, size)
  const opening = bytes.indexOf(OPENING)
  const start = opening + OPENING.length
  const end = bytes.indexOf(CLOSING, start)
  if (opening < 0 || end < 0) return wrong('the exported page is cut off: its files are not in it')
  const unpacked = await unpack(bytes.toString('latin1', start, end), limits.unpackedBytes)
  if (!unpacked.ok) return wrong(unpacked.error)
  const excess = createJsonMeter(boundsOf(limits)).push(unpacked.value)
  if (excess === 'values' || excess === 'items' || excess === 'names')
    return wrong(`the page holds more than ${limits.files} files`)
  const text = excess === null ? unpacked.value.toString('utf8') : ''
  const files = jsonAs(z.record(z.string().max(4096), z.string()), text)
  if (files === null) return wrong('the files in the exported page cannot be read')
  const paths = Object.keys(files)
  const path = paths.find((each) => SESSION.test(each) && !each.endsWith('.labels.jsonl'))
  if (path === undefined) return wrong('the exported page holds no session')
  return ok({
    session: Buffer.from(files[path] ?? ''),
    labels: files[path.replace(/\.jsonl$/u, '.labels.jsonl')] ?? null,
    draft: draftIn(files),
    data: paths.flatMap(dataFile),
  })
}

/** [F206] The files are one object of texts: anything else is refused before it is built. */
function boundsOf({ files }: PageLimits): JsonBounds {
  return { values: files + 1, depth: 1, items: files, names: files, digits: 1000 }
}

const megabytes = (bytes: number) => `${Math.floor(bytes / 1_000_000)} MB`

const inflate = promisify(inflateRaw) as (
  bytes: Uint8Array,
  options: { readonly maxOutputLength: number },
) => Promise<Buffer>

async function unpack(base64: string, most: number): Promise<Result<Buffer, string>> {
  try {
    const packed = Buffer.from(base64, 'base64')
    return ok(await inflate(packed, { maxOutputLength: most }))
  } catch (error) {
    const isLarge =
      error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
    if (isLarge) return err(`its files unpack to more than ${megabytes(most)}, as a bomb does`)
    return err(`its packed files are damaged (${messageOf(error)})`)
  }
}

const SESSION = /^\/workspace\/[^/]+\.jsonl$/u
const DRAFT = /^\/workspace\/\.turnscope\/drafts\/(.+)-[0-9a-f]+\/current\.json$/u
const DATA = /^\/workspace\/profiles\/(presets|domains|models)\/([^/]+)\.(?:ya?ml|json)$/u
const KINDS = { presets: 'preset', domains: 'domain file', models: 'model profile' } as const

const StoredText = z.object({ text: z.string().max(5_000_000) })

function draftIn(files: Readonly<Record<string, string>>): PageContents['draft'] {
  for (const [path, text] of Object.entries(files)) {
    const [, file] = DRAFT.exec(path) ?? []
    const draft = file === undefined ? null : jsonAs(StoredText, text)
    if (file !== undefined && draft !== null) return { file, text: draft.text }
  }
  return null
}

function dataFile(path: string): readonly PageDataFile[] {
  const [, folder, name] = DATA.exec(path) ?? []
  if (name === undefined || (folder !== 'presets' && folder !== 'domains' && folder !== 'models'))
    return []
  return [{ kind: KINDS[folder], name }]
}

/** Pages that labels were asked of: unpacking one each time would be felt. */
const known = createLru<string, PageContents | null>(4)

/** [U126] The labels in an exported page; null for every other file. */
export async function labelsInPage(path: string): Promise<string | null> {
  const info = await stat(path).catch(() => null)
  if (info?.isFile() !== true) return null
  const key = `${info.mtimeMs} ${info.size} ${path}`
  const before = known.get(key)
  if (before !== undefined) return before?.labels ?? null
  const start = await byteRange(path, 0, HEAD)
  if (!looksLikePage(start.toString('utf8'))) return null
  const page = await readPageFile(path, path)
  known.set(key, page.ok ? page.value : null)
  return page.ok ? page.value.labels : null
}
