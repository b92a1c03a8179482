import type { ImportedTranscript } from '../../engine/import/source.ts'
import {
  type Progressed,
  createMeter,
  pause,
  Turns,
  type FileWatch,
  watchFile,
  continues,
  keepingSame,
} from './live-work.ts'
import type { PageContents } from './page-file.ts'
import { beginReading, type Reading, type RecordPlace } from './reading.ts'
import { type FormatsOf, noFormats } from './own-formats.ts'
import { createBreath } from '../platform/threads/yielding.ts'
import type { Problem, Result } from '../../engine/result.ts'

/** Steps of the reading. `look`: more content is visible; `refused`: not a transcript, or not anymore. */
type ReadingStep =
  | Progressed
  | { readonly kind: 'look' }
  | {
      readonly kind: 'refused'
      readonly problem: Problem
      /** No format knows it, which is seen by its beginning. */
      readonly isUnknown?: boolean
    }
  | { readonly kind: 'following'; readonly state: 'watching' | 'restarted' | 'gone' }

type Steps<R = void> = AsyncGenerator<ReadingStep, R>

/** [I51] Reading a file up to this size is as fast as showing a part of it. A larger file is shown immediately. */
const SHOW_WHOLE = 1 << 20
const SHOW_WHOLE_MS = 1000
/** [I51] Looks follow each other at this distance, and cost at most a tenth of the time. */
const LOOK_MS = 500
/** [I55] Minimum interval in ms for reading a rewritten document again. Reading uses at most a tenth of the time. */
const REREAD_MS = 1000

interface ReadOnOptions {
  readonly signal: AbortSignal
  readonly progress: () => Progressed | null
}

/** A file that is read, shown while it is read, and followed afterwards. */
export class OpenTranscript {
  readonly path: string
  readonly #shown = new TranscriptSnapshot()
  #followers = 0
  #closed = false
  /** Earliest time to read a changed file again. */
  #rereadAt = 0
  readonly #turns = new Turns()

  /** [I140] Called on every full reading, because a mapping may have changed. */
  readonly #formats: FormatsOf
  readonly #hashed: boolean

  /** @param hashed [I148] so that `holdsAll` can be asked */
  constructor(path: string, formats: FormatsOf = noFormats, hashed = false) {
    this.path = path
    this.#formats = formats
    this.#hashed = hashed
  }
  /** Whether reading continues when the file grows, and its last change (epoch milliseconds). */
  get growth(): { readonly tails: boolean; readonly changedAt: number } {
    const { reading } = this.#shown
    return { tails: reading?.tails === true, changedAt: reading?.changedAt ?? 0 }
  }
  get formatLabel(): string {
    return this.#shown.reading?.formatLabel ?? ''
  }
  /** Size of the file in bytes, as far as known. */
  get bytes(): number {
    return this.#shown.reading?.bytes() ?? 0
  }
  get transcript(): ImportedTranscript {
    return this.#shown.now().transcript
  }
  /** All that the file had was read. */
  get complete(): boolean {
    return this.#shown.isComplete
  }
  /** Changes when events change places. Cached data about them is then invalid. */
  get generation(): number {
    return this.#shown.now().generation
  }
  /** Changes on every full reading: the events are new objects, even if their content is equal. */
  get reading(): number {
    return this.#shown.readings
  }
  /** [U125] Content that came in an exported page; null for every other file. */
  get page(): PageContents | null {
    return this.#shown.reading?.page ?? null
  }
  /** [I56] Files that were read with it, relative to its folder. */
  get companions(): readonly string[] {
    return this.#shown.reading?.companions() ?? []
  }
  /** Why the file cannot be followed, or null. */
  get unfollowed(): string | null {
    return this.#shown.reading?.isArchive === true ? 'what is packed is not followed' : null
  }

  /** Returns the location of records; null if the number is no file of this transcript. */
  place(file: number | undefined): RecordPlace | null {
    return this.#shown.reading?.place(file) ?? null
  }

  /** Gives texts back; events of this transcript cannot be read any more. */
  close(): void {
    this.#closed = true
    this.#shown.reading?.close()
  }

  /** Reads the file. Rejects with the system's error, or the signal's reason. */
  read(signal: AbortSignal): Steps {
    return this.#turns.take(signal, () => this.#readAnew(signal))
  }

