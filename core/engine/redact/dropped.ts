import { counted } from '../result.ts'
import type { ImportedTranscript } from '../import/source.ts'

/** [R9] Facts about a transcript that the native format does not carry, in readable words. */
export function droppedFacts(
  transcript: Pick<
    ImportedTranscript,
    'format' | 'sessions' | 'files' | 'problemTotal' | 'skipped'
  >,
  chosen: ReadonlySet<number> | null = null,
): readonly string[] {
  const { format, sessions, files, problemTotal, skipped } = transcript
  const facts: string[] = []
  const left = chosen === null ? 0 : sessions.filter((_, index) => !chosen.has(index)).length
  if (left > 0) facts.push(`${counted(left, 'session')} that you did not choose`)
  if (problemTotal > 0) facts.push(`${counted(problemTotal, 'line')} that could not be used`)
  const records = Object.entries(skipped).toSorted((a, b) => b[1] - a[1])
  const count = records.reduce((sum, [, number]) => sum + number, 0)
  if (count > 0) {
    const named = records.slice(0, 6).map(([type, number]) => `${type} ${number}`)
    const more = records.length > 6 ? `, and ${records.length - 6} types more` : ''
    facts.push(`${counted(count, 'record')} that made no event: ${named.join(', ')}${more}`)
  }
  if (files.length > 0) facts.push(`which of the ${files.length} files an event came from`)
  if (format !== 'native') {
    facts.push('fields of the original records that make no event, and their places in the file')
  }
  return facts
}
