import type { EventKind } from '../../schema/event-kind.ts'
import { draft, type EventDraft, type Origin } from './drafts.ts'
import { partsOfUserText, typedAs } from './user-text.ts'

/** Message that OpenHands' benchmarks send in place of the absent user. */
export const AUTO_REPLY =
  'Please continue working on the task on whatever approach you think is suitable'

interface Reply {
  readonly kind: EventKind
  /** Its first group, if it has one, is the name of the tool. */
  readonly begins: RegExp
  readonly rule: string
}

/** [I175] Texts that harnesses of chat models write under the user's role, for models without a role for tools. */
const REPLIES: readonly Reply[] = [
  // OpenHands: results of calls that were written as text.
  {
    kind: 'tool_result',
    begins: /^EXECUTION RESULT of \[([^\]\n]{1,80})\]:/,
    rule: 'observation',
  },
  // SWE-agent and SWE-smith; smolagents has a small O.
  { kind: 'tool_result', begins: /^(?:OBSERVATION|Observation):\s*\n/, rule: 'observation' },
  { kind: 'notification', begins: new RegExp(`^${AUTO_REPLY}`), rule: 'auto-reply' },
]

/** SWE-agent ends each observation with the state of its shell. The task ends with it, too. */
const SHELL_STATE = /\(Open file: [^\n]*\)\n\(Current directory: [^\n]*\)\nbash-\$\s*$/

/** [I175] A text under the user's role of a chat message as events. `before`: the events of the session so far. */
export function chatUserEvents(
  text: string,
  name: string | null,
  origin: Origin,
  before: readonly EventDraft[] | null,
): readonly EventDraft[] {
  for (const { kind, begins, rule } of REPLIES) {
    const match = begins.exec(text)
    if (match === null) continue
    const tool = kind === 'tool_result' ? (match[1] ?? null) : rule
    return [draft(kind, text, origin, { name: tool })]
  }
  if (SHELL_STATE.test(text.slice(-1000)) && before?.some((event) => event.kind === 'user'))
    return [draft('tool_result', text, origin)]
  return partsOfUserText(text, typedAs('user')).map((part) =>
    draft(part.kind, part.text, origin, { name: part.rule ?? name }),
  )
}
