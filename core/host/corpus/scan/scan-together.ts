import type { Lacking } from '../../../engine/lab/scoring/score-corpus.ts'
import type { Found } from '../../../engine/lab/corpus/scan-turns.ts'
import { identityOf } from '../../../engine/matcher/identity.ts'
import type { ScanContract } from '../../../wire/internal/scan.ts'
import type { Client } from '../../../wire/rpc.ts'
import { createBreath } from '../../platform/threads/yielding.ts'
import { createLists, joinParts, type ScannedPart, scanPart } from './scan-part.ts'
import type { Waiting } from '../waiting.ts'
import type { LabWatch } from '../watch.ts'
import type { CompiledSignal } from '../../../engine/matcher/signal.ts'
import type { SignalEntry } from '../../../engine/schema/domain.ts'

/** Helper threads that scan for signals, started on first use. */
export interface Scanners {
  /** UTF-16 units of all texts from which on they are worth their start. */
  readonly from: number
  /** Runs a job with them; they may end with it. */
  use<T>(job: (clients: ReadonlyArray<Client<ScanContract>>) => Promise<T>): Promise<T>
}

interface Together extends Waiting {
  readonly scanners: Scanners
  readonly watch: LabWatch
  /** [T61] Time that all threads together lose on patterns. */
  readonly lost: SharedArrayBuffer
}

/** UTF-16 units of a part: for another thread some tens of milliseconds, for this one until it listens again. */
const PART_CHARS = { theirs: 1 << 19, own: 1 << 16 } as const
/** Another thread has its next part at hand when it is done with one. */
const IN_FLIGHT = 2
/** If no helper answers for this many milliseconds, the helpers are abandoned and their work is done here. */
const SILENT_MS = 10_000

/** Turns that follow each other. */
interface Part {
  readonly from: number
  readonly end: number
}

/** The remaining work, and the matches found. */
function createJob({ signals, view, turns }: Lacking, { watch, onProgress }: Together) {
  const parts: ScannedPart[] = []
  const returned: Part[] = []
  const firstCut = new Map<number, number>()
  let next = 0
  let done = 0
  return {
    take: (chars: number): Part | null => {
      const again = returned.pop()
      if (again !== undefined || next >= turns) return again ?? null
      const from = next
      for (let size = 0; next < turns && size < chars; next += 1) size += view.chars(next)
      return { from, end: next }
    },
    giveBack: (part: Part): void => void returned.push(part),
    /** [T9] Signals that were cut off on a turn before: here they match nothing. */
    offIn: ({ from }: Part): readonly number[] =>
      [...firstCut]
        .flatMap(([signal, turn]) => (turn < from ? [signal] : []))
        .sort((a, b) => a - b),
    add: ({ from, end }: Part, part: Omit<ScannedPart, 'from'>): void => {
      parts.push({ from, ...part })
      for (const { signal, turn, chars, elapsedMs } of part.cut) {
        firstCut.set(signal, Math.min(turn, firstCut.get(signal) ?? Infinity))
        watch.heard(chars, elapsedMs)
      }
      done += end - from
      onProgress?.(done, turns)
    },
    found: (): readonly Found[] => joinParts(parts, signals.length),
  }
}

type Job = ReturnType<typeof createJob>

/** Lets a helper scan parts until none are left. If it fails, it returns its part. */
async function drive(
  client: Client<ScanContract>,
  job: Job,
  { signals, view }: Lacking,
  { lost, signal, heard }: Pick<Together, 'lost' | 'signal'> & { readonly heard: () => void },
): Promise<void> {
  const begun = await client.call('scan.begin', { signals: signals.map(entryOf), lost }, signal)
  const isSame = signals.every((one, at) => identityOf(one) === begun.identities[at])
  if (!isSame) return
  const one = async (): Promise<void> => {
    for (let part = job.take(PART_CHARS.theirs); part; part = job.take(PART_CHARS.theirs)) {
      const { from, end } = part
      const texts = Array.from({ length: end - from }, (_, at) => view.text(from + at))
      try {
        const { matches, cut } = await client.call(
          'scan.texts',
          { texts, off: [...job.offIn(part)] },
          signal,
        )
        heard()
        job.add(part, {
          matches: Uint32Array.from(matches, (cell, at) => (at % 2 === 0 ? cell : cell + from)),
          cut: cut.map(({ text, ...rest }) => ({ ...rest, turn: from + text })),
        })
      } catch (error) {
        job.giveBack(part)
        throw error
      }
    }
  }
  // Both calls return their parts before the remaining work is checked.
  await Promise.allSettled(Array.from({ length: IN_FLIGHT }, one))
}

/** Aborts the helpers' calls when none of them has answered for a while. */
function createPatience(signal: AbortSignal) {
  const end = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const heard = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => end.abort(), SILENT_MS).unref()
  }
  return {
    signal: AbortSignal.any([signal, end.signal]),
    heard,
    stop: () => clearTimeout(timer),
  }
}

/**
 * [L107] Looks for signals on all turns, this thread and the others each on parts of them, and answers what
 * this thread alone would have found. A thread that ends, is silent or reads a signal otherwise only costs
 * the time that it would have saved.
 */
export async function scanTogether(lacking: Lacking, asked: Together): Promise<readonly Found[]> {
  const { signal, scanners, watch, lost } = asked
  const job = createJob(lacking, asked)
  const lists = createLists(lacking.signals)
  const breath = createBreath(signal)

  async function alone(): Promise<void> {
    for (let part = job.take(PART_CHARS.own); part; part = job.take(PART_CHARS.own)) {
      const steps = scanPart(lists(job.offIn(part)), { view: lacking.view, ...part }, watch)
      for (;;) {
        const step = steps.next()
        await breath()
        if (step.done !== true) continue
        job.add(part, step.value)
        break
      }
    }
  }

  await scanners.use(async (clients) => {
    const patience = createPatience(signal)
    patience.heard()
    const others = clients.map((client) =>
      drive(client, job, lacking, { lost, signal: patience.signal, heard: patience.heard }).catch(
        () => undefined,
      ),
    )
    try {
      await alone()
      await Promise.all(others)
    } finally {
      patience.stop()
    }
  })
  signal.throwIfAborted()
  // Scans the texts that other threads gave back.
  await alone()
  return job.found()
}

const LETTERS = [
  ['multiline', 'm'],
  ['dotAll', 's'],
  ['verbose', 'x'],
  ['ascii', 'a'],
] as const

/**
 * An entry that compiles to a signal with the same matches. The caller compares identities after compiling (T6),
 * because some signals, such as disabled ones, cannot be expressed as an entry.
 */
function entryOf({ pattern, dialect, programs }: CompiledSignal): SignalEntry {
  const { flags: set, ascii } = programs
  if (dialect === 'keyword' || dialect === 'glob') return { pattern, dialect }
  if (set === null) return { pattern, dialect, flags: ascii.regex.flags }
  const flags = LETTERS.flatMap(([flag, letter]) => (set[flag] ? [letter] : []))
  return { pattern, dialect, flags: flags.join('') }
}
