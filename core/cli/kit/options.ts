import { resolve } from 'node:path'
import { InvalidArgumentError, Option } from 'commander'
import type { ClassifyKinds } from '../../engine/schema/preset.ts'
import type { ReplayConfig } from '../../engine/schema/replay.ts'
import { folderProblem } from '../../host/platform/files/named-folder.ts'
import { isPersonal, workspaceHere } from '../../workspace-place.ts'
import { CommandError } from './output.ts'

declare const VALUE: unique symbol
/** An option of a command line, with the type of its value. */
export type OptionOf<T> = Option & { readonly [VALUE]?: T }
/** Options by the name under which a command receives them: the flag in camel case. */
export type OptionRows = Readonly<Record<string, OptionOf<unknown>>>
/** The values that a command receives for its options. */
export type Given<O extends OptionRows> = {
  readonly [K in keyof O]: O[K] extends OptionOf<infer T> ? T : never
}

/** `--json`: given or not. */
export function flag(flags: string, help: string): OptionOf<boolean | undefined> {
  return new Option(flags, help)
}

/** The value of `--name <value>` as written. Undefined if it is absent and has no default. */
export function text(flags: string, help: string): OptionOf<string | undefined>
export function text(flags: string, help: string, standard: string): OptionOf<string>
export function text(flags: string, help: string, standard?: string): OptionOf<string | undefined> {
  return new Option(flags, help).default(standard)
}

type Parse<T> = (value: string, before: T | undefined) => T

/** A value that is checked, or collected over several mentions. */
export function parsed<T>(flags: string, help: string, parse: Parse<T>): OptionOf<T | undefined>
export function parsed<T>(flags: string, help: string, parse: Parse<T>, standard: T): OptionOf<T>
export function parsed<T>(
  flags: string,
  help: string,
  parse: Parse<T>,
  standard?: T,
): OptionOf<T | undefined> {
  // Commander passes the previous value to the parser; the first time this is the default.
  return new Option(flags, help).default(standard).argParser(parse as Parse<unknown>)
}

/** One of a few words. */
export function oneOf<T extends string>(
  flags: string,
  help: string,
  choices: readonly T[],
): OptionOf<T | undefined> {
  return new Option(flags, help).choices(choices)
}

/** An option that must be there. */
export function required<T>(option: OptionOf<T | undefined>): OptionOf<T> {
  // Commander refuses a command line without it.
  return option.makeOptionMandatory() as OptionOf<T>
}

/** An option that `--help` does not list. */
export function hidden<T>(option: OptionOf<T>): OptionOf<T> {
  return option.hideHelp()
}

const HERE = workspaceHere()

/** [F165] A folder that an option names, as it is written; it has to be there. */
export function parseFolder(dir: string): string {
  const problem = folderProblem(dir)
  if (problem === null) return dir
  throw new CommandError(problem)
}

/**
 * Made absolute, so that it stays valid if the working directory changes. [F121] The personal folder may be missing,
 * even if it is named.
 */
const parseWorkspace = (dir: string): string =>
  isPersonal(dir) ? resolve(dir) : resolve(parseFolder(dir))

const workspace = parsed(
  '--workspace <dir>',
  'folder with profiles/',
  parseWorkspace,
  HERE,
).default(HERE, 'the one around the current folder, else your own')
const preset = text('--preset <name>', 'preset, or the path of a preset file', 'recommended')

export const WORKSPACE = { workspace }
export const PRESET = { preset }
export const JSON_LINE = { json: flag('--json', 'one line of JSON instead of text') }
const JSON_LINES = { json: flag('--json', 'JSON lines instead of text') }

/** For commands that classify nothing: scripts may give every command the same options. */
export const COMMON = {
  ...WORKSPACE,
  preset: hidden(text('--preset <name>', '')),
  json: hidden(flag('--json', '')),
}

/** Options of every command that classifies. */
export const CONFIG = {
  ...WORKSPACE,
  ...PRESET,
  domains: text('--domains <name>', 'domain file of the workspace, or a path', 'default'),
  profile: text(
    '--profile <name>',
    'model profile, or a path (default: none, nothing is disabled)',
  ),
  classify: parsed(
    '--classify <kinds>',
    'texts that are classified: user,agent,tool (default: as the preset says)',
    parseClassify,
  ),
  ...JSON_LINES,
}
export type ConfigOptions = Given<typeof CONFIG>

/** Files that reports are written to. */
export const REPORTS = {
  junit: text('--junit <file>', 'write the results as JUnit XML'),
  sarif: text('--sarif <file>', 'write the findings as SARIF 2.1.0'),
}

export const LABELS = {
  labels: parsed('--labels <path>', 'labels file, or a folder of them (several times)', collect),
}

/** The configuration that the options name. */
export function configOf(options: ConfigOptions): ReplayConfig {
  const { preset: named, domains, profile = null, classify = null } = options
  return { preset: named, domains, profile, classify }
}

const KINDS = ['user', 'agent', 'tool'] as const

function parseClassify(value: string): ClassifyKinds {
  const names = value.split(',').map((name) => name.trim())
  const unknown = names.find((name) => !KINDS.some((kind) => kind === name))
  if (unknown !== undefined) {
    throw new InvalidArgumentError(`"${unknown}" is none of ${KINDS.join(', ')}.`)
  }
  const has = (kind: (typeof KINDS)[number]) => names.includes(kind)
  return { user: has('user'), agent: has('agent'), tool: has('tool') }
}

/** Several values of one option. */
export function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value]
}

/** Reads a number that passes the test; blank text is refused. */
function numberThat(wanted: (value: number) => boolean, problem: string): (text: string) => number {
  return (value) => {
    const number = Number(value)
    if (value.trim() !== '' && wanted(number)) return number
    throw new InvalidArgumentError(problem)
  }
}

const isWhole =
  (from: number, to = Infinity) =>
  (value: number) =>
    Number.isInteger(value) && value >= from && value <= to

/** `10-60`: first and last turn, from 1. */
export function parseTurns(value: string): readonly [number, number] {
  const [, from = '', to = from] = /^(\d{1,9})(?:-(\d{1,9}))?$/u.exec(value) ?? []
  if (from !== '' && Number(from) >= 1 && Number(to) >= Number(from))
    return [Number(from), Number(to)]
  throw new InvalidArgumentError('Give the first and the last turn, for example 10-60.')
}

const portOf = numberThat(isWhole(0, 65_535), 'A port is a number from 0 to 65535.')
/** Blank is any free one, as 0: a script may leave its variable empty. */
export const parsePort = (value: string) => portOf(value.trim() === '' ? '0' : value)
/** A 1-based number, as the screen shows it. */
export const parseCount = numberThat(isWhole(1), 'Give a whole number, 1 or more.')
export const parseWhole = numberThat(isWhole(0), 'Give a whole number, 0 or more.')
export const parseShare = numberThat(
  (share) => share >= 0 && share <= 1,
  'Give a number from 0 to 1.',
)
