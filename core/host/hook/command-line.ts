import { resolve } from 'node:path'
import { type Result, err, ok } from '../../engine/result.ts'

interface Options {
  readonly workspace?: string | undefined
  readonly preset?: string | undefined
  readonly domains?: string | undefined
  readonly profile?: string | undefined
  /** False: nothing is recorded. */
  readonly record?: string | false | undefined
}

interface Around {
  /** Command that starts Turnscope, as a shell reads it. */
  readonly program: string
  /** Relative paths start here. */
  readonly cwd: string
}

/** Quoted so that every shell reads it alike; what cannot be quoted so is refused. */
const PLAIN = /^[\w./:@%+,-]+$/u
const UNSAFE = /["$`\\!\r\n]/u

/**
 * [F175] The command that an agent is given. Values are quoted; one that a shell would read as more than a text is
 * refused.
 */
export function hookCommand(agent: string, options: Options, around: Around): Result<string> {
  const { workspace, preset, domains, profile, record } = options
  const path = (value: string | undefined) =>
    value === undefined ? undefined : resolve(around.cwd, value)
  const given = [
    ['--workspace', path(workspace)],
    ['--preset', preset],
    ['--domains', domains],
    ['--profile', profile],
    ['--record', path(record === false ? undefined : record)],
  ] as const
  const words: string[] = []
  for (const [name, value] of given) {
    if (value === undefined) continue
    // Windows paths contain backslashes, which the Windows shell takes literally.
    if (UNSAFE.test(process.platform === 'win32' ? value.replaceAll('\\', '/') : value))
      return err({
        what: `this cannot be written into a command: ${value}`,
        where: name,
        do: 'Use a name without quotes, dollar signs, backticks and exclamation marks',
      })
    words.push(name, PLAIN.test(value) ? value : `"${value}"`)
  }
  if (record === false) words.push('--no-record')
  return ok([`${around.program} hook --agent ${agent}`, ...words].join(' '))
}
