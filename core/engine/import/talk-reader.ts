import type { JsonObject } from './guards.ts'
import { takeHolder } from './holder.ts'
import type { Ledger } from './ledger.ts'
import type { RawRecord, Reader } from './source.ts'
import { createTalks, type Talks } from './talks.ts'

/** Where the reading of a file stands; `run` is what its format knows of the session at hand. */
export interface TalkReading<Run> {
  readonly ledger: Ledger
  readonly talks: Talks
  run: Run | null
}

interface Parts<Run> {
  readonly header: (value: JsonObject, record: RawRecord, reading: TalkReading<Run>) => unknown
  readonly item: (record: RawRecord, reading: TalkReading<Run>) => void
}

/** [I28] Reads a file whose sessions come one after the other, each an object around a list under one of `keys`. */
export function readTalks<Run>(
  keys: readonly string[],
  { header, item }: Parts<Run>,
): (ledger: Ledger) => Reader {
  return (ledger) => {
    const talks = createTalks()
    const reading: TalkReading<Run> = { ledger, talks, run: null }
    return {
      take: (record) =>
        takeHolder(record, keys, {
          header: (value, holder) => {
            header(value, holder, reading)
          },
          item: (each) => item(each, reading),
        }),
      drafts: talks.drafts,
      tidy: talks.tidy,
    }
  }
}
