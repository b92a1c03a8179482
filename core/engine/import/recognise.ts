import { err, ok, type Result } from '../result.ts'
import { generic } from './generic/importer.ts'
import { deeperHead, headOfValues, type Head } from './head.ts'
import { recordsOfLine } from './json/line-records.ts'
import { outlineOf } from './json/outline.ts'
import { notThisFormat, unknownFile, type Nothing } from './refusals.ts'
import type { ImportRun } from './run.ts'
import { isList, isObject } from './shared/guards.ts'
import { createLog } from './shared/import-log.ts'
import { beginsAsJson } from './shared/line-blocks.ts'
import type { ImportedTranscript, Importer, Members, Source } from './source.ts'
import { IMPORTERS } from './table.ts'

// Which row of the table a file belongs to, and what becomes of one that no row knows.

/** [I80] The last row accepts nearly any list of messages, so it is tried only if no format recognises the head. */
const KNOWN: readonly Importer[] = IMPORTERS.filter((row) => row !== generic)

/** The row of a file, and its beginning as that row has to see it. */
export interface Recognised {
  readonly importer: Importer
  readonly head: Head
}

/** Formats that a file may have beside those of the table (I140). */
export interface OwnFormats {
  /** Those of the workspace: asked after the formats that know their files, before the one that guesses. */
  readonly own: readonly Importer[]
  /** The format that the operator chose. It reads the file regardless of its content. */
  readonly chosen: Importer | null
}

export const NO_OWN_FORMATS: OwnFormats = { own: [], chosen: null }

/** Finds the first importer that recognises a file. */
export async function findImporter(
  source: Source,
  formats: OwnFormats = NO_OWN_FORMATS,
): Promise<Result<Recognised>> {
  if (source.size === 0) {
    return err({
      what: 'the file is empty',
      where: source.name,
      do: 'Choose a transcript that has been written to',
    })
  }
  if (source.members !== null) return ofMembers(source, source.members)
  if (formats.chosen !== null) return ok({ importer: formats.chosen, head: source.head })
  const found = await recognise(source, formats)
  return 'importer' in found ? ok(found) : err(unknownFile(source, found, IMPORTERS))
}

async function recognise(source: Source, formats: OwnFormats): Promise<Recognised | Nothing> {
  const { head } = source
  const importer = pick(head)
  if (importer !== undefined && !(head.cut === 'first' && importer.shares))
    return { importer, head }
  const known = importer ?? other(head, formats)
  if (head.cut === 'first' || (head.cut === 'later' && known === undefined)) {
    const deep = await searchWhole(source, formats)
    if (deep !== null) return deep
  }
  return known === undefined ? searchFurther(source, formats) : { importer: known, head }
}

/** [I103] The deciding member may follow a long list in the first record, so that record is read as a whole. */
async function searchWhole(
  source: Source,
  formats: OwnFormats,
): Promise<Recognised | Nothing | null> {
  const outline = await outlineOf(await source.document())
  if (outline === null) return null
  const head = deeperHead(source.head, outline.value)
  const importer = pick(head) ?? other(head, formats)
  if (importer !== undefined) return { importer, head }
  // Lines are searched next, and this was all of them.
  return outline.alone ? { lines: 1, first: source.head.text.slice(0, 120) } : null
}

/** [I140] A mapping states how to recognise its format, so it precedes the format that guesses (I80). */
function other(head: Head, { own }: OwnFormats): Importer | undefined {
  return own.find((row) => row.detect(head)) ?? (generic.detect(head) ? generic : undefined)
}

function ofMembers(source: Source, { names, refusal }: Members): Result<Recognised> {
  if (refusal !== null) return err({ ...refusal, where: `${source.name}: ${refusal.where}` })
  const found = IMPORTERS.find((row) => row.detectMembers?.(names) === true)
  if (found !== undefined) return ok({ importer: found, head: source.head })
  return err({
    what: 'no member of the archive is a transcript that any format knows',
    where: source.name,
    do: 'Unpack it, and open the folder or one of its files',
  })
}

