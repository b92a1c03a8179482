import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Result, err, messageOf, ok } from '../../engine/result.ts'
import type { HookCall } from './answer.ts'
import { HOME } from '../../place.ts'

const OPTIONS = {
  agent: { type: 'string', default: 'claude-code' },
  workspace: { type: 'string' },
  preset: { type: 'string', default: 'recommended' },
  domains: { type: 'string', default: 'default' },
  profile: { type: 'string' },
  record: { type: 'string' },
  'no-record': { type: 'boolean', default: false },
} as const

interface Came {
  readonly input: string
  /** Epoch milliseconds. */
  readonly at: number
  /** Folder that the hook was started in: relative paths start there. */
  readonly cwd: string
  /** As `liveFolder` gives it. */
  readonly folder: string | null
}

/**
 * [F170] Parses a command line after `turnscope hook`. If it names no workspace, uses the shipped one. The agent's
 * working folder is untrusted, and its content would reach the model.
 */
export function parseHookArguments(args: readonly string[], came: Came): Result<HookCall> {
  const at = (path: string) => resolve(came.cwd, path)
  try {
    const { values } = parseArgs({ args: [...args], options: OPTIONS })
    const { agent, workspace, preset, domains, profile = null, record } = values
    const folder = record === undefined ? came.folder : at(record)
    return ok({
      agent,
      input: came.input,
      at: came.at,
      workspace: workspace === undefined ? HOME : at(workspace),
      config: { preset, domains, profile, classify: null },
      record: values['no-record'] ? null : folder,
    })
  } catch (error) {
    return err({
      what: messageOf(error),
      where: 'the command line of the hook',
      do: 'See turnscope hook --help, or install the hook again',
    })
  }
}
