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

/** What happens on the way. `look`: there is more to see; `refused`: no transcript, or not any more. */
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

/** [I51] So small a file is read in the time that showing a part of it would take; a larger one is shown at once. */
const SHOW_WHOLE = 1 << 20
const SHOW_WHOLE_MS = 1000
/** [I51] Looks follow each other at this distance, and cost at most a tenth of the time. */
const LOOK_MS = 500
/** [I55] A document that is rewritten is read anew at this distance at most, and in a tenth of the time. */
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
  /** When a file that changed may be read anew. */
  #rereadAt = 0
  readonly #turns = new Turns()

  /** [I140] Asked whenever the file is read anew: a mapping may have changed. */
  readonly #formats: FormatsOf
  readonly #hashed: boolean

  /** @param hashed [I148] so that `holdsAll` can be asked */
  constructor(path: string, formats: FormatsOf = noFormats, hashed = false) {
    this.path = path
    this.#formats = formats
    this.#hashed = hashed
  }
  /** Whether it is read on where it grew, and when it was changed last (epoch milliseconds). */
  get growth(): { readonly tails: boolean; readonly changedAt: number } {
    const { reading } = this.#shown
    return { tails: reading?.tails === true, changedAt: reading?.changedAt ?? 0 }
  }
  get formatLabel(): string {
    return this.#shown.reading?.formatLabel ?? ''
  }
  /** Bytes of the file, as far as they are known. */
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
  /** Changes when events changed places; then all that was learnt of them is void. */
  get generation(): number {
    return this.#shown.now().generation
  }
  /** Changes when the file was read anew: other events, even where they say the same. */
  get reading(): number {
    return this.#shown.readings
  }
  /** [U125] What came along in an exported page; null for every other file. */
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

  /** Where records are; null for a number that is no file of this transcript. */
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

  /** [I148] Whether the files still hold all that was read of them, by the bytes. Rejects where one is gone. */
  async holdsAll(): Promise<boolean> {
    return (await this.#shown.reading?.holdsAll()) === true
  }

  /** [U161] Reads a file that this program wrote to, at once: on where it grew, anew where it is another. */
  again(signal: AbortSignal): Steps {
    return this.#turns.take(signal, () => this.#again(signal))
  }

  /** [I53] Reads on whenever the file grows, until the signal is aborted. */
  async *follow(signal: AbortSignal): Steps {
    const watch = watchFile(this.path)
    this.#followers += 1
    try {
      yield { kind: 'following', state: 'watching' }
      // What was held back as torn is waited for from now on.
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

  /** Reads to the end of what there is. A file that is read anew is shown when it has something to show. */
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
      // A last line that counted as whole was not: what came goes on with it.
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

  /** [I53] [I55] The file is another one. As long as it holds nothing, what was shown stays. */
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
      // It may be gone again, or be written right now: the next look tells.
      signal.throwIfAborted()
    } finally {
      const end = performance.now()
      this.#rereadAt = end + Math.max(REREAD_MS, 10 * (end - start))
    }
  }

  /** Nobody waits any more: last lines count as they are. */
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
      // The file is gone: what was read stays.
    }
  }
}

function firstLook(bytes: number): number {
  return bytes <= SHOW_WHOLE ? SHOW_WHOLE_MS : 0
}

/** What is seen of a file by now. */
interface Shown {
  readonly transcript: ImportedTranscript
  readonly generation: number
  readonly version: number
  readonly complete: boolean
}

/** What is shown of a file that is read and read anew, and the reading that it comes from. */
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

  /** Shows what was read so far; false when there is nothing to show yet, a problem when there never will be. */
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

  /** [I51] A file of lines that is read anew is another file; a document may only have got longer. */
  #nextGeneration(from: Reading, now: ImportedTranscript): number {
    const before = this.#shown
    if (before === null) return 0
    const isSame = this.#reading === from
    const stays = (isSame || !from.tails) && continues(before.transcript, now, !isSame)
    return stays ? before.generation : before.generation + 1
  }
}