  /** [I148] Whether the files still contain all bytes read from them. Rejects if one is gone. */
  async holdsAll(): Promise<boolean> {
    return (await this.#shown.reading?.holdsAll()) === true
  }

  /**
   * [U161] Immediately reads a file that this program wrote: from its old end if it grew, from the beginning if it is a
   * new file.
   */
  again(signal: AbortSignal): Steps {
    return this.#turns.take(signal, () => this.#again(signal))
  }

  /** [I53] Reads on whenever the file grows, until the signal is aborted. */
  async *follow(signal: AbortSignal): Steps {
    const watch = watchFile(this.path)
    this.#followers += 1
    try {
      yield { kind: 'following', state: 'watching' }
      // From now on, waits for the rest of a line that was held back as torn.
      if (this.complete && this.#shown.reading !== null)
        this.#shown.whole(this.#shown.reading, false)
      yield* this.#followSteps(watch, signal)
    } finally {
      watch.close()
      this.#followers -= 1
      if (this.#followers === 0 && this.complete && !this.#closed) await this.#settle()
    }
  }

  async *#followSteps(watch: FileWatch, signal: AbortSignal): Steps {
    let seen = -1
    for (let gone = false; !signal.aborted && !this.#closed;) {
      let looked = -Infinity
      const steps = this.#turns.take(signal, () => this.#catchUp(signal, gone))
      for (let step = await steps.next(); ; step = await steps.next()) {
        if (step.done === true) {
          gone = step.value
          break
        }
        if (step.value.kind === 'look') {
          seen = this.#shown.version
          looked = performance.now()
        }
        yield step.value
      }
      // Another follower may have read it.
      if (this.#shown.version !== seen) {
        seen = this.#shown.version
        looked = performance.now()
        yield { kind: 'look' }
      }
      await pause(looked + LOOK_MS - performance.now(), signal)
      await watch.next(signal)
    }
  }

  /** Reads to the present end. A file read from the beginning is shown when it has content to show. */
  async *#readOn(from: Reading, { signal, progress }: ReadOnOptions): Steps {
    const breath = createBreath(signal)
    let nextLook = performance.now() + firstLook(from.bytes())
    const steps = from.steps({ signal, following: this.#followers > 0 })
    try {
      while ((await steps.next()).done !== true) {
        await breath()
        const said = progress()
        if (said !== null) yield said
        const now = performance.now()
        if (now < nextLook) continue
        const result = this.#shown.look(from)
        const end = performance.now()
        nextLook = end + Math.max(LOOK_MS, 10 * (end - now))
        if (typeof result === 'object') break
        if (result) yield { kind: 'look' }
      }
    } finally {
      await steps.return()
    }
    // A cancelled reading must not look as if it were whole.
    signal.throwIfAborted()
    const result = this.#shown.whole(from, this.#followers === 0)
    if (typeof result === 'object') yield { kind: 'refused', problem: result }
    else yield { kind: 'look' }
  }

  async *#readAnew(signal: AbortSignal): Steps {
    const meter = createMeter()
    const formats = await this.#formats()
    if (!formats.ok) {
      yield { kind: 'refused', problem: formats.error }
      return
    }
    const options = {
      signal,
      onProgress: meter.note,
      formats: formats.value,
      hashed: this.#hashed,
    }
    const begun = await beginReading(this.path, options)
    if (!begun.ok) {
      yield { kind: 'refused', problem: begun.error, isUnknown: true }
      return
    }
    try {
      yield* this.#readOn(begun.value, { signal, progress: meter.step })
    } finally {
      if (this.#shown.reading !== begun.value || this.#closed) begun.value.close()
    }
  }

  async *#again(signal: AbortSignal): Steps {
    const reading = this.#shown.reading
    const state = (await reading?.look()) ?? 'other'
    if (reading !== null && state === 'grown') {
      yield* this.#readOn(reading, { signal, progress: () => null })
      // The last line was treated as complete but was not: the new bytes continue it.
      if ((await reading.look()) === 'other') yield* this.#readAnew(signal)
    } else if (state !== 'same') yield* this.#readAnew(signal)
  }

  /** Reads what came since the last time; whether the file is gone. */
  async *#catchUp(signal: AbortSignal, gone: boolean): Steps<boolean> {
    const reading = this.#shown.reading
    if (reading === null) return gone
    const unread = reading.tails ? 'grown' : 'other'
    const state = this.complete ? await reading.look() : unread
    if (state === 'gone') {
      if (!gone) yield { kind: 'following', state: 'gone' }
      return true
    }
    if (state === 'other') yield* this.#restart(signal)
    else if (gone) yield { kind: 'following', state: 'watching' }
    if (state === 'grown') yield* this.#readOn(reading, { signal, progress: () => null })
    return false
  }

  /** [I53] [I55] The file is a new one. While it is empty, the old content stays visible. */
  async *#restart(signal: AbortSignal): Steps {
    const start = performance.now()
    if (start < this.#rereadAt) return
    const before = this.generation
    let told = false
    try {
      for await (const step of this.#readAnew(signal)) {
        if (step.kind === 'refused') return
        if (this.generation !== before && !told) {
          told = true
          yield { kind: 'following', state: 'restarted' }
        }
        yield step
      }
    } catch {
      // The file may be gone again, or being written. The next look decides.
      signal.throwIfAborted()
    } finally {
      const end = performance.now()
      this.#rereadAt = end + Math.max(REREAD_MS, 10 * (end - start))
    }
  }

  /** Called when no follower is left: last lines then count as complete. */
  async #settle(): Promise<void> {
    const from = this.#shown.reading
    if (from === null) return
    const { signal } = new AbortController()
    const following = this.#followers > 0
    const steps = this.#turns.take(signal, () => from.steps({ signal, following }))
    try {
      while ((await steps.next()).done !== true) continue
      this.#shown.whole(from, this.#followers === 0)
    } catch {
      // The file is gone; the data already read stays.
    }
  }
}