/** [I109] Below this share of what says something, the format is another one that shares some records. */
const LEAST_READ = 0.5

/** Refuses the result if it is empty, or covers less than half of the file's content. */
export function judged(
  source: Source,
  run: ImportRun,
  transcript: ImportedTranscript,
): Result<ImportedTranscript> {
  if (run.share() < LEAST_READ)
    return err(notThisFormat(source, run.importer, transcript, IMPORTERS))
  if (transcript.sessions.length > 0) return ok(transcript)
  const known = run.nothing()
  if (known !== null) return err({ ...known, where: `${source.name}, ${known.where}` })
  const { lines, problems, skipped } = transcript
  const kinds = Object.keys(skipped)
  if (problems.length === 0 && kinds.length > 0) {
    return err({
      what: `in this file (${run.importer.label}) nothing is said: it holds only ${kinds.slice(0, 5).join(', ')}`,
      where: source.name,
      do: 'Open it again when the conversation has begun, or choose another file',
    })
  }
  return err(unknownFile(source, { lines, first: problems[0]?.preview ?? '' }, IMPORTERS))
}

/**
 * [I1] A stray record of another format further down must not decide, so the values are tried one
 * after the other. Each value is checked once, alone: a foreign file may hold thousands of them.
 */
function pick(head: Head): Importer | undefined {
  const { values } = head
  const written = pickText(head)
  if (written !== undefined) return written
  for (const value of values) {
    const alone = { ...head, text: '', values: [value], objects: isObject(value) ? [value] : [] }
    const found = KNOWN.find((row) => row.detect(alone))
    if (found !== undefined) return found
  }
  return pickItems(head)
}

/** Text formats examine only the text, even if it quotes lines of JSON. */
function pickText({ layout, text }: Head): Importer | undefined {
  if (text === '' || layout === 'document' || beginsAsJson(text)) return undefined
  const head: Head = { layout: 'text', text, values: [], objects: [] }
  return KNOWN.find((row) => row.detect(head)) ?? seekIn(text.split('\n'), seekersOf())
}

/** Records of a format whose files are lines, put into one list. */
function pickItems({ layout, values }: Head): Importer | undefined {
  const list = layout === 'document' && values.length === 1 ? values[0] : null
  return isList(list) ? pick(headOfValues(list.slice(0, BATCH))) : undefined
}

const BATCH = 50

interface Seeker {
  readonly row: Importer
  readonly seek: (line: string) => boolean
}

function seekIn(lines: readonly string[], seekers: readonly Seeker[]): Importer | undefined {
  if (seekers.length === 0) return undefined
  for (const line of lines) {
    const found = seekers.find(({ seek }) => seek(line))
    if (found !== undefined) return found.row
  }
  return undefined
}

/** [I104] A search not yet begun for each format of text whose files may begin with something else. */
function seekersOf(): readonly Seeker[] {
  return KNOWN.flatMap((row) => (row.seek === undefined ? [] : [{ row, seek: row.seek() }]))
}

/** The beginning was not recognised (a comment, a torn record, a block of NULs): the rest is searched. */
async function searchFurther(source: Source, formats: OwnFormats): Promise<Recognised | Nothing> {
  const { head } = source
  const scratch = createLog()
  let values: unknown[] = []
  let first = ''
  let lines = 0
  const match = (): Recognised | undefined => {
    const here = headOfValues(values)
    const importer = pick(here) ?? other(here, formats)
    return importer === undefined ? undefined : { importer, head }
  }
  const seekers = beginsAsJson(source.head.text) ? [] : seekersOf()
  for await (const batch of source.lines()) {
    const written = seekIn(
      batch.map((line) => line.text),
      seekers,
    )
    if (written !== undefined) return { importer: written, head }
    for (const line of batch) {
      if (line.text.trim() === '') continue
      lines += 1
      if (first === '') first = line.text.slice(0, 120)
      recordsOfLine(line, scratch, (value) => values.push(value))
    }
    if (values.length < BATCH) continue
    const found = match()
    if (found !== undefined) return found
    values = []
  }
  return match() ?? { lines, first }
}
