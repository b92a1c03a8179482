import { type SessionEvent, NO_TEXTS, textOf } from '../../../engine/schema/event.ts'
import type { EventKind } from '../../../engine/schema/event-kind.ts'
import type { Session } from '../../../engine/schema/session.ts'
import { maskText } from '../../../engine/textless/mask.ts'
import { headLook, recordLook } from '../../../engine/textless/scans.ts'
import { type TextlessTurn, TEXTLESS } from '../../../engine/textless/schema.ts'
import { type TimeLimit, moreTime, watchText } from '../../platform/guard/guard.ts'
import { createBreath } from '../../platform/threads/yielding.ts'
import { findMarks } from '../../replay/session/marks.ts'
import type { SessionReplay } from '../../replay/session/replay.ts'
import { isTextless } from '../../replay/session/textless.ts'

/** Kinds of events whose name is a tool's; other names can be people's. */
const NAMED: ReadonlySet<EventKind> = new Set(['tool_call', 'tool_result', 'injected', 'command'])

interface Recording {
  readonly limit: TimeLimit
  readonly signal: AbortSignal
}

/**
 * [U120] The session without its texts. Texts are masked, the title is the session's number, and folder, names of
 * people and unknown fields are removed. Matches of the replays' patterns are recorded, so that the decisions stay the
 * same. `replays` belong to this session; the one shown first comes first.
 */
export async function withoutTexts(
  session: Session,
  replays: readonly SessionReplay[],
  { limit, signal }: Recording,
): Promise<Session> {
  if (isTextless(session)) return session
  const breath = createBreath(signal)
  const [first] = replays
  const events: SessionEvent[] = []
  for (const event of session.events) {
    const text = textOf(event, session.texts)
    const name = NAMED.has(event.kind) ? event.name : null
    const masked = withoutExtras({ ...event, name, text: maskText(text) })
    const isTurn = replays.some(({ turnOf }) => turnOf.has(event.seq))
    const turn = first && isTurn ? recordTurn(text, replays, limit) : null
    events.push(turn === null ? masked : { ...masked, extras: { [TEXTLESS]: turn } })
    await breath()
  }
  const looks = replays.map(({ compiled }) => headLook(compiled.pipeline))
  const extras = { [TEXTLESS]: { version: 1, looks } }
  return { ...session, title: session.id, cwd: null, events, texts: NO_TEXTS, extras }
}

/** [X1] Keeps only the kind of a source, because names and paths reveal the subject of the work. */
function withoutExtras({ extras, from, ...event }: SessionEvent): SessionEvent {
  if (from === undefined) return extras === undefined ? event : { ...event }
  return { ...event, from: { ...from, name: null, path: null, globs: null, cause: null } }
}

function recordTurn(
  text: string,
  replays: readonly SessionReplay[],
  limit: TimeLimit,
): TextlessTurn {
  const guard = () => watchText(limit, () => moreTime.allPatterns(text.length)).guard
  const looks = replays.map(({ compiled }) => recordLook(compiled.pipeline, text, guard()))
  const [first] = replays
  const marks = first
    ? findMarks(first.compiled.pipeline, { text, shown: text.length }, guard())
    : []
  return { looks, marks }
}
