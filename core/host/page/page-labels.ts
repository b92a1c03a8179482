import { textOf } from '../../engine/schema/event.ts'
import type { LabelLine, SessionOutcome, TurnLabel } from '../../engine/schema/label.ts'
import type { Session } from '../../engine/schema/session.ts'
import {
  type LabelFinder,
  HASH_DIGITS,
  createLabelFinder,
  hashOf,
  isOutcome,
  isTurnLabel,
  parseLabels,
} from '../labels/label-file.ts'

/** A session as it was read, and as it goes into the page. */
export interface Carried {
  readonly from: Session
  /** Place among the sessions of its file. */
  readonly index: number
  readonly to: Session
  /** Events that were left out before its first one. */
  readonly before: number
}

interface Carrying {
  /** Lines of a labels file. */
  readonly labels: string
  readonly sessions: readonly Carried[]
  /** Replaces secrets, in texts of events. */
  readonly redact: (text: string) => string
  /** Without the texts, labels of a text alone have nothing to stand for. */
  readonly text: boolean
}

/**
 * [U122] The labels of sessions that changed on their way: a text may be masked, redacted, or have another
 * number, and its label is to be found again. What no label is, or has lost its event, stays behind.
 */
export function carryLabels({ labels, sessions, redact, text }: Carrying): readonly LabelLine[] {
  const finders = new Map(
    sessions.map((each) => [each, createLabelFinder(each.from.events, each.from.texts)]),
  )
  const of = (id: string | undefined) =>
    sessions.find(({ from, index }) => (id === undefined ? index === 0 : from.id === id))
  return parseLabels(labels).flatMap(({ value }): readonly LabelLine[] => {
    if (value === null) return []
    if (!isTurnLabel(value) && !isOutcome(value)) return text ? [value] : []
    const carried = of(value.session)
    const finder = carried && finders.get(carried)
    if (carried === undefined || finder === undefined) return []
    const moved = isTurnLabel(value)
      ? movedLabel(value, carried, { finder, redact })
      : ({ ...value, session: carried.to.id } satisfies SessionOutcome)
    return moved === null ? [] : [moved]
  })
}

interface Finding {
  readonly finder: LabelFinder
  readonly redact: (text: string) => string
}

function movedLabel(
  label: TurnLabel,
  { to, before }: Carried,
  { finder, redact }: Finding,
): TurnLabel | null {
  const seq = finder.find(label)
  const event = seq === null ? undefined : to.events[seq - before]
  if (event === undefined) return null
  const sha256 = hashOf(redact(textOf(event, to.texts))).slice(0, HASH_DIGITS)
  return { ...label, session: to.id, event: event.seq, sha256 }
}

/** Sessions of several files in one: ids that occur twice get a number, and parents follow. */
export function uniqueSessions<T extends { readonly to: Session }>(
  files: ReadonlyArray<readonly T[]>,
): readonly T[] {
  const taken = new Set<string>()
  return files.flatMap((sessions) => {
    const names = new Map<string, string>()
    for (const { to } of sessions) {
      let name = to.id
      for (let count = 2; taken.has(name); count += 1) name = `${to.id} (${count})`
      taken.add(name)
      names.set(to.id, name)
    }
    return sessions.map((each) => {
      const { id, parent } = each.to
      const renamed = { id: names.get(id) ?? id, parent: parent && (names.get(parent) ?? parent) }
      return { ...each, to: { ...each.to, ...renamed } }
    })
  })
}
