import type { ContextSource } from '../../schema/context.ts'
import { flatText } from '../shared/content-blocks.ts'
import { draft, type EventDraft, type Origin } from '../shared/drafts.ts'
import { compact, entryOf, isList, isObject, listAt, own, textAt } from '../shared/guards.ts'
import { baseName, instructionKind, source } from '../shared/context-source.ts'

/** Facts about a session that are known when an attachment is read. */
export interface AttachmentContext {
  /** Whether this id is that of a tool call in the file. */
  readonly isCall: (id: string) => boolean
  /** The tool call that read a file to which a rule applies; null if none is known. */
  readonly causeOf: (rule: Rule) => string | null
}

/** A rule file that a read file brought in. */
export interface Rule {
  readonly path: string
  readonly globs: readonly string[] | null
}

/** One text that the model got, with its source. */
interface Given {
  readonly text: string
  readonly from: ContextSource
}

type Reader = (attachment: unknown, context: AttachmentContext) => readonly Given[]

/**
 * [X3] Attachments of Claude Code by type, with the texts that the model got of them. An attachment without a
 * text is counted by name. A new type is a row here.
 */
const READERS: Readonly<Record<string, Reader>> = {
  skill_listing: (value) => one(content(value), source('skill_list')),
  nested_memory: (value, context) => memoryFile(own(value, 'content'), value, context),
  instructions: (value, context) =>
    listAt(value, 'files').flatMap((file) => memoryFile(file, file, context)),
  relevant_memories: (value) =>
    listAt(value, 'memories').flatMap((memory) =>
      one(content(memory), source('memory', nameOf(memory), pathOf(memory))),
    ),
  hook_additional_context: hook,
  hook_system_message: hook,
  hook_stopped_continuation: (value, context) =>
    one(textAt(value, 'message') ?? '', hookSource(value, context)),
  hook_blocking_error: (value, context) =>
    one(textAt(own(value, 'blockingError'), 'blockingError') ?? '', hookSource(value, context)),
  hook_success: (value, context) => (isHeard(value) ? hook(value, context) : []),
  async_hook_response: asyncHook,
  mcp_instructions_delta: mcpInstructions,
  mcp_resource: (value) =>
    one(words(own(value, 'content')), source('mcp', textAt(value, 'server'), textAt(value, 'uri'))),
  deferred_tools_delta: (value) => one(delta(value, 'removedNames'), source('tools')),
  agent_listing_delta: (value) => one(delta(value, 'removedTypes'), source('agents')),
  edited_text_file: (value) => one(textAt(value, 'snippet') ?? '', fileSource(value)),
  file: fileContent,
  compact_file_reference: (value) => {
    const given = fileContent(value)
    return given.length > 0 ? given : one(textAt(value, 'filename') ?? '', fileSource(value))
  },
  pdf_reference: (value) => one(textAt(value, 'filename') ?? '', fileSource(value)),
  directory: (value) => one(content(value), fileSource(value)),
  opened_file_in_ide: (value) => one(textAt(value, 'filename') ?? '', fileSource(value)),
  selected_lines_in_ide: (value) => one(content(value), fileSource(value)),
  plan_file_reference: (value) =>
    one(textAt(value, 'planContent') ?? '', plan(textAt(value, 'planFilePath'))),
  plan_mode: (value) => one(said(value), plan(textAt(value, 'planFilePath'))),
  plan_mode_reentry: (value) => one(said(value), plan(textAt(value, 'planFilePath'))),
  plan_mode_exit: (value) => one(said(value), plan(textAt(value, 'planFilePath'))),
  auto_mode: (value) => one(said(value), source('reminder', 'auto mode')),
  auto_mode_exit: (value) => one(said(value), source('reminder', 'auto mode')),
  output_style: (value) => one(textAt(value, 'style') ?? '', source('reminder', 'output style')),
  invoked_skills: (value) => listAt(value, 'skills').flatMap(skill),
  dynamic_skill: (value) =>
    one(words(own(value, 'skillNames')), source('skill_list', textAt(value, 'displayPath'))),
  date_change: (value) => one(textAt(value, 'newDate') ?? '', source('date')),
  todo_reminder: (value) => one(items(own(value, 'content')), source('reminder', 'to-do list')),
  todo: (value) => one(items(own(value, 'content')), source('reminder', 'to-do list')),
  task_reminder: (value) => one(items(own(value, 'content')), source('reminder', 'task list')),
  task_status: (value) =>
    one(textAt(value, 'deltaSummary', 'description') ?? '', source('reminder', 'task status')),
  diagnostics: (value) => one(words(own(value, 'files')), source('reminder', 'diagnostics')),
  critical_system_reminder: (value) => one(said(value), source('reminder')),
}

