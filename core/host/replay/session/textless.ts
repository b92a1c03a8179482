import type { Pipeline, ScanTurn } from '../../../engine/pipeline.ts'
import type { Session } from '../../../engine/schema/session.ts'
import { type Recorded, recordedFor } from '../../../engine/textless/scans.ts'
import { textlessHead, textlessTurn } from '../../../engine/textless/schema.ts'
import { refusal, valueOrRefuse } from '../../platform/threads/refusal.ts'

/** [U121] Null if the texts are present. Refuses a configuration without a recording. */
export function recordedOf(head: Pick<Session, 'extras'>, pipeline: Pipeline): Recorded | null {
  const textless = textlessHead(head)
  return textless === null ? null : valueOrRefuse(recordedFor(textless, pipeline))
}

/** Returns the recorded result; scans the texts if they are present. */
export function scanOr(recorded: Recorded | null, looking: ScanTurn): ScanTurn {
  if (recorded === null) return looking
  return (_, { input }, turn) => recorded(textlessTurn(turn), input.text).scan
}

export const isTextless = (head: Pick<Session, 'extras'>): boolean => textlessHead(head) !== null

/** [U121] Features that read the words refuse a session without texts, instead of reading dots. */
export function refuseTextless(session: Pick<Session, 'extras'>, what: string): void {
  if (!isTextless(session)) return
  throw refusal({
    what: `${what} needs the texts of this session, and they were left out of it`,
    where: 'this session',
    do: 'Ask the author of the export for a file with its text',
  })
}
