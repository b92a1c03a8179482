/**
 * `node scripts/records-table.ts FOLDER`: for every file of a folder the format, and how many of its
 * records were read, are known and skipped, and were not understood (I108), as a Markdown table.
 */
import { readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { readTranscript } from '../fixtures/read-transcript.ts'

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('usage: node scripts/records-table.ts FOLDER')
const entries = await readdir(folder, { recursive: true, withFileTypes: true })
const files = entries
  .filter((entry) => entry.isFile())
  .map(({ parentPath, name }) => join(parentPath, name))

process.stdout.write('| file | format | records | read | skipped | not understood |\n')
process.stdout.write('| --- | --- | --: | --: | --: | --: |\n')
for (const file of files.toSorted()) {
  const result = await readTranscript(file)
  const cells = result.ok ? rowOf(result.value) : ['refused', '', '', '', result.error.what]
  const row = [relative(folder, file), ...cells].map((cell) => String(cell).replaceAll('|', '\\|'))
  process.stdout.write(`| ${row.join(' | ')} |\n`)
}

function rowOf({
  format,
  records,
}: {
  readonly format: string
  readonly records: Readonly<Record<'records' | 'read' | 'skipped' | 'unknown', number>>
}): ReadonlyArray<string | number> {
  return [format, records.records, records.read, records.skipped, records.unknown]
}
