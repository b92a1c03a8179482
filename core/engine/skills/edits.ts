import { z } from 'zod'
import { type SessionEvent, type TextReader, textOf } from '../schema/event.ts'

/** A file that a tool call edits, and the text that it puts there. */
export interface Edit {
  readonly seq: number
  readonly tool: string
  readonly path: string
  readonly text: string
  /** The whole file is given, so it may be a new one. */
  readonly whole: boolean
}

const Text = z.string().optional().catch(undefined)
const Args = z.looseObject({
  file_path: Text,
  path: Text,
  filePath: Text,
  absolute_path: Text,
  notebook_path: Text,
  target_file: Text,
  filename: Text,
  content: Text,
  file_text: Text,
  contents: Text,
  new_string: Text,
  newString: Text,
  new_str: Text,
  new_text: Text,
  new_source: Text,
  code_edit: Text,
  replace: Text,
  diff: Text,
  input: Text,
  patch: Text,
  edits: z
    .array(z.looseObject({ new_string: Text, newText: Text }))
    .optional()
    .catch(undefined),
})
type Args = z.infer<typeof Args>

const PATHS = [
  'file_path',
  'path',
  'filePath',
  'absolute_path',
  'notebook_path',
  'target_file',
  'filename',
] as const
const WHOLE = ['content', 'file_text', 'contents'] as const
const PARTS = [
  'new_string',
  'newString',
  'new_str',
  'new_text',
  'new_source',
  'code_edit',
  'replace',
  'diff',
] as const
const PATCHES = ['input', 'patch'] as const

const first = (args: Args, keys: ReadonlyArray<keyof Args>): string | undefined =>
  keys.map((key) => args[key]).find((value): value is string => typeof value === 'string')

/** Sections of a patch: `*** Add File: path`, then the lines that it adds. */
function patched(patch: string): ReadonlyArray<Omit<Edit, 'seq' | 'tool'>> {
  const sections = patch.split(/^(?=\*\*\* (?:Add|Update) File: )/mu)
  return sections.flatMap((section) => {
    const head = /^\*\*\* (?<kind>Add|Update) File: (?<path>[^\r\n]+)/u.exec(section)
    const path = head?.groups?.['path']?.trim()
    if (path === undefined || path === '') return []
    const added = section.split('\n').filter((line) => line.startsWith('+'))
    const text = added.map((line) => line.slice(1)).join('\n')
    return [{ path, text, whole: head?.groups?.['kind'] === 'Add' }]
  })
}

function editsIn(text: string): ReadonlyArray<Omit<Edit, 'seq' | 'tool'>> {
  if (!text.startsWith('{')) return patched(text)
  const args = Args.safeParse(readJson(text)).data
  if (args === undefined) return []
  const patch = first(args, PATCHES)
  if (patch !== undefined) return patched(patch)
  const path = first(args, PATHS)
  if (path === undefined || path === '') return []
  const given = first(args, WHOLE)
  if (given !== undefined) return [{ path, text: given, whole: true }]
  const several = args.edits?.map((edit) => edit.new_string ?? edit.newText ?? '').join('\n')
  const part = first(args, PARTS) ?? several
  return part === undefined ? [] : [{ path, text: part, whole: false }]
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/**
 * [K24] The files that tool calls among these events edit: a call that names a path and gives a new text for it, or a
 * patch. Paths below `cwd` are made relative to it. Edits by command lines are not detected.
 */
export function editsOf(
  events: readonly SessionEvent[],
  texts: TextReader,
  cwd: string | null,
): readonly Edit[] {
  const folder =
    cwd === null || cwd === '' ? null : `${cwd.replaceAll('\\', '/').replace(/\/$/u, '')}/`
  const below = (path: string): string => {
    const plain = path.replaceAll('\\', '/').replace(/^\.\//u, '')
    return folder !== null && plain.startsWith(folder) ? plain.slice(folder.length) : plain
  }
  return events.flatMap((event) => {
    if (event.kind !== 'tool_call') return []
    const { seq, name } = event
    return editsIn(textOf(event, texts)).map((edit) => ({
      ...edit,
      seq,
      tool: name ?? '',
      path: below(edit.path),
    }))
  })
}

const Used = z.looseObject({ skill: Text, command: Text, name: Text })

/** [K25] The skills that were opened by the agent's tool for skills, with where. */
export function skillsUsed(
  events: readonly SessionEvent[],
  texts: TextReader,
): ReadonlyMap<string, number> {
  const used = new Map<string, number>()
  for (const event of events) {
    if (event.kind !== 'tool_call' || event.name?.toLowerCase() !== 'skill') continue
    const args = Used.safeParse(readJson(textOf(event, texts))).data
    const skill = args?.skill ?? args?.command ?? args?.name
    if (skill !== undefined && !used.has(skill)) used.set(skill, event.seq)
  }
  return used
}
