import type { JsonObject } from './guards.ts'
import { takeEnvelope } from './envelope.ts'
import type { ImportLog } from './import-log.ts'
import type { Importer, RawRecord } from '../source.ts'
import { createSessionWriters, type SessionWriters } from './session-writer.ts'

/** Where the reading of a file stands; `run` is what its format knows of the session at hand. */
export interface SessionsReading<Run> {
  readonly log: ImportLog
  readonly writers: SessionWriters
  run: Run | null
}

interface Parts<Run> {
  readonly header: (value: JsonObject, record: RawRecord, reading: SessionsReading<Run>) => unknown
  readonly item: (record: RawRecord, reading: SessionsReading<Run>) => void
}

/** [I28] Reads a file whose sessions come one after the other, each an object around a list under one of `keys`. */
export function readSessions<Run>(
  keys: readonly string[],
  { header, item }: Parts<Run>,
): Importer['read'] {
  return (log, texts) => {
    const writers = createSessionWriters(texts)
    const reading: SessionsReading<Run> = { log, writers, run: null }
    return {
      take: (record) =>
        takeEnvelope(record, keys, {
          header: (value, holder) => header(value, holder, reading),
          item: (each) => item(each, reading),
        }),
      drafts: writers.drafts,
      tidy: writers.tidy,
    }
  }
}
