import { closeSync, readSync } from '../../platform/files/fenced-fs.ts'
import { openRegularSync } from '../../platform/files/regular-file.ts'

const BLOCK = 262_144
const NEWLINE = 0x0a
/** A longer line is none: memory stays bounded whatever the file is. */
const MAX_LINE = 8_388_608

/**
 * Lines of a UTF-8 file, the last one first, read in blocks from the end, so that the newest of a long
 * file cost no more than they are. Null = a line longer than 8 MiB. A line that begins before `from`
 * is not given. Memory: a block and the line in progress. The file is open only while this is walked.
 * @param size bytes of the file as it counts: what is appended meanwhile is not seen
 * @param from first byte that may be read
 */
export function* newestLines(path: string, size: number, from: number): Generator<string | null> {
  const file = openRegularSync(path)
  try {
    const block = Buffer.allocUnsafe(BLOCK)
    /** Bytes after the last line break found, the earliest first. */
    let held: Buffer[] = []
    let heldBytes = 0
    let tooLong = false
    const take = (start: Buffer): string | null => {
      const over = tooLong || heldBytes + start.length > MAX_LINE
      const line = over ? null : Buffer.concat([start, ...held]).toString('utf8')
      held = []
      heldBytes = 0
      tooLong = false
      return line
    }
    for (let end = size; end > from;) {
      const start = Math.max(from, end - BLOCK)
      const bytes = block.subarray(0, readAll(file, block, start, end - start))
      let rest = bytes.length
      for (let at = lastBreak(bytes, rest); at >= 0; at = lastBreak(bytes, rest)) {
        yield take(bytes.subarray(at + 1, rest))
        rest = at
      }
      heldBytes += rest
      if (heldBytes > MAX_LINE) {
        tooLong = true
        held = []
      } else held.unshift(Buffer.from(bytes.subarray(0, rest)))
      end = start
    }
    if (from === 0 && size > 0) yield take(Buffer.alloc(0))?.replace(/^\uFEFF/u, '') ?? null
  } finally {
    closeSync(file)
  }
}

/** Place of the last line break before `end`, or -1. */
function lastBreak(bytes: Buffer, end: number): number {
  return end === 0 ? -1 : bytes.lastIndexOf(NEWLINE, end - 1)
}

/** Fewer bytes than asked for only where the file was cut meanwhile. */
function readAll(file: number, into: Buffer, position: number, length: number): number {
  let done = 0
  while (done < length) {
    const read = readSync(file, into, done, length - done, position + done)
    if (read === 0) break
    done += read
  }
  return done
}
