import { basename } from 'node:path'
import { withReading } from '../../../engine/lab/readers/readings.ts'
import type { TextLabel, TurnLabel } from '../../../engine/schema/label.ts'
import { HASH_DIGITS, hashOf, isOutcome, isTextLabel } from '../../labels/label-file.ts'
import type { LabelFile } from '../../labels/label-store.ts'

/** A turn that several label files may speak of. */
interface ReadItem {
  /** As people find it: the session and event, or the beginning of the text. */
  readonly place: string
  readonly readings: ReadonlyArray<TurnLabel | TextLabel>
}

/** Session, event and hash say which turn it is; a text is its own place. */
function placeOf(label: TurnLabel | TextLabel): readonly [key: string, place: string] {
  if (isTextLabel(label)) return [`text ${hashOf(label.text)}`, label.text]
  const { session = '', event, sha256 } = label
  const place = `${session === '' ? 'first session' : session}, event ${event + 1}`
  return [`turn ${session} ${event} ${sha256.slice(0, HASH_DIGITS)}`, place]
}

/**
 * [L87] Labels of several files, grouped by turn. The label names its reader. If two or more files are read and a label
 * has no name, its file is the reader.
 */
export function readingsOf(files: readonly LabelFile[]): readonly ReadItem[] {
  const items = new Map<string, ReadItem>()
  for (const { path, lines } of files) {
    const reader = files.length > 1 ? { by: basename(path) } : {}
    for (const { value } of lines) {
      if (value === null || isOutcome(value)) continue
      const [key, place] = placeOf(value)
      const before = items.get(key)?.readings ?? []
      items.set(key, { place, readings: withReading(before, { ...reader, ...value }) })
    }
  }
  return [...items.values()]
}
