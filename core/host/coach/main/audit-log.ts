import { appendFile, mkdir, rename, rm, stat } from '../../platform/files/fenced-fs.ts'
import { dirname, join } from 'node:path'
import { messageOf } from '../../../engine/result.ts'

/** One classification. The preview has been redacted. */
interface AuditEntry {
  readonly time: string
  readonly preview: string
  readonly result: string
  readonly confidence: number
  readonly reason: string
  readonly source: string
}

/** [V16] Every classification, one JSON line each, rotated at 10 MB (L36). */
export interface AuditLog {
  /** The file that lines are added to now. */
  readonly path: string
  add(entries: readonly AuditEntry[]): void
  settled(): Promise<void>
}

const MOST_BYTES = 10 * 1024 * 1024
/** `audit.1.jsonl` is the youngest of the older files. */
const OLDER = 3

export function openAuditLog(
  stateDir: string,
  say: (line: string) => void,
  mostBytes = MOST_BYTES,
): AuditLog {
  const path = join(stateDir, 'coach', 'audit.jsonl')
  const older = (n: number) => (n === 0 ? path : path.replace(/\.jsonl$/, `.${n}.jsonl`))
  let bytes: number | null = null
  let writes: Promise<void> = Promise.resolve()

  async function rotate(): Promise<void> {
    await rm(older(OLDER), { force: true })
    for (let n = OLDER - 1; n >= 0; n -= 1) {
      await rename(older(n), older(n + 1)).catch(() => undefined)
    }
    bytes = 0
  }

  async function write(lines: readonly string[]): Promise<void> {
    await mkdir(dirname(path), { recursive: true })
    bytes ??= (await stat(path).catch(() => null))?.size ?? 0
    let batch = ''
    const flush = async () => {
      if (batch !== '') await appendFile(path, batch, { mode: 0o600 })
      batch = ''
    }
    for (const line of lines) {
      const size = Buffer.byteLength(line)
      if (bytes > 0 && bytes + size > mostBytes) {
        await flush()
        await rotate()
      }
      bytes += size
      batch += line
    }
    await flush()
  }

  return {
    path,
    add: (entries) => {
      if (entries.length === 0) return
      const lines = entries.map((entry) => `${JSON.stringify(entry)}\n`)
      writes = writes.then(() =>
        write(lines).catch((error: unknown) => {
          const reason = messageOf(error)
          say(`${path}: the coach's log could not be written (${reason})`)
        }),
      )
    },
    settled: () => writes,
  }
}