function firstLook(bytes: number): number {
  return bytes <= SHOW_WHOLE ? SHOW_WHOLE_MS : 0
}

/** The visible state of a file. */
interface Shown {
  readonly transcript: ImportedTranscript
  readonly generation: number
  readonly version: number
  readonly complete: boolean
}

/** The visible state of a file across readings, and the reading that it comes from. */
class TranscriptSnapshot {
  #reading: Reading | null = null
  #readings = 0
  #shown: Shown | null = null

  /** The reading that is shown; null while there is nothing to show. */
  get reading(): Reading | null {
    return this.#reading
  }
  /** Readings that were shown so far. */
  get readings(): number {
    return this.#readings
  }
  /** Changes with each look; 0 before the first. */
  get version(): number {
    return this.#shown?.version ?? 0
  }
  get isComplete(): boolean {
    return this.#shown?.complete ?? false
  }

  now(): Shown {
    if (this.#shown !== null) return this.#shown
    throw new Error('nothing was read of this file yet')
  }

  /**
   * Shows the data read so far. Returns false if there is nothing to show yet, and a problem if there never will be.
   */
  look(from: Reading): Problem | boolean {
    return this.#show(from, from.snapshot(false), false)
  }

  /** The same when all was read. @param torn last lines that are held back are listed as problems */
  whole(from: Reading, torn: boolean): Problem | boolean {
    return this.#show(from, from.finish(torn), true)
  }

  #show(from: Reading, read: Result<ImportedTranscript>, whole: boolean): Problem | boolean {
    if (!read.ok) return read.error
    const before = this.#shown
    const isSame = this.#reading === from
    // A document that is rewritten all the time mostly only got longer: it is judged when it is whole.
    const waits = before !== null && !isSame && !from.tails && !whole
    if (waits || read.value.sessions.length === 0) return false
    this.#shown = {
      transcript:
        before !== null && isSame ? keepingSame(before.transcript, read.value) : read.value,
      generation: this.#nextGeneration(from, read.value),
      version: this.version + 1,
      complete: whole,
    }
    if (!isSame) {
      this.#reading = from
      this.#readings += 1
    }
    return true
  }

  /** [I51] A file of lines that is read from the beginning counts as a new file. A document may only have grown. */
  #nextGeneration(from: Reading, now: ImportedTranscript): number {
    const before = this.#shown
    if (before === null) return 0
    const isSame = this.#reading === from
    const stays = (isSame || !from.tails) && continues(before.transcript, now, !isSame)
    return stays ? before.generation : before.generation + 1
  }
}
