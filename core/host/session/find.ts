import type { Session } from '../../engine/schema/session.ts'
import { createBreath } from './yielding.ts'

const MAX_FOUND = 1000

/**
 * Events whose text contains `text`, ignoring case, at most 1,000. Plain text: `.*` finds `.*`.
 * The search lives in one native RegExp, which is several times faster than lower-casing every text.
 */
export async function findText(
  session: Session,
  text: string,
  signal: AbortSignal,
): Promise<{ readonly seqs: readonly number[]; readonly more: boolean }> {
  const pattern = new RegExp(text.replace(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`), 'iu')
  const breath = createBreath(signal)
  const seqs: number[] = []
  for (const event of session.events) {
    if (pattern.test(event.text)) {
      if (seqs.length === MAX_FOUND) return { seqs, more: true }
      seqs.push(event.seq)
    }
    await breath()
  }
  return { seqs, more: false }
}
