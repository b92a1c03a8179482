import type { Problem } from '../result.ts'
import type { Head } from './head.ts'
import { isList, isObject } from './shared/guards.ts'
import type { ImportedTranscript, Importer, Source } from './source.ts'

// Error texts for refused files: the problem, its place, and the nearest formats.

/** The extent of a failed search: the number of lines, and the beginning of the first. */
export interface Nothing {
  readonly lines: number
  readonly first: string
}

/** [I146] Columns that hold a conversation; prompt and response together. */
const EXPECTED_COLUMNS = 'messages, conversation, conversations, trajectory, or prompt and response'
const MOST_COLUMNS = 40

function unknownTable(source: Source, columns: readonly string[]): Problem {
  const more = columns.length > MOST_COLUMNS ? ', …' : ''
  return {
    what: `no column of this Parquet file holds a conversation that any format knows; its columns are ${columns.slice(0, MOST_COLUMNS).join(', ')}${more}`,
    where: source.name,
    do: `Expected is one of ${EXPECTED_COLUMNS}. For other columns write a mapping: docs/formats.md`,
  }
}

/** [I109] The format knows some of the file's records, but not most of its content. */
export function notThisFormat(
  source: Source,
  importer: Importer,
  transcript: ImportedTranscript,
  all: readonly Importer[],
): Problem {
  const kinds = transcript.problems.filter(({ code }) => code.startsWith('unknown'))
  const named = kinds.slice(0, 3).map(({ message }) => message)
  const others = all.filter((row) => row !== importer)
  return {
    what: `it looks like ${importer.label}, but most of what it says is of kinds that this format does not know: ${named.join('; ')}`,
    where: source.name,
    do: `It may be of another format, or of a newer version of this one. The nearest others: ${nearestFormats(source.head, others).join(', ')}`,
  }
}

/** [I1] No format knows the file. */
export function unknownFile(source: Source, found: Nothing, all: readonly Importer[]): Problem {
  if (source.columns !== undefined) return unknownTable(source, source.columns)
  const quoted = found.first === '' ? '' : `, line 1: ${found.first.slice(0, 120)}`
  return {
    what: whatIsWrong(source, found),
    where: `${source.name}${quoted}`,
    do: `The nearest formats: ${nearestFormats(source.head, all).join(', ')}. README.md lists all; a JSON list of {role, content} opens too. For a format of your own write a mapping: docs/formats.md`,
  }
}

function whatIsWrong(source: Source, found: Nothing): string {
  if (source.head.layout === 'document')
    return 'the JSON document holds no record that any format knows'
  if (found.lines === 1) return 'its one line is not a record that any format knows'
  return `none of the ${found.lines} lines is a record that any format knows`
}

