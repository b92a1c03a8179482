import type { Pipeline, ScanTurn } from '../../../engine/pipeline.ts'
import type { Session } from '../../../engine/schema/session.ts'
import { type Recorded, recordedFor } from '../../../engine/textless/scans.ts'
import { textlessHead, textlessTurn } from '../../../engine/textless/schema.ts'
import { refusal, valueOrRefuse } from '../../platform/threads/refusal.ts'

/** [U121] Null where the texts are there; a way to decide that nothing was recorded for is refused. */
export function recordedOf(head: Pick<Session, 'extras'>, pipeline: Pipeline): Recorded | null {
  const textless = textlessHead(head)
  return textless === null ? null : valueOrRefuse(recordedFor(textless, pipeline))
}

/** Remembers what was recorded; looks at the texts where they are there. */
export function scanOr(recorded: Recorded | null, looking: ScanTurn): ScanTurn {
  if (recorded === null) return looking
  return (_, { input }, turn) => recorded(textlessTurn(turn), input.text).scan
}

export const isTextless = (head: Pick<Session, 'extras'>): boolean => textlessHead(head) !== null

/** [U121] What reads the words themselves says so, where there are none, instead of reading dots. */
export function refuseTextless(session: Pick<Session, 'extras'>, what: string): void {
  if (!isTextless(session)) return
  throw refusal({
    what: `${what} needs the texts of this session, and they were left out of it`,
    where: 'this session',
    do: 'Ask the author of the export for a file with its text',
  })
}
