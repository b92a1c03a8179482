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
/** A fence with an input follows a word (`Input: ```). With a language, it is the code that was run or changed. */
const INPUT_FENCE = /^\S[^`]*```\w*$|^```(?!text\s*$|json\s*$|console\s*$|output\s*$)\w+\s*$/
const OUTPUT_FENCE = /^```(text|json|console|output)?\s*$/
const FENCE_END = /^```\s*$/
const ERROR = /^(Error\b|<tool_use_error>|The user doesn't want to proceed)/

/** [I41] A block of a tool as call and result: the first fence that holds no input begins the result. */
export function createToolSplit(lines: readonly string[]): ToolSplit {
  let name: string | null = null
  const call: string[] = []
  let inInput = false
  let isLabelled = false
  for (const [at, raw] of lines.entries()) {
    const summary = SUMMARY.exec(raw)
    name ??= nameIn(raw, summary)
    const line = summary === null ? raw.replace(TAGS, '') : (summary[2] ?? '').trim()
    if (inInput) inInput = !FENCE_END.test(line)
    else if (opensLabelled(lines, at, line)) inInput = isLabelled = true
    else if (isLabelled && RESULT_LABEL.test(line)) {
      const result = resultOf(lines.slice(at))
      return { name, call: inputOf(call), result, isError: FAILED.test(result) }
    } else if (INPUT_FENCE.test(line)) inInput = true
    else if (OUTPUT_FENCE.test(line)) {
      const result = resultOf(lines.slice(at + 1))
      return { name, call: joined(call), result, isError: ERROR.test(result) }
    }
    call.push(line)
  }
  return { name, call: inputOf(call), result: null, isError: false }
}

/** [I188] In SpecStory 2 for Cursor, the input follows `Parameters:`. The other labels introduce the result. */
const INPUT_LABEL = /^(?:Parameters|Input|Arguments):\s*$/
const RESULT_LABEL = /^(?:Additional data|Result|Output|Response|Error|Status):/
const FAILED = /^Status: \*\*(?:error|failed|cancelled|rejected)\*\*\s*$|^Error:/m

function nameIn(line: string, summary: RegExpExecArray | null): string | null {
  return NAME.exec(line)?.[1] ?? summary?.[1] ?? null
}

/** Whether this line opens the fence of a labelled input. */
function opensLabelled(lines: readonly string[], at: number, line: string): boolean {
  return OUTPUT_FENCE.test(line) && INPUT_LABEL.test(labelBefore(lines, at))
}

/** The last line before this one that is not blank. */
function labelBefore(lines: readonly string[], at: number): string {
  let before = at - 1
  while (before >= 0 && (lines[before] ?? '').trim() === '') before -= 1
  return (lines[before] ?? '').trim()
}

/** The labelled input without its label and fence. */
function inputOf(call: readonly string[]): string {
  const from = call.findIndex(
    (line, at) => OUTPUT_FENCE.test(line) && INPUT_LABEL.test(labelBefore(call, at)),
  )
  if (from < 0) return joined(call)
  const to = call.findIndex((line, at) => at > from && FENCE_END.test(line))
  const before = call.slice(0, from).filter((line) => !INPUT_LABEL.test(line.trim()))
  return joined([
    ...before,
    ...call.slice(from + 1, to < 0 ? undefined : to),
    ...(to < 0 ? [] : call.slice(to + 1)),
  ])
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
