import type { RedactionFinding, RedactionKind } from '../schema/redaction.ts'
import type { Immutable } from '../schema/immutable.ts'
import { redactValue, secretId, secretsOf } from './redact.ts'
import type { Secret } from './scan.ts'

/** Findings of one review at most; all are taken out. */
const MAX_FINDINGS = 2000
const MAX_PLACES = 5
/** Maximum UTF-16 units shown of a value, and of the text on either side of it. */
const SHOWN = 200
const AROUND = 60

/** The location of a text; `seq` is -1 for the head of a session. */
export interface Place {
  readonly session: number
  readonly seq: number
}

interface Draft {
  readonly kind: RedactionKind
  readonly rule: string
  readonly value: string
  count: number
  readonly places: Array<RedactionFinding['places'][number]>
}

/** Collects the values that an export would redact, one entry per value. */
export interface Review {
  /** Looks through a line of the native format. */
  readonly add: (line: unknown, place: Place) => void
  /** In the order in which they were met. */
  readonly findings: () => ReadonlyArray<Immutable<RedactionFinding>>
  /** Different values, also those that are not listed. */
  readonly total: () => number
}

/** [R8] A review of these kinds. */
export function createReview(kinds: readonly RedactionKind[]): Review {
  const drafts = new Map<string, Draft>()
  const seen = new Set<string>()

  function note(secret: Secret, text: string, place: Place): void {
    const { kind, rule, start, end } = secret
    const value = text.slice(start, end)
    const id = secretId(kind, value)
    seen.add(id)
    let draft = drafts.get(id)
    if (draft === undefined) {
      if (drafts.size >= MAX_FINDINGS) return
      draft = { kind, rule, value: shown(value), count: 0, places: [] }
      drafts.set(id, draft)
    }
    draft.count += 1
    if (draft.places.length < MAX_PLACES) draft.places.push({ ...place, ...around(text, secret) })
  }

  return {
    add: (line, place) => {
      redactValue(line, (text, field) => {
        for (const secret of secretsOf(text, kinds, field)) note(secret, text, place)
        return text
      })
    },
    findings: () => [...drafts].map(([id, draft]) => ({ id, ...draft })),
    total: () => seen.size,
  }
}

function shown(value: string): string {
  return value.length <= SHOWN ? value : `${value.slice(0, SHOWN)}…`
}

function around(text: string, { start, end }: Secret) {
  const from = Math.max(0, start - AROUND)
  const to = Math.min(end, start + SHOWN)
  const lead = from > 0 ? '…' : ''
  const excerpt = `${lead}${text.slice(from, Math.min(text.length, to + AROUND))}`
  const shift = lead.length - from
  const span: [number, number] = [start + shift, to + shift]
  return { excerpt, span }
}
