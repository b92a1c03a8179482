import { z } from 'zod'
import type { Immutable } from './immutable.ts'

/** [X1] Kind of source that put a text into the model's context. */
export const SourceKind = z.enum([
  /** A file of instructions: CLAUDE.md, AGENTS.md, GEMINI.md. */
  'instructions',
  /** A rule file that applies to some paths. */
  'rule',
  'skill_list',
  'skill',
  'hook',
  'mcp',
  'tools',
  'agents',
  'file',
  'plan',
  'memory',
  'reminder',
  'date',
  'environment',
  /** A text of the harness that is none of the others. */
  'harness',
])
export type SourceKind = z.infer<typeof SourceKind>

/** [X1] Source of an injected text. Null and absent fields are unknown. */
export const ContextSource = z.object({
  kind: SourceKind,
  /** Skill, hook event, server or file, as shown after the kind. */
  name: z.string().nullable(),
  path: z.string().nullable(),
  /** Paths that the rule applies to. */
  globs: z.array(z.string()).nullable(),
  /** `callId` of the tool call that brought it in. */
  cause: z.string().nullable(),
})
export type ContextSource = Immutable<z.infer<typeof ContextSource>>

const tokens = z.int().min(0)

/** [X2] Recorded numbers of one model call, in tokens. */
export const ModelCall = z.object({
  /** Id of the answer; equal ids are the same call. Null if the file has none. */
  id: z.string().nullable(),
  /** Read by the model for this call and not taken from its cache. */
  input: tokens,
  cacheRead: tokens,
  cacheWrite: tokens,
  output: tokens,
  /** The share of `output` that is reasoning; null if not recorded. */
  reasoning: tokens.nullable(),
  /** Context window that the file names; null if it names none. */
  window: tokens.nullable(),
})
export type ModelCall = Immutable<z.infer<typeof ModelCall>>

/** [X7] Label of the recorded tokens that no text of the file explains. */
export const NOT_IN_FILE = 'system prompt and tools (not in the file)'

/** [X14] Name of the layer of all kinds of sources without a separate layer. */
export const OTHERS = 'others'

/** A share in whole percent, with one decimal below 10: `12 %`, `7.2 %`. */
export function shareText(part: number, whole: number): string {
  const share = whole === 0 ? 0 : (100 * part) / whole
  return `${share < 10 ? share.toFixed(1) : Math.round(share)} %`
}

/** [X2] Tokens in the context when the model was called. */
export function contextTokens({ input, cacheRead, cacheWrite }: ModelCall): number {
  return input + cacheRead + cacheWrite
}
