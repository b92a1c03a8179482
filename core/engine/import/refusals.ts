import type { Problem } from '../result.ts'
import { nearestFormats } from './nearest.ts'
import type { ImportedTranscript, Importer, Source } from './source.ts'

// Why a file is refused, in words: what is wrong, where, and which formats are the nearest.

/** What was looked at in vain: so many lines, and the beginning of the first. */
export interface Nothing {
  readonly lines: number
  readonly first: string
}

/** [I146] Columns that hold a conversation; prompt and response together. */
const EXPECTED_COLUMNS = 'messages, conversation, conversations, trajectory, or prompt and response'
const MOST_COLUMNS = 40

function unknownTable(source: Source, columns: readonly string[]): Problem {
  const more = columns.length > MOST_COLUMNS ? ', …' : ''
  return {
    what: `no column of this Parquet file holds a conversation that any format knows; its columns are ${columns.slice(0, MOST_COLUMNS).join(', ')}${more}`,
    where: source.name,
    do: `Expected is one of ${EXPECTED_COLUMNS}. For other columns write a mapping: docs/formats.md`,
  }
}

/** [I109] The format has some of the file's records, and does not know most of what it says. */
export function notThisFormat(
  source: Source,
  importer: Importer,
  transcript: ImportedTranscript,
  all: readonly Importer[],
): Problem {
  const kinds = transcript.problems.filter(({ code }) => code.startsWith('unknown'))
  const named = kinds.slice(0, 3).map(({ message }) => message)
  const others = all.filter((row) => row !== importer)
  return {
    what: `it looks like ${importer.label}, but most of what it says is of kinds that this format does not know: ${named.join('; ')}`,
    where: source.name,
    do: `It may be of another format, or of a newer version of this one. The nearest others: ${nearestFormats(source.head, others).join(', ')}`,
  }
}

/** [I1] No format knows the file. */
export function unknownFile(source: Source, found: Nothing, all: readonly Importer[]): Problem {
  if (source.columns !== undefined) return unknownTable(source, source.columns)
  const quoted = found.first === '' ? '' : `, line 1: ${found.first.slice(0, 120)}`
  return {
    what: whatIsWrong(source, found),
    where: `${source.name}${quoted}`,
    do: `The nearest formats: ${nearestFormats(source.head, all).join(', ')}. README.md lists all; a JSON list of {role, content} opens too. For a format of your own write a mapping: docs/formats.md`,
  }
}

function whatIsWrong(source: Source, found: Nothing): string {
  if (source.head.layout === 'document')
    return 'the JSON document holds no record that any format knows'
  if (found.lines === 1) return 'its one line is not a record that any format knows'
  return `none of the ${found.lines} lines is a record that any format knows`
}
