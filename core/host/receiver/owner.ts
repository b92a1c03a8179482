import { createJsonMeter } from '../../engine/json-bounds.ts'
import { closeSync, readSync } from '../platform/files/fenced-fs.ts'
import { openRegularSync } from '../platform/files/regular-file.ts'
import type { RecordOwner } from '../platform/files/record-name.ts'
import { BODY_BOUNDS, MAX_UNPACKED } from './limits.ts'
import { SIGNALS, type Taken, readExport } from './request.ts'

/**
 * [F207] The owner that a record names: the session of the first line that names one, else the trace or process of
 * the first line. Null if the file holds no export. Looks at the first 64 MiB.
 */
export function ownerIn(path: string): RecordOwner | null {
  let first: RecordOwner | null = null
  for (const line of linesIn(path)) {
    for (const { record, home } of recordsIn(line)) {
      const { group, trace } = record
      if (group !== null) return { kind: 'session', name: group }
      first ??= trace === null ? { kind: 'process', name: home } : { kind: 'trace', name: trace }
    }
  }
  return first
}

function recordsIn(line: Buffer): ReadonlyArray<{ readonly record: Taken; readonly home: string }> {
  if (createJsonMeter(BODY_BOUNDS).push(line) !== null) return []
  return SIGNALS.flatMap((signal) => {
    const read = readExport(line, 'json', signal)
    const batches = read.ok ? read.value.batches : []
    return batches.flatMap(({ records, home }) => records.map((record) => ({ record, home })))
  })
}

const NEWLINE = 0x0a
const STEP = 1024 * 1024

/** The complete lines at the beginning of a regular file; none if it cannot be read. */
function* linesIn(path: string): Generator<Buffer, void, undefined> {
  let file: number
  try {
    file = openRegularSync(path)
  } catch {
    // The error is reported when the record is written (F168).
    return
  }
  try {
    let rest: Buffer[] = []
    for (let at = 0; at < MAX_UNPACKED; at += STEP) {
      const block = Buffer.allocUnsafe(STEP)
      const held = block.subarray(0, readSync(file, block, 0, STEP, at))
      let from = 0
      for (let end = held.indexOf(NEWLINE); end >= 0; end = held.indexOf(NEWLINE, from)) {
        yield Buffer.concat([...rest, held.subarray(from, end)])
        rest = []
        from = end + 1
      }
      rest.push(held.subarray(from))
      if (held.length < STEP) return
    }
  } finally {
    closeSync(file)
  }
}
