import type { ImportedTranscript } from '../../engine/import/source.ts'
import type { Problem, Result } from '../../engine/result.ts'
import { continues, keepingSame } from './live-work.ts'
import type { Reading } from './reading.ts'

/** What is seen of a file by now. */
interface Shown {
  readonly transcript: ImportedTranscript
  readonly generation: number
  readonly version: number
  readonly complete: boolean
}

/** What is shown of a file that is read and read anew, and the reading that it comes from. */
export class ShownReading {
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
