import { addTo } from '../../maps.ts'
import type { SourceRef } from '../../schema/event.ts'
import { draft, type EventDraft, type Origin } from '../shared/drafts.ts'
import {
  asText,
  compact,
  entryOf,
  isList,
  isObject,
  listAt,
  own,
  pick,
  textAt,
} from '../shared/guards.ts'
import { markdown, outputText, pathOf } from './texts.ts'

/** A call as the model made it, with the tool's output for the model. */
interface ModelCall {
  readonly id: string | null
  readonly name: string | null
  readonly text: string
  readonly result: string | null
}

/** Names that the editor has for tools which the model knows under others. */
const MODEL_NAMES: Readonly<Record<string, string>> = {
  copilot_applyPatch: 'apply_patch',
  copilot_createDirectory: 'create_directory',
  copilot_createFile: 'create_file',
  copilot_editNotebook: 'edit_notebook_file',
  copilot_fetchWebPage: 'fetch_webpage',
  copilot_findFiles: 'file_search',
  copilot_findTestFiles: 'test_search',
  copilot_findTextInFiles: 'grep_search',
  copilot_getChangedFiles: 'get_changed_files',
  copilot_getErrors: 'get_errors',
  copilot_getVSCodeAPI: 'get_vscode_api',
  copilot_githubRepo: 'github_repo',
  copilot_insertEdit: 'insert_edit_into_file',
  copilot_listCodeUsages: 'list_code_usages',
  copilot_listDirectory: 'list_dir',
  copilot_multiReplaceString: 'multi_replace_string_in_file',
  copilot_readFile: 'read_file',
  copilot_replaceString: 'replace_string_in_file',
  copilot_runNotebookCell: 'run_notebook_cell',
  copilot_searchCodebase: 'semantic_search',
  copilot_searchWorkspaceSymbols: 'search_workspace_symbols',
  vscode_editFile_internal: 'insert_edit_into_file',
  vscode_fetchWebPage_internal: 'fetch_webpage',
}

/** The calls of a request in the model's order; none if the request was cut off. */
function modelCalls(result: unknown): readonly ModelCall[] {
  const metadata = own(result, 'metadata')
  const results = own(metadata, 'toolCallResults')
  return listAt(metadata, 'toolCallRounds').flatMap((round) =>
    listAt(round, 'toolCalls').map((call) => {
      const id = textAt(call, 'id')
      const given = id === null ? undefined : own(results, id)
      return {
        id,
        name: textAt(call, 'name'),
        text: compact(own(call, 'arguments')),
        result: given === undefined ? null : outputText(own(given, 'content') ?? given),
      }
    }),
  )
}

/** Which part of an answer is which of the model's calls. */
export interface CallMatches {
  /** Events of a part that is a tool's, with calls of the model before it that no part shows. */
  readonly events: (part: unknown, origin: Origin) => readonly EventDraft[]
  /** Events of the calls that no part shows and that were not given yet. */
  readonly rest: (origin: Origin) => readonly EventDraft[]
  /** Number of calls that some part may show, with the part unknown. */
  readonly unclear: number
}

/**
 * [I120] Pairs the parts of an answer with the model's calls: by id, by name in their order, and by position if equally
 * many of both are left. `written` is the place of the model's calls if they are stored separately.
 */
export function matchCalls(
  parts: readonly unknown[],
  result: unknown,
  written: SourceRef | null = null,
): CallMatches {
  const calls = modelCalls(result)
  const { places, taken } = pairUp(parts, calls)
  const clear = places.size === parts.length
  let next = 0

  const hidden = (until: number, origin: Origin): readonly EventDraft[] => {
    const events: EventDraft[] = []
    for (; clear && next < until; next += 1) {
      const call = calls[next]
      if (call !== undefined && !taken.has(next))
        events.push(...callPair(call, { ...origin, source: written ?? origin.source }))
    }
    return events
  }
  return {
    events(part, origin) {
      const at = places.get(part)
      const call = at === undefined ? undefined : calls[at]
      return [
        ...(at === undefined ? [] : hidden(at, origin)),
        ...partEvents(part, call, origin, written ?? origin.source),
      ]
    },
    rest: (origin) => hidden(calls.length, origin),
    unclear: clear ? 0 : calls.length - taken.size,
  }
}

