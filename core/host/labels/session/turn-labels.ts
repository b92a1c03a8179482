import { labelFor, withReading } from '../../../engine/lab/readers/readings.ts'
import type { SessionOutcome, TurnLabel } from '../../../engine/schema/label.ts'
import type { Session } from '../../../engine/schema/session.ts'
import { createLabelFinder, isOutcome, isTurnLabel } from '../label-file.ts'
import type { LabelFile } from '../label-store.ts'

/** Content of the label files for one session. */
interface SessionLabels {
  readonly bySeq: ReadonlyMap<number, TurnLabel>
  readonly outcome: SessionOutcome | null
  readonly lost: ReadonlyArray<{ readonly line: number; readonly what: string }>
}

const LOST = 'no event has this text any more, or more than one has'

/** [T1] Without a name a line means the first session of the file. */
export function meansSession(session: Pick<Session, 'id'>, index: number) {
  return (id: string | undefined) => (id === undefined ? index === 0 : id === session.id)
}

/**
 * Labels of a session. Of two of one event the consensus counts, else the later one (L86).
 * @param by [L85] the reader who looks: sees the own label, and not those of others; null = the label that counts
 */
export function labelsOf(
  files: readonly LabelFile[],
  session: Session,
  { index, by = null }: { readonly index: number; readonly by?: string | null },
): SessionLabels {
  const means = meansSession(session, index)
  const finder = createLabelFinder(session.events, session.texts)
  const readings = new Map<number, readonly TurnLabel[]>()
  const lost: Array<{ line: number; what: string }> = []
  let outcome: SessionOutcome | null = null
  for (const { line, value, problem } of files.flatMap(({ lines }) => lines)) {
    if (problem !== null) lost.push({ line, what: problem })
    if (value === null) continue
    if (isOutcome(value) && means(value.session)) outcome = value
    if (!isTurnLabel(value) || !means(value.session)) continue
    const seq = finder.find(value)
    if (seq === null) lost.push({ line, what: LOST })
    else readings.set(seq, withReading(readings.get(seq) ?? [], value))
  }
  const shown = [...readings].flatMap(([seq, all]) => {
    const label = labelFor(all, by)
    return label === undefined ? [] : [[seq, label] as const]
  })
  return { bySeq: new Map(shown), outcome, lost }
}
