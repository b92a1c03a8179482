import { openRegular } from '../files/regular-file.ts'
import { createQueue } from '../shared/shared-work.ts'

/** Bytes of a file where some of its lines begin, found as far as they were asked for. */
export interface LinePlaces {
  /** The texts of these lines (0-based, ascending), in their order, each with its line feed. */
  readonly read: (lines: readonly number[]) => Promise<Buffer>
  readonly close: () => Promise<void>
}

/** Every so many lines one is remembered. */
const STEP = 1024
const CHUNK = 4 * 1024 * 1024
const LINE_FEED = 10

/** [F142] Lines of a large file by number: the file is read once up to the last line that was asked for. */
export async function openLinePlaces(path: string): Promise<LinePlaces> {
  const file = await openRegular(path)
  const starts = [0]
  /** The line that begins at the byte `at`, behind all that was looked at. */
  const end = { line: 0, at: 0, isWhole: false }
  const buffer = Buffer.allocUnsafe(CHUNK)

  async function lookTo(line: number): Promise<void> {
    while (!end.isWhole && (starts.length - 1) * STEP < line) {
      const { bytesRead } = await file.read(buffer, 0, CHUNK, end.at)
      if (bytesRead === 0) end.isWhole = true
      const chunk = buffer.subarray(0, bytesRead)
      for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, at + 1)) {
        end.line += 1
        if (end.line % STEP === 0) starts.push(end.at + at + 1)
      }
      end.at += bytesRead
    }
  }

  /** Lines `from` to `to`, both included, of which some are wanted. */
  async function readRun(from: number, to: number, wanted: ReadonlySet<number>) {
    await lookTo(to)
    const parts: Buffer[] = []
    let line = Math.floor(from / STEP) * STEP
    let at = starts[line / STEP] ?? end.at
    let begun: Buffer[] = []
    while (line <= to) {
      const { bytesRead } = await file.read(buffer, 0, CHUNK, at)
      if (bytesRead === 0) break
      at += bytesRead
      let place = 0
      while (line <= to) {
        const feed = buffer.subarray(0, bytesRead).indexOf(LINE_FEED, place)
        const piece = buffer.subarray(place, feed < 0 ? bytesRead : feed + 1)
        if (wanted.has(line)) begun.push(Buffer.from(piece))
        if (feed < 0) break
        if (begun.length > 0) parts.push(...begun)
        begun = []
        place = feed + 1
        line += 1
      }
    }
    return [...parts, ...begun]
  }

  // All readers share one buffer.
  const inTurn = createQueue()
  return {
    read: (lines) => inTurn(() => readAll(lines)),
    close: () => file.close(),
  }

  async function readAll(lines: readonly number[]): Promise<Buffer> {
    const wanted = new Set(lines)
    const parts: Buffer[] = []
    for (const [from, to] of runsOf(lines)) parts.push(...(await readRun(from, to, wanted)))
    return Buffer.concat(parts)
  }
}

/** Lines that stand near each other are read together: from the first to the last one. */
function runsOf(lines: readonly number[]): ReadonlyArray<readonly [from: number, to: number]> {
  const runs: Array<[number, number]> = []
  for (const line of lines) {
    const last = runs.at(-1)
    if (last !== undefined && line - last[1] <= STEP) last[1] = line
    else runs.push([line, line])
  }
  return runs
}