/** [X3] Attachments that the client keeps for itself. */
const SILENT: ReadonlySet<string> = new Set([
  'hook_success',
  'hook_non_blocking_error',
  'hook_error_during_execution',
  'hook_cancelled',
  'command_permissions',
  'hook_permission_decision',
  'already_read_file',
  'structured_output',
  'edited_image_file',
  'token_usage',
  'budget_usd',
  'max_turns_reached',
])

/**
 * [X3] The injected events of an attachment; null if its type is unknown and it has words that the model may have
 * got, so that the caller reports it.
 */
export function attachmentTexts(
  attachment: unknown,
  origin: Origin,
  context: AttachmentContext,
): readonly EventDraft[] | null {
  const type = textAt(attachment, 'type') ?? 'untyped'
  const reader = entryOf(READERS, type)
  const given = reader?.(attachment, context) ?? []
  const name = `attachment:${type}`
  if (given.length > 0)
    return given.map(({ text, from }) => draft('injected', text, origin, { name, from }))
  if (SILENT.has(type)) return []
  if (reader !== undefined) return isEmpty(attachment) ? [] : null
  const other = said(attachment)
  if (other.trim() !== '')
    return [draft('injected', other, origin, { name, from: source('harness', type) })]
  return isEmpty(attachment) ? [] : null
}

function one(text: string, from: ContextSource): readonly Given[] {
  return text.trim() === '' ? [] : [{ text, from }]
}

function content(value: unknown): string {
  return words(own(value, 'content'))
}

/** The text of a value: itself, or the texts of its parts. */
function words(value: unknown): string {
  return typeof value === 'string' || isList(value) ? flatText(value) : ''
}

/** Returns the text of an attachment, found under one of the usual names. */
function said(value: unknown): string {
  const text = content(value)
  return text.trim() === '' ? (textAt(value, 'text', 'message', 'reminder') ?? '') : text
}

function memoryFile(file: unknown, around: unknown, context: AttachmentContext): readonly Given[] {
  const text = typeof file === 'string' ? file : content(file)
  const path = textAt(around, 'path') ?? textAt(file, 'path')
  const globs = namesOf(own(file, 'globs'))
  const list = globs.length === 0 ? null : globs
  const kind = path === null ? 'instructions' : instructionKind(path, list)
  const shown = textAt(around, 'displayPath') ?? path
  const cause = path === null ? null : context.causeOf({ path, globs: list })
  const from = {
    ...source(kind, shown === null ? null : baseName(shown), path),
    globs: list,
    cause,
  }
  return one(text, from)
}

function hook(value: unknown, context: AttachmentContext): readonly Given[] {
  return one(content(value), hookSource(value, context))
}

/** Events whose hooks' plain output goes to the model. */
const HEARD: ReadonlySet<string> = new Set(['SessionStart', 'UserPromptSubmit'])

function isHeard(value: unknown): boolean {
  return HEARD.has(textAt(value, 'hookEvent') ?? '')
}

function hookSource(value: unknown, { isCall }: AttachmentContext): ContextSource {
  const id = textAt(value, 'toolUseID')
  const cause = id !== null && isCall(id) ? id : null
  return { ...source('hook', textAt(value, 'hookName', 'hookEvent')), cause }
}

