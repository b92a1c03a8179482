import { z } from 'zod'
import type { Immutable } from './immutable.ts'

/** [K24] Possible results of a skill's file triggers for one edited file. */
export const EDIT_VERDICTS = [
  'fires',
  'excluded',
  'no_content',
  'not_created',
  'marked',
  'used',
] as const
export type EditVerdict = (typeof EDIT_VERDICTS)[number]

/** [K24] A file that the agent edited by a tool call, and the skills whose paths it is of. */
export const EditTrace = z.object({
  seq: z.int().min(0),
  tool: z.string(),
  /** Relative to the session's folder if the file is below it, else as in the call. */
  path: z.string(),
  /** The call gives the whole file, which may be a new one. */
  whole: z.boolean(),
  skills: z.array(
    z.object({
      skill: z.string(),
      verdict: z.enum(EDIT_VERDICTS),
      /** The path pattern that matched. */
      glob: z.string(),
      /** The deciding exclusion, content pattern or marker; null if the path alone decided. */
      by: z.string().nullable(),
    }),
  ),
})
export type EditTrace = Immutable<z.infer<typeof EditTrace>>
