import { err, ok, type Problem, type Result } from '../result.ts'
import type { EventKind } from '../schema/event-kind.ts'

/** Required fields of a table of turns, and other common names for them, likeliest first, in lower case. */
const NAMES = {
  session: [
    'session',
    'session_id',
    'sessionid',
    'conversation',
    'conversation_id',
    'conversationid',
    'thread',
    'thread_id',
    'threadid',
    'chat_id',
    'chatid',
    'dialog_id',
    'trace_id',
  ],
  turn: [
    'turn',
    'turn_id',
    'turn_index',
    'turn_number',
    'seq',
    'sequence',
    'step',
    'position',
    'message_index',
    'idx',
    'index',
    'timestamp',
    'created_at',
    'createdat',
    'time',
    'ts',
    'date',
  ],
  message: ['message', 'text', 'content', 'prompt', 'body', 'utterance', 'message_text'],
  kind: ['kind', 'role', 'speaker', 'author', 'sender', 'from'],
} as const

export type ColumnPart = keyof typeof NAMES
export const COLUMN_PARTS: readonly ColumnPart[] = ['session', 'turn', 'message', 'kind']

/** Which column of a table says what. */
export interface TurnColumns {
  readonly session: string
  /** Null if rows are in the order of their turns. */
  readonly turn: string | null
  readonly message: string
  /** Null if every row is a user message. */
  readonly kind: string | null
}

/**
 * [F114] Finds the columns by name, in any case; `given` names some of them.
 * @param names all columns of the table
 */
export function findColumns(
  names: readonly string[],
  given: Partial<Record<ColumnPart, string>>,
  where: string,
): Result<TurnColumns> {
  const found = (part: ColumnPart): string | null => {
    const chosen = given[part]
    if (chosen !== undefined) return names.includes(chosen) ? chosen : null
    for (const known of NAMES[part]) {
      const name = names.find((each) => each.toLowerCase() === known)
      if (name !== undefined) return name
    }
    return null
  }
  const missing = COLUMN_PARTS.find(
    (part) =>
      found(part) === null &&
      (given[part] !== undefined || part === 'session' || part === 'message'),
  )
  const session = found('session')
  const message = found('message')
  if (missing !== undefined || session === null || message === null) {
    const part = missing ?? 'session'
    return err({
      what:
        given[part] === undefined
          ? `no column says the ${part}; there are ${names.join(', ')}`
          : `there is no column "${given[part]}"; there are ${names.join(', ')}`,
      where,
      do: `Name it: --columns ${part}=NAME`,
    } satisfies Problem)
  }
  return ok({ session, turn: found('turn'), message, kind: found('kind') })
}

/** [F114] Other names for the kinds of events, in lower case. Our own names need no entry. */
export const KIND_WORDS: Readonly<Record<string, EventKind>> = {
  human: 'user',
  person: 'user',
  customer: 'user',
  prompter: 'user',
  assistant: 'agent',
  ai: 'agent',
  bot: 'agent',
  model: 'agent',
  gpt: 'agent',
  tool: 'tool_result',
  function: 'tool_result',
  observation: 'tool_result',
  developer: 'system',
}
