import { ownOf } from '../schema/own.ts'
import type { ContextSource, SourceKind } from '../schema/context.ts'
import type { SessionEvent } from '../schema/event.ts'
import type { EventKind } from '../schema/event-kind.ts'

type Known = readonly [kind: SourceKind, name: string | null]

/** [X1] Sources of injected events by the rule that recognized them; formats without paths name no more. */
const BY_RULE: Readonly<Record<string, Known>> = {
  'system-reminder': ['reminder', null],
  hook: ['hook', null],
  skill: ['skill', null],
  'agents-md': ['instructions', 'AGENTS.md'],
  instructions: ['instructions', null],
  'custom-instructions': ['instructions', null],
  'harness-instructions': ['harness', 'harness instructions'],
  'ide-context': ['environment', 'IDE'],
  'environment-context': ['environment', null],
  'environment-details': ['environment', null],
  environment: ['environment', null],
  'world-state': ['environment', null],
  'plan-mode': ['plan', null],
  planning: ['plan', null],
  'todo-list': ['reminder', 'to-do list'],
  attachments: ['file', 'attachments'],
  attachment: ['file', 'attachments'],
  'referenced-files': ['file', 'referenced files'],
  'at-command': ['file', 'referenced files'],
  'context-item': ['file', 'context items'],
  mention: ['file', 'mentions'],
  file: ['file', null],
  recall: ['memory', null],
  'tool-definitions': ['tools', null],
}

/** [X1] The source of an injected event: as recorded, else by the rule that recognized it. */
export function sourceOf({ from, name }: Pick<SessionEvent, 'from' | 'name'>): ContextSource {
  if (from !== undefined) return from
  const [kind, shown] = (name === null ? undefined : ownOf(BY_RULE, name)) ?? ['harness', name]
  return { kind, name: shown, path: null, globs: null, cause: null }
}

interface SourceWords {
  /** A source without a name. */
  readonly alone: string
  /** In front of a name. */
  readonly before: string
  /** [X14] All sources of the kind. */
  readonly all: string
}

/** Words for a source by its kind. */
const WORDS: Readonly<Record<SourceKind, SourceWords>> = {
  instructions: { alone: 'instructions', before: '', all: 'instructions' },
  rule: { alone: 'rule', before: 'rule ', all: 'rules' },
  skill_list: { alone: 'skill list', before: 'skill list ', all: 'skill list' },
  skill: { alone: 'skill', before: 'skill ', all: 'skills' },
  hook: { alone: 'hook', before: 'hook ', all: 'hooks' },
  mcp: { alone: 'MCP instructions', before: 'MCP ', all: 'MCP instructions' },
  tools: { alone: 'tool list', before: 'tool list ', all: 'tool list' },
  agents: { alone: 'agent list', before: 'agent list ', all: 'agent list' },
  file: { alone: 'file', before: 'file ', all: 'files' },
  plan: { alone: 'plan', before: 'plan ', all: 'plan' },
  memory: { alone: 'memory', before: 'memory ', all: 'memory' },
  reminder: { alone: 'reminder', before: 'reminder ', all: 'reminders' },
  date: { alone: 'date', before: 'date ', all: 'date' },
  environment: { alone: 'environment', before: 'environment ', all: 'environment' },
  harness: { alone: 'harness', before: '', all: 'harness' },
}

/** [X1] A source in a few words: `CLAUDE.md`, `skill list`, `hook UserPromptSubmit`. */
export function sourceLabel({ kind, name }: Pick<ContextSource, 'kind' | 'name'>): string {
  const { alone, before } = WORDS[kind]
  return name === null || name === '' ? alone : `${before}${name}`
}

/** Labels of all other events among the parts of a context. */
const KIND_WORDS: Readonly<Record<EventKind, string>> = {
  user: 'user messages',
  agent: 'answers',
  reasoning: 'reasoning',
  tool_call: 'tool calls',
  tool_result: 'tool results',
  injected: 'injected',
  command: 'commands',
  summary: 'summary',
  interruption: 'interruptions',
  subagent_prompt: 'prompt of the agent',
  notification: 'notifications',
  system: 'system prompt',
  meta: 'meta',
  step: 'steps',
}

/** [X7] Under which name an event counts among the parts of a context. */
export function partLabel(event: Pick<SessionEvent, 'kind' | 'from' | 'name'>): string {
  if (event.kind === 'injected') return sourceLabel(sourceOf(event))
  if (event.kind === 'tool_result' && event.name !== null) return `results of ${event.name}`
  return KIND_WORDS[event.kind]
}

/** [X14] The kind of source that an event counts under in the lane: `rules`, `tool results`, `user messages`. */
export function kindLabel(event: Pick<SessionEvent, 'kind' | 'from' | 'name'>): string {
  return event.kind === 'injected' ? WORDS[sourceOf(event).kind].all : KIND_WORDS[event.kind]
}

/** [X1] The name that is shown with an event: of an injected one its source, if it is known. */
export function shownName(event: Pick<SessionEvent, 'kind' | 'from' | 'name'>): string | null {
  if (event.kind !== 'injected') return event.name
  const source = sourceOf(event)
  return source.kind === 'harness' && source.name === null ? null : sourceLabel(source)
}