function asyncHook(value: unknown, context: AttachmentContext): readonly Given[] {
  const response = own(value, 'response')
  const texts = [
    textAt(response, 'systemMessage'),
    textAt(own(response, 'hookSpecificOutput'), 'additionalContext'),
  ]
  const text = texts.filter((each) => each !== null && each !== '').join('\n')
  return one(text, hookSource(value, context))
}

/** Blocks and names have the same order. A name without a block was removed or says nothing. */
function mcpInstructions(value: unknown): readonly Given[] {
  const names = listAt(value, 'addedNames')
  const given = listAt(value, 'addedBlocks').flatMap((block, at) => {
    const name = names[at]
    return one(words(block), source('mcp', typeof name === 'string' ? name : null))
  })
  const removed = removedLine(value, 'removedNames')
  return [...given, ...one(removed, source('mcp'))]
}

function delta(value: unknown, removed: string): string {
  const lines = namesOf(own(value, 'addedLines'))
  const added =
    lines.length > 0 ? lines : namesOf(own(value, 'addedNames') ?? own(value, 'addedTypes'))
  return [...added, removedLine(value, removed)].filter((line) => line !== '').join('\n')
}

function removedLine(value: unknown, key: string): string {
  const names = namesOf(own(value, key))
  return names.length === 0 ? '' : `removed: ${names.join(', ')}`
}

function namesOf(value: unknown): readonly string[] {
  return isList(value) ? value.filter((each) => typeof each === 'string') : []
}

function fileSource(value: unknown): ContextSource {
  const path = pathOf(value)
  return source('file', nameOf(value), path)
}

function pathOf(value: unknown): string | null {
  return textAt(value, 'filename', 'path', 'filePath')
}

function nameOf(value: unknown): string | null {
  const shown = textAt(value, 'displayPath') ?? pathOf(value)
  return shown === null ? null : baseName(shown)
}

/** Text and notebooks are in the file; of images and documents only a mark is left. */
function fileContent(value: unknown): readonly Given[] {
  const holder = own(value, 'content')
  const file = own(holder, 'file')
  const kind = textAt(holder, 'type')
  const text = typeof holder === 'string' ? holder : textAt(file, 'content')
  if (text !== null) return one(text, fileSource(value))
  if (own(file, 'cells') !== undefined) return one(compact(own(file, 'cells')), fileSource(value))
  return own(file, 'base64') === undefined
    ? []
    : one(`[${kind ?? 'file'} ${nameOf(value) ?? ''}]`.replace(' ]', ']'), fileSource(value))
}

function plan(path: string | null): ContextSource {
  return source('plan', path === null ? null : baseName(path), path)
}

function skill(value: unknown): readonly Given[] {
  return one(content(value), source('skill', textAt(value, 'name'), textAt(value, 'path')))
}

/** Lines of a list of tasks: their state and subject. */
function items(value: unknown): string {
  if (!isList(value)) return words(value)
  return value
    .map((item) => {
      if (typeof item === 'string') return item
      const state = textAt(item, 'status')
      const subject = textAt(item, 'content', 'subject', 'text') ?? ''
      return state === null || subject === '' ? subject : `[${state}] ${subject}`
    })
    .filter((line) => line !== '')
    .join('\n')
}

const WORDS = /\p{L}+\s+\p{L}+/u

/** Members that are facts about an attachment, not words for the model. */
const FACTS: ReadonlySet<string> = new Set([
  'type',
  'path',
  'filename',
  'displayPath',
  'command',
  'stdout',
  'stderr',
  'hookName',
  'planFilePath',
  'reminderType',
  'toolUseID',
  'hookEvent',
  'readdedNames',
  'status',
])
const DEEPEST = 4

/** Whether an attachment holds no words beside facts about it. */
function isEmpty(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return !WORDS.test(value.slice(0, 2000))
  if (depth >= DEEPEST) return true
  if (isList(value)) return value.slice(0, 40).every((each) => isEmpty(each, depth + 1))
  if (!isObject(value)) return true
  return Object.entries(value).every(([key, each]) => FACTS.has(key) || isEmpty(each, depth + 1))
}
