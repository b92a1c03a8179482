import { err, ok } from '../result.ts'
import type { Problem, Result } from '../result.ts'
import { claudeCode } from './claude-code.ts'
import { isObject } from './guards.ts'
import { headOfValues } from './head.ts'
import type { Head } from './head.ts'
import { createLedger } from './ledger.ts'
import type { TextStore } from './drafts.ts'
import { recordsOfLine } from './line-records.ts'
import { native } from './native.ts'
import { openaiMessages } from './openai-messages.ts'
import { startImport } from './run.ts'
import type { ImportRun } from './run.ts'
import type { ImportedTranscript, Importer, Source } from './source.ts'

/** [I1] The formats. The first record that any row knows decides, and among rows the first. */
export const IMPORTERS: readonly Importer[] = [native, claudeCode, openaiMessages]

/** Finds the importer of a file: the first that knows it. */
export async function findImporter(source: Source): Promise<Result<Importer>> {
  if (source.size === 0) {
    return err({
      what: 'the file is empty',
      where: source.name,
      do: `Choose a transcript: ${formatList()}`,
    })
  }
  if (source.members !== null) return ofMembers(source, source.members.names)
  const found = pick(source.head) ?? (await searchFurther(source))
  return 'read' in found ? ok(found) : err(unknown(source, found))
}

function ofMembers(source: Source, names: readonly string[]): Result<Importer> {
  const found = IMPORTERS.find((row) => row.detectMembers?.(names) === true)
  if (found !== undefined) return ok(found)
  return err({
    what: 'no member of the archive is a transcript that any format knows',
    where: source.name,
    do: 'Unpack it, and open the folder or one of its files',
  })
}

/** Reads a whole file with the first importer that knows it. */
export async function importSource(
  source: Source,
  texts: TextStore | null = null,
): Promise<Result<ImportedTranscript>> {
  const importer = await findImporter(source)
  if (!importer.ok) return importer
  const run = startImport(source, importer.value, texts)
  for await (const _ of run.steps()) continue
  return finished(source, run)
}

/** What a run has read at the end of its file; a file without any session is refused. */
export function finished(source: Source, run: ImportRun): Result<ImportedTranscript> {
  const transcript = run.snapshot()
  if (!transcript.ok || transcript.value.sessions.length > 0) return transcript
  const { lines, problems } = transcript.value
  return err(unknown(source, { lines, first: problems[0]?.preview ?? '' }))
}

/** [I1] A stray record of another format further down must not decide, so the values are tried one after the other. */
function pick(head: Head): Importer | undefined {
  for (let count = 1; count < head.values.length; count += 1) {
    const values = head.values.slice(0, count)
    const narrow = { ...head, values, objects: values.filter(isObject) }
    const found = IMPORTERS.find((row) => row.detect(narrow))
    if (found !== undefined) return found
  }
  return IMPORTERS.find((row) => row.detect(head))
}

interface Nothing {
  readonly lines: number
  readonly first: string
}

const BATCH = 50

/** The beginning says nothing (a comment, a torn record, a block of NULs): look through the rest. */
async function searchFurther(source: Source): Promise<Importer | Nothing> {
  const scratch = createLedger()
  let values: unknown[] = []
  let first = ''
  let lines = 0
  const match = (): Importer | undefined => pick(headOfValues(values))
  for await (const batch of source.lines()) {
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

function unknown(source: Source, found: Nothing): Problem {
  const quoted = found.first === '' ? '' : `, line 1: ${found.first.slice(0, 120)}`
  return {
    what: whatIsWrong(source, found),
    where: `${source.name}${quoted}`,
    do: `Open a transcript in one of these formats: ${formatList()}. To see the lines, open the file in an editor`,
  }
}

function whatIsWrong(source: Source, found: Nothing): string {
  if (source.head.layout === 'document')
    return 'the JSON document holds no record that any format knows'
  if (found.lines === 1) return 'its one line is not a record that any format knows'
  return `none of the ${found.lines} lines is a record that any format knows`
}

function formatList(): string {
  return IMPORTERS.map((row) => row.label).join(', ')
}
