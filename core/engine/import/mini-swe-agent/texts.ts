import type { EventKind } from '../../schema/event-kind.ts'
import { flatText } from '../shared/content-blocks.ts'
import { asText, isList, own, textAt } from '../shared/guards.ts'

/**
 * Phrases of the loop's messages to its model, in all versions. Texts of other programs contain none of these phrases.
 */
const MARKS = [
  'mswea_bash_command',
  'COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT',
  'MINI_SWE_AGENT_FINAL_OUTPUT',
]

/** True for a message that only a mini-swe-agent run can hold. */
export function saysMini(message: unknown): boolean {
  const text = own(message, 'content')
  if (typeof text === 'string') {
    if (MARKS.some((mark) => text.includes(mark))) return true
    if (own(message, 'role') === 'user' && text.startsWith('<returncode>')) return true
  }
  const extra = own(message, 'extra')
  return isList(own(extra, 'actions')) || typeof own(extra, 'returncode') === 'number'
}

interface LoopText {
  readonly rule: string
  readonly kind: EventKind
  readonly starts: readonly string[]
  readonly isError: boolean
}

/** [I21] Texts that the loop writes under the user's role, by their beginning. */
const LOOP_TEXTS: readonly LoopText[] = [
  {
    rule: 'format-error',
    kind: 'notification',
    starts: [
      'Please always provide EXACTLY ONE action',
      'Format error',
      'Tool call error',
      'No tool calls found',
    ],
    isError: false,
  },
  {
    rule: 'timeout',
    kind: 'tool_result',
    starts: ['The last command <command>', 'The command timed out'],
    isError: true,
  },
  {
    rule: 'interruption',
    kind: 'interruption',
    starts: ['Interrupted by user', 'Command not executed. The user rejected your command'],
    isError: false,
  },
  { rule: 'user-command', kind: 'command', starts: ['User command:'], isError: false },
  { rule: 'new-task', kind: 'user', starts: ['The user added a new task:'], isError: false },
]

/** v2 names its interruptions. */
const INTERRUPTS: Readonly<Record<string, string>> = {
  FormatError: 'format-error',
  UserInterruption: 'interruption',
  UserRejection: 'interruption',
  UserNewTask: 'new-task',
}

/** The kind of a text that the loop wrote; null when no rule applies. */
export function loopTextOf(text: string, extra: unknown): LoopText | null {
  const type = textAt(extra, 'interrupt_type')
  const named = type !== null && Object.hasOwn(INTERRUPTS, type) ? INTERRUPTS[type] : undefined
  if (named !== undefined) return LOOP_TEXTS.find((row) => row.rule === named) ?? null
  const start = text.slice(0, 200).trimStart()
  return LOOP_TEXTS.find((row) => row.starts.some((words) => start.startsWith(words))) ?? null
}

/** The exit code of a command, from the text or from beside it; null when it is no result. */
export function returncodeOf(text: string, extra: unknown): number | null {
  const code = own(extra, 'returncode')
  if (typeof code === 'number') return code
  const match = /^\s{0,20}<returncode>(-?\d{1,9})<\/returncode>/.exec(text.slice(0, 100))
  return match?.[1] === undefined ? null : Number(match[1])
}

interface Action {
  readonly command: string
  readonly id: string | null
}

/**
 * [I21] Text and actions of an assistant message. v2 lists its actions. In earlier versions the single fenced block is
 * the action. The loop refuses a reply with no block or several, so all of it is text.
 */
export function actionsOf(message: unknown): {
  readonly text: string
  readonly actions: readonly Action[]
} {
  const whole = flatText(own(message, 'content'))
  const blocks = fencedBlocks(whole)
  const block = blocks.length === 1 ? blocks[0] : undefined
  const text = block === undefined ? whole : cutOut(whole, block)
  const listed = own(own(message, 'extra'), 'actions')
  if (isList(listed)) {
    const actions = listed.flatMap((item) => {
      const command = asText(item) ?? textAt(item, 'command', 'action')
      return command === null ? [] : [{ command, id: textAt(item, 'tool_call_id') }]
    })
    if (actions.length > 0) return { text, actions }
  }
  if (block === undefined) return { text: whole, actions: [] }
  const command = whole.slice(block.from, block.to)
  return { text, actions: [{ command, id: null }] }
}

interface Fence {
  readonly open: number
  readonly from: number
  readonly to: number
  readonly end: number
}

const OPENERS = ['```bash\n', '```mswea_bash_command\n']

/** Blocks in order, found in a single pass over any text. */
function fencedBlocks(whole: string): readonly Fence[] {
  const found: Fence[] = []
  let open = nextOpen(whole, 0)
  while (open !== null) {
    const to = whole.indexOf('\n```', open.from - 1)
    if (to < 0) break
    const end = to + 4
    found.push({ open: open.at, from: open.from, to: Math.max(to, open.from), end })
    open = nextOpen(whole, end)
  }
  return found
}

function nextOpen(
  whole: string,
  from: number,
): { readonly at: number; readonly from: number } | null {
  for (let at = whole.indexOf('```', from); at >= 0; at = whole.indexOf('```', at + 3)) {
    const opener = OPENERS.find((words) => whole.startsWith(words, at))
    if (opener !== undefined) return { at, from: at + opener.length }
  }
  return null
}

function cutOut(whole: string, { open, end }: Fence): string {
  const before = whole.slice(0, open).trimEnd()
  const after = whole.slice(end).trim()
  return after === '' ? before : `${before}\n\n${after}`
}
