import { z } from 'zod'
import { type Result, err, ok } from '../../engine/result.ts'
import { fieldWords } from '../../engine/schema/issue-words.ts'
import { jsonLine } from '../platform/terminal.ts'

/** A prompt that a coding agent is about to send, in one shape for all agents. */
export interface HookPrompt {
  /** Equal for all prompts of one session. */
  readonly session: string
  readonly prompt: string
  /** Folder that the agent works in; null if the agent does not report it. */
  readonly cwd: string | null
  /** The agent's own transcript; null if the agent does not report it. */
  readonly transcript: string | null
}

/** Path of an agent's settings file for hooks, below the project or the home folder. */
interface HookSettings {
  readonly file: string
  /** The user's own settings of a project, which are not committed. Absent when the agent has none. */
  readonly local?: string
  /** Key below `hooks` that lists what runs before a prompt is sent. */
  readonly event: string
  /** The entry that runs a command. */
  readonly entry: (command: string) => Readonly<Record<string, unknown>>
  /** Other content that the file must have. */
  readonly also?: Readonly<Record<string, unknown>>
  /** Additional steps for the operator. */
  readonly advice?: string
}

/** [F170] The specifics of one agent's prompt hook. */
export interface HookAgent {
  readonly name: string
  readonly label: string
  /** Documentation that the row follows. */
  readonly source: string
  readonly read: (value: unknown) => Result<HookPrompt, string>
  /** The output that the agent expects on stdout. An empty enrichment injects nothing. */
  readonly answer: (enrichment: string) => string
  /** Whether the answer reaches the model. */
  readonly injects: boolean
  readonly settings: HookSettings
}

const folder = z.string().nullish()

/** The fields that Claude Code introduced and others took over. */
const Submitted = z.object({
  session_id: z.string().min(1),
  prompt: z.string(),
  cwd: folder,
  transcript_path: folder,
})

const CursorPrompt = z.object({
  conversation_id: z.string().min(1),
  prompt: z.string(),
  workspace_roots: z.array(z.string()).nullish(),
  transcript_path: folder,
})

function parsed<T>(
  schema: z.ZodType<T>,
  prompt: (value: T) => HookPrompt,
): (value: unknown) => Result<HookPrompt, string> {
  return (value) => {
    const read = schema.safeParse(value)
    return read.success
      ? ok(prompt(read.data))
      : err(fieldWords(read.error.issues[0], 'the prompt'))
  }
}

const readSubmitted = parsed(Submitted, (value) => ({
  session: value.session_id,
  prompt: value.prompt,
  cwd: value.cwd ?? null,
  transcript: value.transcript_path ?? null,
}))

/** Nothing at all where nothing is injected: then the hook is as if it were not there. */
const additionalContext = (event: string) => (enrichment: string) =>
  enrichment === ''
    ? ''
    : `${jsonLine({ hookSpecificOutput: { hookEventName: event, additionalContext: enrichment } })}\n`

/** Timeout in seconds, after which an agent continues without the hook. */
const PATIENCE_S = 10

const grouped = (command: string) => ({
  hooks: [{ type: 'command', command, timeout: PATIENCE_S }],
})

/** [F170] The agents whose hooks are answered. A row is all that another agent needs. */
export const HOOK_AGENTS: readonly HookAgent[] = [
  {
    name: 'claude-code',
    label: 'Claude Code',
    source: 'Claude Code documentation, hooks reference, UserPromptSubmit',
    read: readSubmitted,
    answer: additionalContext('UserPromptSubmit'),
    injects: true,
    settings: {
      file: '.claude/settings.json',
      local: '.claude/settings.local.json',
      event: 'UserPromptSubmit',
      entry: grouped,
    },
  },
  {
    name: 'codex',
    label: 'Codex CLI',
    source: 'Codex documentation, hooks, UserPromptSubmit',
    read: readSubmitted,
    answer: additionalContext('UserPromptSubmit'),
    injects: true,
    settings: {
      file: '.codex/hooks.json',
      event: 'UserPromptSubmit',
      entry: grouped,
      advice: 'Older versions need `codex_hooks = true` below `[features]` in config.toml',
    },
  },
  {
    name: 'gemini-cli',
    label: 'Gemini CLI',
    source: 'Gemini CLI documentation, hooks reference, BeforeAgent',
    read: readSubmitted,
    answer: additionalContext('BeforeAgent'),
    injects: true,
    settings: {
      file: '.gemini/settings.json',
      event: 'BeforeAgent',
      // Milliseconds here; other agents use seconds.
      entry: (command) => ({
        hooks: [{ name: 'turnscope', type: 'command', command, timeout: PATIENCE_S * 1000 }],
      }),
    },
  },
  {
    name: 'droid',
    label: 'Factory Droid',
    source: 'Factory documentation, hooks reference, UserPromptSubmit',
    read: readSubmitted,
    answer: additionalContext('UserPromptSubmit'),
    injects: true,
    settings: {
      file: '.factory/settings.json',
      local: '.factory/settings.local.json',
      event: 'UserPromptSubmit',
      entry: grouped,
    },
  },
  {
    name: 'cursor',
    label: 'Cursor',
    source: 'Cursor documentation, hooks, beforeSubmitPrompt',
    read: parsed(CursorPrompt, (value) => ({
      session: value.conversation_id,
      prompt: value.prompt,
      cwd: value.workspace_roots?.[0] ?? null,
      transcript: value.transcript_path ?? null,
    })),
    // Cursor takes no context from this hook: prompts are classified and recorded only.
    answer: () => '{"continue":true}\n',
    injects: false,
    settings: {
      file: '.cursor/hooks.json',
      event: 'beforeSubmitPrompt',
      entry: (command) => ({ command }),
      also: { version: 1 },
    },
  },
]

export const HOOK_AGENT_NAMES: readonly string[] = HOOK_AGENTS.map(({ name }) => name)

/** The row of an agent; undefined if no agent has this name. */
export function hookAgent(name: string): HookAgent | undefined {
  return HOOK_AGENTS.find((agent) => agent.name === name)
}
