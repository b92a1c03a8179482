import { openRegular } from '../../../platform/files/regular-file.ts'
import { refusal } from '../../../platform/threads/refusal.ts'
import type { TextScanner } from '../text-scanner.ts'
import { type Stretch, createLineFinder } from './line-finder.ts'

/** Lines of a source in which signals are looked for. */
export interface StretchTask extends Stretch {
  /**
   * Possible numbers of lines after it. The last stretch of a file may have up to 256 lines more than its beginning
   * indicates.
   */
  readonly next: { readonly least: number; readonly most: number }
  /** The source as given to the batch, and its present path. */
  readonly file: string
  readonly path: string
  /** The member whose value is the text. */
  readonly column: string
}

/** A line whose text the database has to tell. */
interface OddLine {
  readonly row: number
  readonly bytes: Uint8Array
}

/** Matches: row `rows[at]` matches the signal `signals[at]`. */
export interface StretchFound {
  readonly file: string
  readonly rows: Float64Array
  readonly signals: Uint32Array
  readonly odd: readonly OddLine[]
}

type ScanStretch = (task: StretchTask) => Promise<StretchFound>

/** Texts that are looked through together. */
const PORTION = 2048
const LINE_FEED = 10

/**
 * [F132] Scans for signals in the lines that contain one of the literals; other lines are not parsed. Throws a refusal
 * if the lines do not begin at the offsets that the batch recorded.
 * @param literals null: in all lines
 */
export function createStretchScanner(
  literals: readonly string[] | null,
  { scan }: Pick<TextScanner, 'scan'>,
): ScanStretch {
  const finder = createLineFinder(literals)

  return async (task) => {
    const rows: number[] = []
    const signals: number[] = []
    const odd: OddLine[] = []
    let portion: Array<{ readonly row: number; readonly text: string }> = []
    const look = (): void => {
      for (const [signal, texts] of scan(portion.map(({ text }) => text)))
        for (const at of texts) {
          rows.push(portion[at]?.row ?? 0)
          signals.push(signal)
        }
      portion = []
    }
    const memberOf = createMemberReader(task.column)
    const file = await openRegular(task.path)
    try {
      await refuseMoved(file, task)
      const read = async (into: Buffer, at: number) =>
        (await file.read(into, 0, into.length, at)).bytesRead
      const end = await finder.find(read, task, (row, bytes) => {
        const text = memberOf(bytes)
        if (text === null) odd.push({ row, bytes: Uint8Array.from(bytes) })
        else portion.push({ row, text })
        if (portion.length === PORTION) look()
      })
      if (end < task.next.least || end > task.next.most) throw moved(task.path)
    } finally {
      await file.close()
    }
    if (portion.length > 0) look()
    const { file: source } = task
    return { file: source, rows: Float64Array.from(rows), signals: Uint32Array.from(signals), odd }
  }
}

/**
 * Reads the text of a member from a line of JSON. Null if only a database can read it as the batch did: the member may
 * occur twice, may not be a text, or the line is not JSON.
 */
function createMemberReader(column: string): (line: Buffer) => string | null {
  const key = JSON.stringify(column)
  return (bytes) => {
    const line = bytes.toString()
    const at = line.indexOf(key)
    if (at < 0 || line.includes(key, at + key.length)) return null
    try {
      const record: unknown = JSON.parse(line)
      if (typeof record !== 'object' || record === null || !Object.hasOwn(record, column))
        return null
      const value: unknown = (record as Readonly<Record<string, unknown>>)[column]
      return typeof value === 'string' ? value : null
    } catch {
      return null
    }
  }
}

async function refuseMoved(
  file: Awaited<ReturnType<typeof openRegular>>,
  { from, path }: StretchTask,
): Promise<void> {
  if (from === 0) return
  const { buffer, bytesRead } = await file.read(Buffer.alloc(1), 0, 1, from - 1)
  if (bytesRead !== 1 || buffer[0] !== LINE_FEED) throw moved(path)
}

function moved(path: string) {
  return refusal({
    what: 'the lines of this source do not begin where the batch wrote down that they do',
    where: path,
    do: 'Run the batch again',
  })
}
