import { mkdir, readdir, stat } from '../platform/files/fenced-fs.ts'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { isMissing } from '../platform/files/atomic-file.ts'
import { type Bounds, sizeText } from './limits.ts'

/**
 * [F151] Tracks how much space the records of a folder take, and whether more may be added. Paths are those of records.
 */
export interface Room {
  /** Bytes of a record; undefined if it does not exist. */
  readonly sizeOf: (path: string) => number | undefined
  /** @param size null: the record is gone */
  readonly set: (path: string, size: number | null) => void
  /** Looks how large a record is now. */
  readonly look: (path: string) => Promise<void>
  /** A booking for the bytes that a request will add. It starts empty. */
  readonly booking: () => Booking
}

interface Booking {
  /** Books bytes that are to be added to a record. Null, or why there is no room for them: then nothing is booked. */
  readonly take: (path: string, bytes: number) => Promise<string | null>
}

/** Interval in ms for checking a full folder, because the operator may have deleted records. */
const LOOK = 1000

/** Creates the folder if it is missing, and reads the sizes of its records. Throws if the disk fails. */
export async function openRoom(folder: string, bounds: Bounds): Promise<Room> {
  const room = { sizes: await sizesIn(folder), total: 0, looked: performance.now() }
  const count = (): void => {
    room.total = 0
    for (const size of room.sizes.values()) room.total += size
  }
  const set = (path: string, size: number | null): void => {
    room.total += (size ?? 0) - (room.sizes.get(path) ?? 0)
    if (size === null) room.sizes.delete(path)
    else room.sizes.set(path, size)
  }
  const lookAgain = async (): Promise<boolean> => {
    if (performance.now() - room.looked < LOOK) return false
    room.sizes = await sizesIn(folder)
    room.looked = performance.now()
    count()
    return true
  }
  count()
  return {
    sizeOf: (path) => room.sizes.get(path),
    set,
    async look(path) {
      // If that fails, the known size stays.
      const size = await bytesOf(path).catch(() => undefined)
      if (size !== undefined) set(path, size)
    },
    booking() {
      const booked = new Map<string, number>()
      let all = 0
      let news = 0
      const isNew = (path: string) => !room.sizes.has(path) && !booked.has(path)
      const met = (path: string, bytes: number): string | null => {
        const after: After = {
          session: (room.sizes.get(path) ?? 0) + (booked.get(path) ?? 0) + bytes,
          folder: room.total + all + bytes,
          sessions: isNew(path) ? room.sizes.size + news + 1 : 0,
          request: all + bytes,
        }
        const found = REASONS.find(([key]) => after[key] > bounds[key])
        return found === undefined ? null : found[1](bounds, folder)
      }
      return {
        async take(path, bytes) {
          let why = met(path, bytes)
          if (why !== null && (await lookAgain())) why = met(path, bytes)
          if (why !== null) return why
          if (isNew(path)) news += 1
          booked.set(path, (booked.get(path) ?? 0) + bytes)
          all += bytes
          return null
        },
      }
    },
  }
}

/** The totals including the requested bytes. */
type After = Readonly<Record<keyof Bounds, number>>

/** Limits, and the message when one is reached. */
const REASONS: ReadonlyArray<readonly [keyof Bounds, (bounds: Bounds, folder: string) => string]> =
  [
    [
      'request',
      ({ request }) =>
        `a request may add ${sizeText(request)}, where its resource is written again for each session: send fewer sessions at once`,
    ],
    [
      'session',
      ({ session }, folder) =>
        `the record of its session is full (${sizeText(session)}): begin a new session, or delete the record in ${folder}`,
    ],
    [
      'sessions',
      ({ sessions }, folder) => `there are ${sessions} recorded sessions in ${folder}: delete some`,
    ],
    [
      'folder',
      (bounds, folder) =>
        `the recorded sessions in ${folder} are full (${sizeText(bounds.folder)}): delete some`,
    ],
  ]

async function sizesIn(folder: string): Promise<Map<string, number>> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const names = (await readdir(folder)).filter((name) => name.endsWith('.jsonl'))
  const sizes = await Promise.all(
    names.map(async (name): Promise<ReadonlyArray<[string, number]>> => {
      const path = join(folder, name)
      // A link that leads nowhere takes no room.
      const size = await bytesOf(path).catch(() => null)
      return size === null ? [] : [[path, size]]
    }),
  )
  return new Map(sizes.flat())
}

/** Bytes of a file; null if it does not exist. Throws if it cannot be checked, because it may exist. */
export async function bytesOf(path: string): Promise<number | null> {
  return stat(path).then(
    ({ size }) => size,
    (error: unknown) => {
      if (isMissing(error)) return null
      throw error
    },
  )
}
