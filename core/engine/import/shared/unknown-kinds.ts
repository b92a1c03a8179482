import type { LineProblem } from '../../schema/session.ts'
import type { RawRecord } from '../source.ts'
import { compact } from './guards.ts'
import { problemAt } from './import-log.ts'

/** Places of one unknown kind that are named. */
const PLACES = 10
/** A hostile file may use a different kind on each line. */
const KINDS = 200

interface Kind {
  readonly of: Of
  count: number
  readonly first: LineProblem
  readonly lines: number[]
}

type Of = 'record' | 'part' | 'wrapper'

/** [I108] Kinds of records, and of parts of messages, that a format does not know. [I172] Wrappers of messages too. */
export interface UnknownKinds {
  readonly note: (kind: string, of: Of, record: RawRecord) => void
  /** One problem a kind, in the order of their first records. */
  readonly problems: () => readonly LineProblem[]
}

export function createUnknownKinds(): UnknownKinds {
  const kinds = new Map<string, Kind>()
  return {
    note(kind, of, { value, ref }) {
      const short = kind.slice(0, 80)
      const name = kinds.has(short) || kinds.size < KINDS ? short : 'other kinds'
      const known = kinds.get(name)
      const { line } = ref
      if (known === undefined) {
        const place = { ...ref, text: compact(value).slice(0, 400) }
        const first = problemAt('unknown_kind', place, of)
        kinds.set(name, { of, count: 1, first, lines: [line] })
        return
      }
      known.count += 1
      if (known.lines.length < PLACES && !known.lines.includes(line)) known.lines.push(line)
    },
    problems: () =>
      [...kinds].map(([kind, found]) => ({ ...found.first, message: told(kind, found) })),
  }
}

function told(kind: string, { of, count, first, lines }: Kind): string {
  const more = count > lines.length && lines.length === PLACES ? ', …' : ''
  const where = `${lines.length === 1 ? 'line' : 'lines'} ${lines.join(', ')}${more}`
  if (of === 'wrapper') {
    const messages = count === 1 ? '1 message' : `${count} messages`
    return `${messages} under the user's role counted as injected, because ${kind} is unknown: ${where}`
  }
  const what = count === 1 ? `1 ${first.message}` : `${count} ${first.message}s`
  return `${what} of the unknown kind “${kind}” ${count === 1 ? 'was' : 'were'} not read: ${where}`
}
