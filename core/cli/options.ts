import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { ClassifyKinds } from '../engine/schema/preset.ts'
import type { ReplayConfig } from '../engine/schema/replay.ts'

/** The folder that ships with Turnscope: workspace by default. */
export const HOME = fileURLToPath(new URL('../../', import.meta.url))

/** Options of every command that classifies. */
export interface ConfigOptions {
  readonly workspace: string
  readonly preset: string
  readonly domains: string
  readonly profile?: string
  readonly classify?: ClassifyKinds
  readonly json?: boolean
}

const KINDS = ['user', 'agent', 'tool'] as const

function parseClassify(text: string): ClassifyKinds {
  const names = text.split(',').map((name) => name.trim())
  const unknown = names.find((name) => !KINDS.some((kind) => kind === name))
  if (unknown !== undefined) {
    throw new InvalidArgumentError(`"${unknown}" is none of ${KINDS.join(', ')}.`)
  }
  const has = (kind: (typeof KINDS)[number]) => names.includes(kind)
  return { user: has('user'), agent: has('agent'), tool: has('tool') }
}

/** Adds `--workspace`, `--preset`, `--domains`, `--profile`, `--classify`, `--json`. */
export function withConfig(command: Command): Command {
  return withWorkspace(command)
    .option('--preset <name>', 'preset, or the path of a preset file', 'recommended')
    .option('--domains <name>', 'domain file of the workspace, or a path', 'default')
    .option('--profile <name>', 'model profile, or a path (default: none, nothing is disabled)')
    .option(
      '--classify <kinds>',
      'texts that are classified: user,agent,tool (default: as the preset says)',
      parseClassify,
    )
    .option('--json', 'JSON lines instead of text')
}

/** For commands that classify nothing: scripts may give every command the same options. */
export function withCommon(command: Command): Command {
  return withWorkspace(command)
    .addOption(new Option('--preset <name>').hideHelp())
    .addOption(new Option('--json').hideHelp())
}

/** Adds `--workspace`, made absolute. */
export function withWorkspace(command: Command): Command {
  return command.option(
    '--workspace <dir>',
    'folder with profiles/ (default: the one that ships)',
    (dir) => resolve(dir),
    HOME,
  )
}

/** The configuration that the options name. */
export function configOf(options: ConfigOptions): ReplayConfig {
  const { preset, domains, profile = null, classify = null } = options
  return { preset, domains, profile, classify }
}

export function parsePort(text: string): number {
  const port = Number(text)
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new InvalidArgumentError('A port is a number from 0 to 65535.')
  }
  return port
}

/** A 1-based number, as the screen shows it. */
export function parseCount(text: string): number {
  const count = Number(text)
  if (!Number.isInteger(count) || count < 1) {
    throw new InvalidArgumentError('It is a whole number from 1.')
  }
  return count
}
