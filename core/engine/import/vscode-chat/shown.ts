import { asText, compact, isList, isObject, own, pick, textAt } from '../shared/guards.ts'
import { markdown, outputText, pathOf } from './texts.ts'

/** What a part of an answer shows of a tool's call. */
export function shownCall(part: unknown): {
  readonly name: string | null
  readonly id: string | null
  readonly isError: boolean
} {
  const failed = own(own(part, 'resultDetails'), 'isError') === true
  return {
    name: textAt(part, 'toolId', 'toolName'),
    id: textAt(part, 'toolCallId'),
    isError: failed || isDenied(part),
  }
}

/** Before version 1.104 a boolean; then an object of which 0 is a refusal and 5 a call that was skipped. */
function isDenied(part: unknown): boolean {
  const confirmed = own(part, 'isConfirmed')
  const type = own(confirmed, 'type')
  return confirmed === false || type === 0 || type === 5
}

/** The arguments where only what was shown is left of them. */
export function shownInput(part: unknown): string {
  const data = own(part, 'toolSpecificData')
  const kind = own(data, 'kind')
  const raw = own(data, 'rawInput')
  if (raw !== undefined) return compact(raw)
  if (kind === 'terminal') return compact({ command: commandIn(data) })
  if (kind === 'subagent') return compact(pick(data, ['agentName', 'description', 'prompt']))
  if (kind === 'todoList') return compact(pick(data, ['todoList']))
  const input = textAt(own(part, 'resultDetails'), 'input')
  return input ?? markdown(own(part, 'invocationMessage'))
}

function commandIn(data: unknown): string {
  const line = own(data, 'commandLine')
  return textAt(line, 'toolEdited', 'userEdited', 'original') ?? textAt(data, 'command') ?? ''
}

/** The result where the model's copy of it is not there: empty for a call that was refused, null for none. */
export function shownOutput(part: unknown): string | null {
  const details = own(part, 'resultDetails')
  const output = own(details, 'output')
  if (output !== undefined && output !== null) return outputText(output)
  const text = dataText(own(part, 'toolSpecificData'))
  if (text !== null) return text
  if (isList(details)) return details.map(pathOf).join('\n')
  const told = asText(markdown(own(part, 'pastTenseMessage')))
  if (told !== null) return told
  if (isObject(details)) return compact(details)
  return isDenied(part) ? '' : null
}

function dataText(data: unknown): string | null {
  const printed = own(data, 'terminalCommandOutput')
  return asText(printed) ?? textAt(printed, 'text') ?? textAt(data, 'result')
}
