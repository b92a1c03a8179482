import { LINE } from './limits.ts'
import type { Batch, Taken } from './request.ts'

/** Records as they go into lines of about a megabyte: a torn line costs no more than itself. */
export function dividedIn(records: readonly Taken[]): ReadonlyArray<readonly Taken[]> {
  const lines: Taken[][] = []
  let size = Infinity
  for (const record of records) {
    const { length } = record.text
    if (size + length > LINE) {
      lines.push([])
      size = 0
    }
    lines.at(-1)?.push(record)
    size += length
  }
  return lines
}

/** A complete export in OTLP's JSON, without the end of its line. */
export function textOf({ before, behind }: Batch, line: readonly Taken[]): string {
  return `${before}${line.map(({ text }) => text).join(',')}${behind}`
}

/** Bytes of all these lines with their ends, which need not be made to know it. */
export function bytesIn({ around }: Batch, lines: ReadonlyArray<readonly Taken[]>): number {
  let bytes = 0
  for (const line of lines) {
    bytes += around
    // A comma after each record but the last, and the end of the line.
    for (const { text } of line) bytes += Buffer.byteLength(text) + 1
  }
  return bytes
}
