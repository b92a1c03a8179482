import { z } from 'zod'
import type { Side } from '../../engine/schema/lab.ts'
import type { ReplayConfig } from '../../engine/schema/replay.ts'
import { CommandError } from '../kit/output.ts'
import type { Desk } from './desk.ts'

const name = z.string().min(1).max(200)

/** The configuration. Omitted fields use the configuration that the server was started with. */
export const UNDER = {
  preset: name.optional().describe('Preset of the workspace.'),
  domains: name.optional().describe('Domain file of the workspace.'),
  profile: name.optional().describe('Model profile of the workspace.'),
  draft: z
    .string()
    .max(20)
    .optional()
    .describe('Draft of try_edit in the place of the saved domain file.'),
}
export interface Under {
  readonly preset?: string | undefined
  readonly domains?: string | undefined
  readonly profile?: string | undefined
  readonly draft?: string | undefined
}

/** The sessions and labels to read. */
export const OVER = {
  paths: z
    .array(z.string().min(1).max(4096))
    .max(50)
    .optional()
    .describe('Sessions, or folders of them; labels beside them are read.'),
  labels: z
    .array(z.string().min(1).max(4096))
    .max(50)
    .optional()
    .describe('Labels files, or folders. Without paths and labels: those of the workspace.'),
}

export const TURN = z
  .string()
  .min(1)
  .max(4200)
  .describe(
    'FILE#TURN as answers give it; FILE#SESSION:TURN in a file of several, FILE#LN for line N of labelled texts.',
  )

/** The configuration that a call names. */
export function configOf(desk: Desk, { preset, domains, profile, draft }: Under): ReplayConfig {
  const base = draft === undefined ? desk.config : desk.drafts.get(draft).config
  if (draft !== undefined && domains !== undefined && domains !== base.domains)
    throw new CommandError({
      what: `this is a draft of "${base.domains}"`,
      where: `draft "${draft}"`,
      do: 'Leave domains out, or name that file',
    })
  return {
    ...base,
    preset: preset ?? base.preset,
    domains: domains ?? base.domains,
    profile: profile ?? base.profile,
  }
}

/** The same as a side of a comparison. */
export function sideOf(desk: Desk, under: Under): Side {
  const config = configOf(desk, under)
  if (under.draft === undefined) return { kind: 'config', config }
  const { text } = desk.drafts.get(under.draft)
  return { kind: 'draft', draft: { config, domainsText: text, options: {} } }
}
