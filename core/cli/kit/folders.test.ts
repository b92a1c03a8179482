import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from 'commander'
import { afterEach, expect, it, vi } from 'vitest'
import { makeFolder } from '../../../fixtures/host.ts'
import { runCli } from '../../../fixtures/run-cli.ts'
import { personalFolder } from '../../host/workspace/personal.ts'
import { COMMANDS } from '../commands.ts'
import { CommandError } from './output.ts'

const root = makeFolder({ 'file.txt': '' })
const missing = join(root, 'missing')

afterEach(() => vi.unstubAllEnvs())

/** Every command of the program, groups resolved: its words, and the command itself. */
async function allCommands(): Promise<ReadonlyArray<readonly [words: string, command: Command]>> {
  const program = new Command('turnscope').exitOverride()
  for (const { load } of COMMANDS) (await load()).addTo(program)
  const below = (
    command: Command,
    words: readonly string[],
  ): ReadonlyArray<readonly [string, Command]> =>
    command.commands.length === 0
      ? [[words.join(' '), command]]
      : command.commands.flatMap((each) => below(each, [...words, each.name()]))
  return below(program, [])
}

/** The message with which a command rejects the value of an option, before it runs. */
function refusalOf(command: Command, flag: string, value: string): string {
  const option = command.options.find(({ long }) => long === flag)
  if (option?.parseArg === undefined) return 'the value is not looked at'
  try {
    option.parseArg(value, undefined)
    return 'taken'
  } catch (error) {
    return error instanceof CommandError ? error.message : 'a fault'
  }
}

it('[F165] every command that takes --workspace refuses a folder that is not there, and a file, before it begins', async () => {
  const commands = await allCommands()
  const taking = commands.filter(
    ([words, command]) =>
      command.options.some(({ long }) => long === '--workspace') &&
      // A hook lets the prompt through in any case (F171). Its messages are tested below.
      words !== 'hook answer',
  )
  expect(taking.length).toBeGreaterThan(35)
  const said = taking.map(([words, command]) => [
    words,
    refusalOf(command, '--workspace', missing),
    refusalOf(command, '--workspace', join(root, 'file.txt')),
    refusalOf(command, '--workspace', root),
  ])
  expect(said).toEqual(
    taking.map(([words]) => [
      words,
      `${missing}: there is no such folder. Check the path, or make the folder`,
      `${join(root, 'file.txt')}: this is a file, not a folder. Name the folder`,
      'taken',
    ]),
  )
})

it('[F165] the folders of --root are looked at too', async () => {
  const commands = new Map(await allCommands())
  for (const words of ['bundle', 'lint']) {
    const command = commands.get(words)
    expect(command && refusalOf(command, '--root', missing)).toContain('there is no such folder')
  }
})

it('[F121] [F165] the personal workspace need not be there, also where it is named', async () => {
  vi.stubEnv('XDG_DATA_HOME', join(root, 'data'))
  const personal = personalFolder(process.env)
  const replay = new Map(await allCommands()).get('replay')
  expect(replay && refusalOf(replay, '--workspace', join(personal ?? '', 'workspace'))).toBe(
    'taken',
  )
})

it.each([['mcp'], ['serve'], ['library', 'scan', root], ['stats', root]])(
  '[F165] %s says which folder is missing, exits with 2, and makes none',
  async (...words) => {
    const ran = await runCli([...words, '--workspace', missing])
    expect(ran).toEqual({
      code: 2,
      out: '',
      err: `turnscope: ${missing}: there is no such folder. Check the path, or make the folder\n`,
    })
    expect(existsSync(missing)).toBe(false)
  },
)

it('[F165] [F171] a hook whose workspace is gone says so, injects nothing, and lets the prompt through', async () => {
  vi.stubEnv('XDG_STATE_HOME', join(root, 'state'))
  const prompt = JSON.stringify({ session_id: 's', prompt: 'fix the crash', cwd: root })
  const args = ['hook', '--no-record', '--workspace', missing]
  const ran = await runCli(args, prompt)
  expect([ran.code, ran.out]).toEqual([0, ''])
  expect(ran.err).toContain(`${missing}: there is no such folder`)
  const answered = await runCli(['hook', '--no-record', '--workspace', root], prompt)
  expect(answered.out).toContain('Domain: bugfix')
})
