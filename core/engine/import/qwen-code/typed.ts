import type { EventKind } from '../../schema/event-kind.ts'
import { draft, type EventDraft, type Origin } from '../shared/drafts.ts'
import { asText, own, textAt } from '../shared/guards.ts'
import { typedAs, userTextEvents } from '../shared/user-text.ts'
import { partsOf, textOf } from './parts.ts'

/** What a record under the user's role is, by its subtype. Without one a person typed it. */
const SUBTYPES: Readonly<Record<string, EventKind>> = {
  mid_turn_user_message: 'user',
  notification: 'notification',
  background_task_completed: 'notification',
  cron: 'injected',
  agent_launch_prompt: 'subagent_prompt',
}

const HOOK = '<qwen:user-prompt-submit-context>'

/** [I126] What a person typed is what was shown of it; what was sent beside it is injected. */
export function typedEvents(
  record: unknown,
  origin: Origin,
  spoken: 'user' | 'subagent_prompt',
): readonly EventDraft[] {
  const texts = partsOf(record).flatMap((part) => textOf(part) ?? [])
  const hooks = texts.filter((text) => text.trimStart().startsWith(HOOK))
  const text = texts.filter((one) => !hooks.includes(one)).join('\n')
  const notes = hooks.map((hook) => draft('injected', hook, origin, { name: 'hook' }))
  const subtype = textAt(record, 'subtype')
  const kind = kindOf(record, subtype, spoken)
  const shown = asText(own(own(record, 'systemPayload'), 'displayText'))
  if (kind !== 'user' && kind !== 'subagent_prompt') {
    const words = text === '' ? (shown ?? '') : text
    return words === ''
      ? notes
      : [draft(kind, words, origin, { name: subtype ?? 'not-typed' }), ...notes]
  }
  const typed = shown ?? text
  const rest = text.startsWith(typed) ? text.slice(typed.length) : text
  return [
    ...(typed.trim() === '' ? [] : userTextEvents(typed, origin, typedAs(kind))),
    ...(rest.trim() === '' ? [] : [draft('injected', rest.trim(), origin, { name: 'context' })]),
    ...notes,
  ]
}

function kindOf(record: unknown, subtype: string | null, spoken: EventKind): EventKind {
  const provenance = textAt(record, 'provenance')
  const named = subtype !== null && Object.hasOwn(SUBTYPES, subtype) ? SUBTYPES[subtype] : undefined
  if (named !== undefined) return named === 'user' ? spoken : named
  if (textAt(record, 'externalInputKind') === 'notification') return 'notification'
  if (subtype !== null) return 'injected'
  return provenance === null || provenance === 'real_user' ? spoken : 'injected'
}