interface Pairs {
  /** Index of the call that a part shows. */
  readonly places: Map<unknown, number>
  readonly taken: Set<number>
}

function pairUp(parts: readonly unknown[], calls: readonly ModelCall[]): Pairs {
  const places = new Map<unknown, number>()
  const taken = new Set<number>()
  for (const { ofPart, ofCall } of KEYS) {
    const waiting = new Map<string, number[]>()
    for (const [at, call] of calls.entries()) {
      const key = taken.has(at) ? null : ofCall(call)
      if (key !== null) addTo(waiting, key, at)
    }
    // The first of equal keys is taken first: reversed, it is the last of its list.
    for (const list of waiting.values()) list.reverse()
    for (const part of parts) {
      const key = places.has(part) ? null : ofPart(part)
      const at = key === null ? undefined : waiting.get(key)?.pop()
      if (at === undefined) continue
      places.set(part, at)
      taken.add(at)
    }
  }
  pairRest({ places, taken }, parts, calls)
  return { places, taken }
}

/** By place, where as many of both are left. */
function pairRest(
  { places, taken }: Pairs,
  parts: readonly unknown[],
  calls: readonly ModelCall[],
): void {
  const open = parts.filter((part) => !places.has(part))
  const free = calls.map((_, at) => at).filter((at) => !taken.has(at))
  if (open.length !== free.length) return
  for (const [index, at] of free.entries()) {
    places.set(open[index], at)
    taken.add(at)
  }
}

/** Shared features of a part and its call, the most reliable first. */
const KEYS: ReadonlyArray<{
  readonly ofPart: (part: unknown) => string | null
  readonly ofCall: (call: ModelCall) => string | null
}> = [
  { ofPart: (part) => bareId(textAt(part, 'toolCallId')), ofCall: ({ id }) => bareId(id) },
  { ofPart: (part) => modelName(textAt(part, 'toolId')), ofCall: ({ name }) => name },
]

/** Ids of calls are made unique by a suffix on one side or the other. */
function bareId(id: string | null): string | null {
  return id?.replace(/__vscode.*$/s, '') ?? null
}

function modelName(tool: string | null): string | null {
  return tool === null ? null : (entryOf(MODEL_NAMES, tool) ?? tool)
}

function callPair(call: ModelCall, origin: Origin): readonly EventDraft[] {
  const { id: callId, name, text, result } = call
  const made = draft('tool_call', text, origin, { name, callId })
  if (result === null) return [made]
  return [made, draft('tool_result', result, origin, { name, callId })]
}

function partEvents(
  part: unknown,
  call: ModelCall | undefined,
  shown: Origin,
  written: SourceRef,
): readonly EventDraft[] {
  const said = shownCall(part)
  const origin = call === undefined ? shown : { ...shown, source: written }
  const name = call?.name ?? said.name
  const callId = call?.id ?? said.id
  const made = draft('tool_call', call?.text ?? shownInput(part), origin, { name, callId })
  const result = call?.result ?? shownOutput(part)
  if (result === null) return [made]
  const from = typeof call?.result === 'string' ? origin : shown
  const parts = { name, callId, isError: said.isError }
  return [made, draft('tool_result', result, from, parts)]
}

/** The display of a tool call in a part of an answer. */
function shownCall(part: unknown): {
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

/** The arguments if only their displayed form remains. */
function shownInput(part: unknown): string {
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

/** The result if the model's copy of it is missing. Empty for a refused call, null for none. */
function shownOutput(part: unknown): string | null {
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
