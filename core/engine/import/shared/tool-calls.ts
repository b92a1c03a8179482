import { draft, type EventDraft, type Origin } from './drafts.ts'

/** Tool names by call id: results often carry the id only. */
export type ToolNames = Map<string, string>

export interface ToolCall {
  readonly text: string
  readonly name: string | null
  readonly id: string | null
}

/** The event of a call; its name is remembered for the result. */
export function callEvent(call: ToolCall, origin: Origin, names: ToolNames): EventDraft {
  const { text, name, id } = call
  if (id !== null && name !== null) names.set(id, name)
  return draft('tool_call', text, origin, { name, callId: id })
}

export interface ToolResult {
  readonly text: string
  readonly id: string | null
  /** If it is not known, the name of the call is used. */
  readonly name?: string | null
  readonly isError?: boolean
}

/** The event of a result. */
export function resultEvent(
  { text, id, name, isError }: ToolResult,
  origin: Origin,
  names: ReadonlyMap<string, string>,
): EventDraft {
  const known = name ?? names.get(id ?? '') ?? null
  return draft('tool_result', text, origin, { name: known, callId: id, isError })
}
