import type { EventKind } from '../../schema/event-kind.ts'

/** Says of each line of a tool or a thought, from its first on, whether it is the last. */
export type Ending = (line: string) => boolean

interface Inside {
  readonly kind: EventKind
  readonly opens: RegExp
  readonly ending: () => Ending
}

/** Tools and thoughts inside a block. A tool of older exports has no tag of its own. */
export const INSIDE: readonly Inside[] = [
  { kind: 'tool_call', opens: /^<tool-use\b/, ending: endsBehindFence },
  {
    kind: 'tool_call',
    opens: /^<details>\s*<summary>Tool use: /,
    ending: () => (line) => line.includes('</details>'),
  },
  { kind: 'reasoning', opens: /^<think>/, ending: () => (line) => line.includes('</think>') },
]

const CLOSER = /^(<\/details>)?<\/tool-use>\s*$/
const ONE_LINE = /<\/tool-use>\s*$/
const FENCE_END = /^```\s*$/

/**
 * [I112] A tool whose output is fenced ends behind the end of a fence: the same tag anywhere else is part of
 * the output.
 */
function endsBehindFence(): Ending {
  let fenced = false
  let before: string | null = null
  return (line) => {
    const closes = before === null ? ONE_LINE.test(line) : CLOSER.test(line)
    if (closes && (!fenced || FENCE_END.test(before ?? ''))) return true
    fenced ||= line.includes('```')
    if (line.trim() !== '' && line.trim() !== '</details>') before = line
    return false
  }
}