/** Names that records of a format have, for saying which formats a file is most like. Nothing is decided by them. */
const NAMES: Readonly<Record<string, string>> = {
  native: 'type schemaVersion kind text callId',
  'claude-code': 'type uuid parentUuid sessionId message cwd isSidechain',
  'claude-stream': 'type session_id message subtype parent_tool_use_id',
  'anthropic-messages': 'type role content stop_reason usage custom_id result system max_tokens',
  codex: 'type payload timestamp record_type response_item session_meta',
  'gemini-cli': 'sessionId messages projectHash role parts thoughts',
  pi: 'type id parentId message role customType',
  cline: 'ts type say ask text partial',
  cursor: 'role message content status',
  'qwen-code': 'type uuid parentUuid sessionId message parts subtype systemPayload',
  opencode: 'info messages parts sessionID messageID projectID directory callID',
  'vscode-chat': 'requests requesterUsername responderUsername requestId response kind k v',
  'copilot-cli': 'type data id timestamp parentId',
  'agent-zero': 'history bulks topics current ai content log logs',
  'swe-agent': 'trajectory history info action observation thought',
  'mini-swe-agent': 'messages trajectory_format info mini_version',
  openhands: 'id source action observation args cause timestamp kind',
  'tau-bench': 'task_id reward info traj trial',
  'tau2-bench': 'simulations tasks ticks messages reward_info',
  atif: 'schema_version steps agent step_id final_metrics',
  'who-and-when': 'history question ground_truth mistake_agent mistake_step',
  'chatgpt-export': 'mapping current_node title create_time',
  'claude-export': 'chat_messages uuid name created_at sender',
  librechat: 'conversationId messageId parentMessageId isCreatedByUser sender',
  a2a: 'contextId messageId artifacts taskId status',
  'agents-sdk': 'span_data trace_id parent_id started_at',
  inspect: 'eval samples status results plan version',
  otlp: 'resourceSpans scopeSpans spans batches resourceLogs scopeLogs logRecords',
  langfuse: 'trace observations traceId startTime scores',
  langsmith: 'run_type dotted_order trace_id inputs outputs',
  'otel-spans': 'name context attributes start_time span_id',
  telegram: 'name type id messages from from_id date_unixtime',
  'classification-audit': 'time preview result confidence reason source coaching_message',
  'pipeline-results': 'step step_id run_id metrics results timestamp',
  sharegpt: 'conversations from value system tools',
  kimi: 'type time event message input origin protocol_version timestamp role',
  droid: 'type id parentId timestamp message toolName parameters finalText',
  grok: 'type content tool_calls model_id tool_call_id prompt_index synthetic_reason',
  iflow: 'uuid sessionId parentUuid message toolUseResult gitBranch',
  assistants: 'object data thread_id run_id assistant_id step_details created_at',
  continue: 'sessionId title workspaceDirectory history message contextItems toolCallStates',
  zed: 'title summary messages updated_at version User Agent segments',
  goose: 'working_dir description message_count role created content conversation metadata',
  'ai-sdk': 'parts toolInvocations role messages id metadata',
  autogen: 'source models_usage type content messages stop_reason agent_states chat_history',
  crewai: 'tasks_output description raw agent task_name task thought tool_input',
  smolagents: 'step_number observations action_output model_output task steps code_action',
  langchain:
    'lc type kwargs content tool_calls values channel_values additional_kwargs response_metadata',
  adk: 'events appName app_name author invocationId invocation_id',
  'gemini-contents': 'contents systemInstruction candidates role parts request',
  'ai-studio': 'runSettings chunkedPrompt systemInstruction',
  'pydantic-ai': 'parts kind part_kind instructions model_name timestamp',
  'semantic-kernel': 'messages content_type role items Role Items',
  'llama-index': 'store class_name blocks additional_kwargs role',
  mastra: 'thread messages threadId resourceId createdAt role content',
  'ag-ui': 'type messageId threadId runId toolCallId delta',
  acp: 'jsonrpc method params id result',
  'kiro-cli': 'version kind data',
  'amazon-q': 'conversation_id history transcript tools next_message user assistant',
  'opencode-run': 'type timestamp sessionID part',
  antigravity: 'step_index source type status created_at tool_calls',
  'vscode-chatreplay': 'prompts totalPrompts totalLogEntries prompt logs',
  'vscode-debug-log': 'ts dur sid type name spanId attrs',
  'deepseek-export': 'mapping inserted_at updated_at title fragments',
  'grok-export': 'conversations conversation responses projects',
  'takeout-gemini': 'header title time products safeHtmlItem',
  'cursor-store': 'composerData bubbles chatTab',
  'crush-store': 'crush messages',
  'warp-store': 'warp queries',
  slack: 'type user ts team text client_msg_id',
  discord: 'guild channel messages messageCount author attachments embeds',
  teams: 'value messageType createdDateTime from body',
  sillytavern: 'user_name character_name chat_metadata is_user mes send_date',
  'openai-messages': 'messages role content tool_calls model choices',
  'conversation-list': 'role from content text value question answer',
}
const USUAL_JSON = ['openai-messages', 'conversation-list', 'claude-code']
const USUAL_TEXT = ['plain-text', 'whatsapp', 'aider']
const SHOWN = 3

/**
 * [I84] The three formats most similar to the file, by the key names of its first records. Common formats if no names
 * match.
 */
export function nearestFormats(head: Head, importers: readonly Importer[]): readonly string[] {
  const names = new Set(head.values.flatMap(namesOf))
  const common = (row: Importer): number =>
    (NAMES[row.name]?.split(' ') ?? []).filter((name) => names.has(name)).length
  const usual = head.layout === 'text' ? USUAL_TEXT : USUAL_JSON
  const rank = (row: Importer): number => {
    const at = usual.indexOf(row.name)
    return common(row) + (at < 0 ? 0 : 0.5 - at / 10)
  }
  return importers
    .toSorted((a, b) => rank(b) - rank(a))
    .slice(0, SHOWN)
    .map((row) => row.label)
}

function namesOf(value: unknown): readonly string[] {
  if (isList(value)) return value.slice(0, 5).flatMap(namesOf)
  if (!isObject(value)) return []
  const inner = Object.values(value)
    .filter(isList)
    .flatMap((list) => list.slice(0, 2))
  return [...Object.keys(value), ...inner.filter(isObject).flatMap((item) => Object.keys(item))]
}
