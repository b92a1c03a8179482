import { parseJson } from '../json/value.ts'
import { flatText } from '../shared/content-blocks.ts'
import { draft, type EventDraft, type Origin } from '../shared/drafts.ts'
import { compact, entryOf, isList, isObject, own, textAt } from '../shared/guards.ts'

type Kind = EventDraft['kind']

interface Rule {
  readonly kind: Kind
  /** Name of the event; else the record's own. */
  readonly name?: string | null
  readonly isError?: boolean
}

const AGENT: Rule = { kind: 'agent', name: null }
const USER: Rule = { kind: 'user', name: null }
const CALL: Rule = { kind: 'tool_call' }
const RESULT: Rule = { kind: 'tool_result' }
const FAILURE: Rule = { kind: 'system', isError: true }

/** [I17] The meaning of a user-interface record by its `say`. Other values are only counted. */
const SAY: Readonly<Record<string, Rule>> = {
  task: USER,
  user_feedback: USER,
  user_feedback_diff: USER,
  text: AGENT,
  completion_result: AGENT,
  reasoning: { kind: 'reasoning', name: null },
  tool: CALL,
  command: { kind: 'tool_call', name: 'execute_command' },
  use_mcp_server: { kind: 'tool_call', name: 'use_mcp_tool' },
  browser_action: { kind: 'tool_call', name: 'browser_action' },
  browser_action_launch: { kind: 'tool_call', name: 'browser_action' },
  command_output: { kind: 'tool_result', name: 'execute_command' },
  mcp_server_response: { kind: 'tool_result', name: 'use_mcp_tool' },
  browser_action_result: { kind: 'tool_result', name: 'browser_action' },
  codebase_search_result: RESULT,
  subtask_result: RESULT,
  error: FAILURE,
  diff_error: FAILURE,
  clineignore_error: FAILURE,
  rooignore_error: FAILURE,
  shell_integration_warning: { kind: 'notification' },
  condense_context: { kind: 'summary' },
  compaction: { kind: 'summary' },
  info: { kind: 'meta' },
}

/** The same by its `ask`. */
const ASK: Readonly<Record<string, Rule>> = {
  followup: AGENT,
  plan_mode_respond: AGENT,
  completion_result: AGENT,
  tool: CALL,
  command: { kind: 'tool_call', name: 'execute_command' },
  use_mcp_server: { kind: 'tool_call', name: 'use_mcp_tool' },
  browser_action_launch: { kind: 'tool_call', name: 'browser_action' },
  command_output: { kind: 'tool_result', name: 'execute_command' },
  condense: { kind: 'summary' },
  summarize_task: { kind: 'summary' },
  api_req_failed: FAILURE,
  mistake_limit_reached: { kind: 'notification' },
}

export function isUiRecord(value: unknown): boolean {
  const type = own(value, 'type')
  if (type !== 'ask' && type !== 'say') return false
  return typeof own(value, 'ts') === 'number' && typeof own(value, type) === 'string'
}

/** Events of a record of the interface; `first`: none was read before it. */
export function uiEvents(
  record: unknown,
  first: boolean,
  origin: Origin,
  skip: (type: string) => void,
): EventDraft[] {
  const side = own(record, 'type') === 'ask' ? 'ask' : 'say'
  const what = textAt(record, side) ?? 'untyped'
  const words = [textAt(record, 'text'), ...imagesOf(record)].filter(Boolean).join('\n')
  const table = side === 'ask' ? ASK : SAY
  // Before `say: task` existed, the first text was the task.
  const rule = first && what === 'text' ? USER : entryOf(table, what)
  const reason = textAt(record, 'reasoning')
  if (rule === undefined || (words === '' && reason === null)) skip(`${side}/${what}`)
  else {
    const thought = reason === null ? [] : [draft('reasoning', reason, origin)]
    return [...thought, ...(words === '' ? [] : eventsOf(rule, what, words, origin))]
  }
  return []
}

function imagesOf(record: unknown): readonly string[] {
  const images = own(record, 'images')
  if (!isList(images)) return []
  return images.map((url) => flatText([{ type: 'image_url', image_url: url }]))
}

function eventsOf(rule: Rule, what: string, words: string, origin: Origin): EventDraft[] {
  const value = words.startsWith('{') ? parseJson(words) : null
  if (!isObject(value)) return [event(rule, what, words, origin)]
  if (rule === CALL) {
    const name = textAt(value, 'tool') ?? what
    return [draft('tool_call', words, origin, { name })]
  }
  if (rule.kind === 'agent') return questionEvents(value, words, origin)
  const shot = textAt(value, 'screenshot')
  if (shot === null) return [event(rule, what, words, origin)]
  const size = `[image screenshot ${Math.ceil((shot.length * 3) / 4 / 1000)} kB]`
  return [event(rule, what, compact({ ...value, screenshot: size }), origin)]
}

/** A question, and the option that the user chose. */
function questionEvents(value: unknown, words: string, origin: Origin): EventDraft[] {
  const question = textAt(value, 'question', 'response')
  if (question === null) return [draft('agent', words, origin)]
  const chosen = textAt(value, 'selected')
  const answer = chosen === null ? [] : [draft('user', chosen, origin)]
  return [draft('agent', question, origin), ...answer]
}

function event(rule: Rule, what: string, words: string, origin: Origin): EventDraft {
  const name = rule.name === undefined ? what : rule.name
  return draft(rule.kind, words, origin, { name, isError: rule.isError === true })
}
