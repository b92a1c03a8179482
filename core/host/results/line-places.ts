import { LINE_STEP, createLineStarts } from '../batch/line-starts.ts'
import { openRegular } from '../platform/files/regular-file.ts'
import { createQueue } from '../platform/threads/shared-work.ts'

/** A line of a file: its 0-based number, and its text with its line feed. */
interface PlacedLine {
  readonly number: number
  readonly bytes: Buffer
}

/** Byte offsets of some lines in a file, computed as far as requested. */
export interface LinePlaces {
  /** These lines (ascending), in order, as far as the file has them and `keep` accepts them. */
  readonly read: (
    lines: readonly number[],
    keep?: (bytes: Buffer) => boolean,
  ) => Promise<readonly PlacedLine[]>
  readonly close: () => Promise<void>
}

const CHUNK = 4 * 1024 * 1024
const LINE_FEED = 10
const NOTHING = Buffer.alloc(0)

/**
 * [F142] Lines of a large file by number.
 * @param known line starts written by a batch; missing ones are found by reading the file once
 */
export async function openLinePlaces(path: string, known?: readonly number[]): Promise<LinePlaces> {
  const file = await openRegular(path)
  const { starts, lookTo } = createLineStarts(file, known)
  const buffer = Buffer.allocUnsafe(CHUNK)

  type Keep = (bytes: Buffer) => boolean

  /** Lines `from` to `to`, both included, of which some are wanted. */
  async function readRun([from, to]: Run, wanted: ReadonlySet<number>, keep: Keep) {
    await lookTo(to)
    const found: PlacedLine[] = []
    const step = Math.min(Math.floor(from / LINE_STEP), starts.length - 1)
    let line = step * LINE_STEP
    let at = starts[step] ?? 0
    let begun: Buffer = NOTHING
    const take = (rest: Buffer): void => {
      // Most lines are inspected in place and not copied.
      const bytes = begun.length === 0 ? rest : Buffer.concat([begun, rest])
      if (wanted.has(line) && keep(bytes))
        found.push({ number: line, bytes: begun.length === 0 ? Buffer.from(bytes) : bytes })
      begun = NOTHING
    }
    // Of lines far apart, each would else read a whole chunk.
    const until = starts[Math.floor(to / LINE_STEP) + 1] ?? Number.POSITIVE_INFINITY
    while (line <= to) {
      const { bytesRead } = await file.read(buffer, 0, Math.min(CHUNK, until - at), at)
      if (bytesRead === 0) break
      at += bytesRead
      const chunk = buffer.subarray(0, bytesRead)
      let place = 0
      while (line <= to) {
        const feed = chunk.indexOf(LINE_FEED, place)
        if (feed < 0) break
        take(chunk.subarray(place, feed + 1))
        place = feed + 1
        line += 1
      }
      if (line <= to) begun = Buffer.concat([begun, chunk.subarray(place)])
    }
    if (begun.length > 0) take(NOTHING)
    return found
  }

  // All readers share one buffer.
  const inTurn = createQueue()
  return {
    read: (lines, keep = () => true) => inTurn(() => readAll(lines, keep)),
    close: () => file.close(),
  }

  async function readAll(lines: readonly number[], keep: Keep): Promise<readonly PlacedLine[]> {
    const wanted = new Set(lines)
    const found: PlacedLine[] = []
    for (const run of runsOf(lines)) found.push(...(await readRun(run, wanted, keep)))
    return found
  }
}

type Run = readonly [from: number, to: number]

/** Nearby lines are read together: from the first to the last one. */
function runsOf(lines: readonly number[]): readonly Run[] {
  const runs: Array<[number, number]> = []
  for (const line of lines) {
    const last = runs.at(-1)
    if (last !== undefined && line - last[1] <= LINE_STEP) last[1] = line
    else runs.push([line, line])
  }
  return runs
}
