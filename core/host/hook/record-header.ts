import { z } from 'zod'
import { readHeadSync } from '../platform/files/regular-file.ts'
import type { RecordOwner } from '../platform/files/record-name.ts'
import { jsonAs } from '../platform/json.ts'

const Header = z.object({ type: z.literal('session'), id: z.string() })

/** Bytes of a header that are read: names may have thousands of characters. */
const HEADER_BYTES = 256 * 1024

/** [F207] The session that the header of a record names; null if it has no header. */
export function sessionIn(path: string): RecordOwner | null {
  // A folder or a pipe in its place is reported when the record is written.
  const head = headOf(path)
  const [line = ''] = head.split('\n', 1)
  const header = jsonAs(Header, line)
  return header === null ? null : { kind: 'session', name: header.id }
}

function headOf(path: string): string {
  try {
    return readHeadSync(path, HEADER_BYTES).toString('utf8')
  } catch {
    return ''
  }
}
