import type { EventKind } from '../../schema/event-kind.ts'
import { draft, type EventDraft, type Origin } from '../shared/drafts.ts'
import { withoutElements } from '../shared/tags.ts'
import { typedAs, userTextEvents } from '../shared/user-text.ts'

const OPEN = '<user_query>'
const CLOSE = '</user_query>'

/**
 * [I123] What a person typed stands in `<user_query>`, with the client's notes around it: those are
 * injected. A text without that tag was typed, unless it is one of the client's notes.
 */
export function typedEvents(
  text: string,
  origin: Origin,
  spoken: EventKind,
): readonly EventDraft[] {
  const events: EventDraft[] = []
  const around = (note: string): void => {
    if (note.trim() !== '') events.push(draft('injected', note.trim(), origin, { name: 'context' }))
  }
  let at = 0
  for (;;) {
    const open = text.indexOf(OPEN, at)
    const close = open < 0 ? -1 : text.indexOf(CLOSE, open)
    if (close < 0) break
    around(text.slice(at, open))
    const typed = text.slice(open + OPEN.length, close).trim()
    if (typed !== '') events.push(...userTextEvents(typed, origin, typedAs(spoken)))
    at = close + CLOSE.length
  }
  if (at > 0) around(text.slice(at))
  else if (isNotes(text)) around(text)
  else events.push(...userTextEvents(text, origin, typedAs(spoken)))
  return events
}

/** What the client sends beside what was typed. */
const NOTES = [
  ...['user_info', 'git_status', 'rules', 'agent_transcripts', 'agent_skills', 'project_layout'],
  ...['open_and_recently_viewed_files', 'attached_files', 'additional_data', 'mcp_file_system'],
  ...['system_reminder', 'system_notification', 'timestamp', 'manually_attached_skills'],
  ...['cursor_commands', 'external_links', 'image_files'],
]

/** A text that is nothing but notes. */
function isNotes(text: string): boolean {
  return text.trimStart().startsWith('<') && withoutElements(text, NOTES).trim() === ''
}

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')
const STAMP =
  /<timestamp>\s*(?:[A-Z][a-z]+, )?([A-Z][a-z]{2})[a-z]* (\d{1,2}), (\d{4}), (\d{1,2}):(\d\d) (AM|PM) \(UTC(?:([+-])(\d{1,2})(?::(\d\d))?)?\)\s*<\/timestamp>/

/** The time that the client notes before a message, as milliseconds since 1970; null where it notes none. */
export function stampIn(text: string): number | null {
  const match = STAMP.exec(text.slice(0, 20_000))
  if (match === null) return null
  const [, month = '', day, year, hour, minute, half, sign, zoneHours = '0', zoneMinutes = '0'] =
    match
  const at = MONTHS.indexOf(month)
  if (at < 0) return null
  const hours = (Number(hour) % 12) + (half === 'PM' ? 12 : 0)
  const zone = (Number(zoneHours) * 60 + Number(zoneMinutes)) * (sign === '-' ? -1 : 1)
  return Date.UTC(Number(year), at, Number(day), hours, Number(minute) - zone)
}
