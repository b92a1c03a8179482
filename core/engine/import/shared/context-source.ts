import type { ContextSource, SourceKind } from '../../schema/context.ts'

/** A source with nothing known but these. */
export function source(
  kind: SourceKind,
  name: string | null = null,
  path: string | null = null,
): ContextSource {
  return { kind, name, path, globs: null, cause: null }
}

/** The last name of a path. */
export function baseName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1) || path
}

/** Files of instructions that coding agents read from a project, by their name in lower case. */
const INSTRUCTIONS: ReadonlySet<string> = new Set([
  'claude.md',
  'claude.local.md',
  'agents.md',
  'agents.override.md',
  'gemini.md',
  'qwen.md',
  'copilot-instructions.md',
  'hermes.md',
  'context.md',
  '.cursorrules',
  '.clinerules',
])

/** [X1] A file of instructions by its name; every other file that brings rules is a rule file. */
export function instructionKind(path: string, globs: readonly string[] | null): SourceKind {
  if (globs !== null) return 'rule'
  return INSTRUCTIONS.has(baseName(path).toLowerCase()) ? 'instructions' : 'rule'
}

const SKILL_LEAD = 'Base directory for this skill:'
const AGENTS_LEAD = '# AGENTS.md instructions'
const FILE_LEAD = 'Contents of '

/** Maximum length of a line that names a path, in UTF-16 units. */
const LONGEST_LINE = 1000

function restOfLine(text: string, lead: string): string | null {
  const from = text.indexOf(lead)
  if (from < 0) return null
  const start = from + lead.length
  const line = text.slice(start, start + LONGEST_LINE)
  const end = line.search(/[\r\n]/u)
  return (end < 0 ? line : line.slice(0, end)).trim()
}

function skillFrom(text: string): ContextSource | undefined {
  const path = restOfLine(text, SKILL_LEAD)
  return path === null || path === ''
    ? undefined
    : source('skill', baseName(path.replace(/[/\\]$/u, '')), path)
}

function agentsFrom(text: string): ContextSource | undefined {
  const folder = restOfLine(text, AGENTS_LEAD)?.replace(/^for\s+/u, '') ?? ''
  return folder === '' ? undefined : source('instructions', 'AGENTS.md', folder)
}

/** Older clients put instruction files into a reminder, each after a line that names it. */
function reminderFrom(text: string): ContextSource | undefined {
  const line = restOfLine(text, FILE_LEAD)
  const path = /^(\/?[^\s:(]+\.md)\b/u.exec(line ?? '')?.[1]
  return path === undefined ? undefined : source(instructionKind(path, null), baseName(path), path)
}

const BY_RULE: Readonly<Record<string, (text: string) => ContextSource | undefined>> = {
  skill: skillFrom,
  'agents-md': agentsFrom,
  'system-reminder': reminderFrom,
}

/** [X1] Returns the source that the text of a recognized wrapper names; undefined if the text says only its kind. */
export function sourceInText(rule: string | null, text: string): ContextSource | undefined {
  return rule !== null && Object.hasOwn(BY_RULE, rule) ? BY_RULE[rule]?.(text) : undefined
}
