import {
  type LucideIcon,
  Bell,
  Bot,
  Brain,
  FileInput,
  Hand,
  ListTree,
  ScrollText,
  Settings2,
  SquareTerminal,
  Tag,
  Terminal,
  User,
  Workflow,
  Wrench,
} from 'lucide-react'
import type { EventKind } from '../../core/engine/schema/event-kind.ts'

export interface KindLook {
  /** The word in the list; at most nine letters. */
  readonly word: string
  /** Description of the event kind, for titles and the legend. */
  readonly about: string
  readonly icon: LucideIcon
  /** Lines shown before the text is cut. */
  readonly lines: number
  readonly mono: boolean
}

/** Appearance of each kind of event. */
export const KIND_LOOKS: Readonly<Record<EventKind, KindLook>> = {
  user: look('you', 'what a person typed', User, 4),
  agent: look('agent', 'what the agent said', Bot, 2),
  reasoning: look('thinking', 'reasoning of the agent', Brain, 1),
  tool_call: look('call', 'a tool call of the agent', Terminal, 1, true),
  tool_result: look('tool', 'what a tool returned', Wrench, 3, true),
  injected: look('injected', 'a text that the harness put under the user’s role', FileInput, 1),
  command: look('command', 'a command of the harness', SquareTerminal, 1, true),
  summary: look('summary', 'a summary that replaces earlier events', ScrollText, 2),
  interruption: look('stopped', 'an interruption by the person', Hand, 1),
  subagent_prompt: look('task', 'the prompt that started a sub-agent', ListTree, 2),
  notification: look('notice', 'a notice of the harness', Bell, 1),
  system: look('system', 'a system prompt or message', Settings2, 1),
  meta: look('meta', 'bookkeeping of the transcript', Tag, 1),
  step: look('step', 'a step of a pipeline with its results', Workflow, 2, true),
}

// The parameters mirror the columns of the table.
// oxlint-disable-next-line max-params -- a row of a table
function look(
  word: string,
  about: string,
  icon: LucideIcon,
  lines: number,
  mono = false,
): KindLook {
  return { word, about, icon, lines, mono }
}
