import type { TextStore } from '../../engine/import/shared/drafts.ts'
import { HEAD_BYTES, makeHead } from '../../engine/import/head.ts'
import { startImport } from '../../engine/import/run.ts'
import type { ImportedTranscript, Importer, RawLine, Source } from '../../engine/import/source.ts'
import { findImporter, finished } from '../../engine/import/table.ts'
import { plainEvents } from '../../engine/schema/event.ts'
import type { Problem, Result } from '../../engine/result.ts'
import { writeSessionFile } from '../../engine/session-file.ts'
import { openMembers } from '../archive.ts'
import { openDocument } from '../byte-document.ts'
import { decode, sniffEncoding } from '../encoding.ts'
import { readLines } from '../lines.ts'
import type { Random } from './random.ts'

/** Reads bytes as the host reads a file, in one go. */
export async function readBytes(bytes: Buffer): Promise<Result<ImportedTranscript>> {
  const source = await sourceOf(bytes)
  const importer = await findImporter(source)
  return importer.ok ? readSteps(source, importer.value, null) : importer
}

/** Recognising a file costs as much as reading a small one, and what it says twice is mostly known. */
const RECOGNISE_AGAIN = 16

/**
 * [I5] What must hold of any bytes: nothing throws, a refusal says what is wrong, places lie within
 * the file; a file that is read in small steps, looked at after each of them and with its texts kept
 * elsewhere, gives the same transcript; as native and back it has the same events.
 */
export async function checkAny(bytes: Buffer, random: Random): Promise<string | null> {
  const source = await sourceOf(bytes)
  const importer = await findImporter(source)
  if (!importer.ok) return silent(importer.error)
  const read = await readSteps(source, importer.value, null)
  if (!read.ok) return silent(read.error)
  const transcript = read.value
  const outside = placeOutside(transcript, bytes.length)
  if (outside !== null) return outside
  const plain = JSON.stringify(plainly(transcript))
  const again =
    random.below(RECOGNISE_AGAIN) === 0 ? await findImporter(await sourceOf(bytes)) : importer
  if (!again.ok || again.value !== importer.value) return 'taken for another format the second time'
  const looked = await readSteps(source, importer.value, random)
  if (!looked.ok) return 'refused when it is looked at while it is read'
  if (JSON.stringify(plainly(looked.value)) !== plain)
    return 'another transcript when it is looked at while it is read'
  return random.below(4) === 0 ? await checkNative(transcript) : null
}

function silent(refusal: Problem): string | null {
  return refusal.what === '' || refusal.do === '' ? 'a refusal says nothing' : null
}

async function checkNative(transcript: ImportedTranscript): Promise<string | null> {
  const again = await readBytes(Buffer.from(writeSessionFile(transcript)))
  if (!again.ok) return `as native it is refused: ${again.error.what}`
  if (again.value.problemTotal > 0)
    return `as native it has problems: ${again.value.problems[0]?.message ?? ''}`
  const same = JSON.stringify(turns(again.value)) === JSON.stringify(turns(transcript))
  return same ? null : 'as native and back it is another transcript'
}

function plainly(transcript: ImportedTranscript): unknown {
  const { format, problems, problemTotal, lines } = transcript
  // Some kinds are counted when a look is taken: their order says nothing.
  const skipped = Object.entries(transcript.skipped).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const sessions = transcript.sessions.map(({ texts, ...session }) => ({
    ...session,
    events: plainEvents({ ...session, texts }),
  }))
  return { format, problems, problemTotal, skipped, lines, sessions }
}

/** Sessions without places; a lone surrogate cannot be written as UTF-8. */
function turns(transcript: ImportedTranscript): unknown {
  const sessions = transcript.sessions.map(({ texts, ...session }) => ({
    ...session,
    events: plainEvents({ ...session, texts }).map((event) => ({ ...event, source: null })),
  }))
  return JSON.parse(Buffer.from(JSON.stringify(sessions)).toString()) as unknown
}

function placeOutside(transcript: ImportedTranscript, size: number): string | null {
  for (const { source } of transcript.sessions.flatMap((session) => session.events)) {
    if (source.file === undefined && source.offset + source.length > size)
      return `an event at ${source.offset}+${source.length} in ${size} bytes`
  }
  for (const { offset, length } of transcript.files.length > 0 ? [] : transcript.problems) {
    if (offset + length > size) return `a problem at ${offset}+${length} in ${size} bytes`
  }
  return null
}

async function sourceOf(bytes: Buffer): Promise<Source> {
  const start = bytes.subarray(0, HEAD_BYTES)
  const encoding = sniffEncoding(start)
  return {
    name: 'the file',
    size: bytes.length,
    head: makeHead(decode(start, encoding.name, encoding.bom), bytes.length <= start.length),
    lines: () => readLines(bytes),
    document: () => openDocument(bytes, {}),
    members: await openMembers(bytes, start),
  }
}

/** With `random`, in batches of a few lines, looked at now and then, with texts in a store. */
async function readSteps(
  source: Source,
  importer: Importer,
  random: Random | null,
): Promise<Result<ImportedTranscript>> {
  const small = random === null ? source : { ...source, lines: () => inBits(source, random) }
  const run = startImport(small, importer, random === null ? null : createTexts())
  const steps = run.steps()
  while ((await steps.next()).done !== true) {
    if (random !== null && random.below(3) === 0) run.snapshot()
  }
  if (random !== null) run.snapshot()
  return finished(source, run)
}

async function* inBits(source: Source, random: Random): AsyncGenerator<readonly RawLine[]> {
  for await (const batch of source.lines()) {
    for (let at = 0; at < batch.length;) {
      const to = at + 1 + random.below(8)
      yield batch.slice(at, to)
      at = to
    }
  }
}

function createTexts(): TextStore {
  const texts: string[] = []
  return { put: (text) => texts.push(text) - 1, get: (handle) => texts[handle] ?? '' }
}
