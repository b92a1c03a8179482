import { Argument, type Command } from 'commander'
import { fence } from '../../host/platform/files/fence.ts'
import type { Given, OptionRows } from './options.ts'
import { allSaid } from './saying.ts'

/** The type of an argument's value, from its notation: `<file>`, `[file]`, `<file...>`. */
type ArgumentValue<S extends string> = S extends `${string}...${string}`
  ? readonly string[]
  : S extends `[${string}`
    ? string | undefined
    : string

type ArgumentRow = readonly [name: string, help: string]
type ArgumentValues<A extends readonly ArgumentRow[]> = {
  readonly [K in keyof A]: ArgumentValue<A[K][0]>
}

/** One command: its `--help` text and its action. */
interface CommandRow<A extends readonly ArgumentRow[], O extends OptionRows> {
  readonly name: string
  readonly summary: string
  readonly args?: A
  /** In the order in which `--help` lists them. */
  readonly options: O
  /** Further help, after the options. */
  readonly help?: string
  readonly run: (options: Given<O>, ...values: ArgumentValues<A>) => Promise<void>
}

/** A command or a group of commands, ready to be added to its parent. */
export interface AnyCommand {
  readonly name: string
  /** `isDefault`: runs if the parent is called without a command name. */
  readonly addTo: (parent: Command, isDefault?: boolean) => void
}

/** A command from its row. */
export function command<const A extends readonly ArgumentRow[], O extends OptionRows>(
  row: CommandRow<A, O>,
): AnyCommand {
  const { name, summary, args = [], options, help, run } = row
  return {
    name,
    addTo: (parent, isDefault = false) => {
      // `parent.command`, not `new Command`: it hands down how errors are said and how to exit.
      const added = parent.command(name, { isDefault }).description(summary)
      for (const [argument, text] of args) added.addArgument(new Argument(argument, text))
      for (const option of Object.values(options)) added.addOption(option)
      if (help !== undefined) added.addHelpText('after', help)
      // Commander gives the arguments in the order of the row, then the options under their names.
      added.action(async (...given: unknown[]) => {
        const values = given.slice(0, args.length) as unknown as ArgumentValues<A>
        const chosen = given[args.length] as Given<O>
        fenceWorkspace(chosen)
        await run(chosen, ...values)
        await allSaid()
      })
    },
  }
}

/** [F200] Before anything of the workspace is read. */
function fenceWorkspace(options: object): void {
  if ('workspace' in options && typeof options.workspace === 'string') fence(options.workspace)
}

/**
 * Commands under one name: `turnscope library scan`.
 * @param standard the command that runs if none is named
 */
export function group(
  name: string,
  summary: string,
  commands: readonly AnyCommand[],
  standard?: AnyCommand,
): AnyCommand {
  return {
    name,
    addTo: (parent) => {
      const added = parent.command(name).description(summary)
      for (const each of commands) each.addTo(added, each === standard)
    },
  }
}
