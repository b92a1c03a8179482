import { joined } from '../shared/line-blocks.ts'

/** The content of a tool's block: its input, and its output if it has one. */
interface ToolSplit {
  readonly name: string | null
  readonly call: string
  readonly result: string | null
  readonly isError: boolean
}

const NAME = /\bdata-tool-name="([^"]{1,200})"/
const SUMMARY = /<summary>(?:Tool use: )?(?:\*\*(.{1,200}?)\*\*)?(.*?)<\/summary>/
const TAGS =
  /^<tool-use\b[^>]*>(<details>)?|^<details>|<\/details>(<\/tool-use>)?\s*$|<\/tool-use>\s*$/g
/** A fence with an input stands behind a word (`Input: ```); with a language it is what was run or changed. */
const INPUT_FENCE = /^\S[^`]*```\w*$|^```(?!text\s*$|json\s*$|console\s*$|output\s*$)\w+\s*$/
const OUTPUT_FENCE = /^```(text|json|console|output)?\s*$/
const FENCE_END = /^```\s*$/
const ERROR = /^(Error\b|<tool_use_error>|The user doesn't want to proceed)/

/** [I41] A block of a tool as call and result: the first fence that holds no input begins the result. */
export function createToolSplit(lines: readonly string[]): ToolSplit {
  let name: string | null = null
  const call: string[] = []
  let inInput = false
  for (const [at, raw] of lines.entries()) {
    const summary = SUMMARY.exec(raw)
    name ??= NAME.exec(raw)?.[1] ?? summary?.[1] ?? null
    const line = summary === null ? raw.replace(TAGS, '') : (summary[2] ?? '').trim()
    if (inInput) inInput = !FENCE_END.test(line)
    else if (INPUT_FENCE.test(line)) inInput = true
    else if (OUTPUT_FENCE.test(line)) {
      const result = resultOf(lines.slice(at + 1))
      return { name, call: joined(call), result, isError: ERROR.test(result) }
    }
    call.push(line)
  }
  return { name, call: joined(call), result: null, isError: false }
}

/** [I112] All that follows the fence. It may hold fences and tags itself, so only the last ones end it. */
function resultOf(lines: readonly string[]): string {
  let end = lines.length
  while (end > 0 && withoutTags(lines[end - 1]) === '') end -= 1
  if (FENCE_END.test(withoutTags(lines[end - 1]))) end -= 1
  return joined(lines.slice(0, end))
}

function withoutTags(line = ''): string {
  return line.replace(TAGS, '').trim()
}
