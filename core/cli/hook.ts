import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { existsSync } from '../host/files/fenced-fs.ts'
import { createTwoFilesPatch } from 'diff'
import { counted } from '../engine/result.ts'
import { type HookAgent, HOOK_AGENT_NAMES, hookAgent } from '../host/hook/agents.ts'
import { createHookAnswerer } from '../host/hook/answer.ts'
import { hookCommand } from '../host/hook/command-line.ts'
import { liveFolder } from '../host/hook/places.ts'
import { startResident } from '../host/hook/resident.ts'
import { type SettingsChange, withHook, withoutHook, writeSettings } from '../host/hook/settings.ts'
import { liveStatus } from '../host/hook/status.ts'
import { jsonLine, notice } from '../host/shared/terminal.ts'
import { HOME } from '../place.ts'
import { packageVersion } from '../version.ts'
import { command, group } from './command.ts'
import { readInput } from './hook-entry.ts'
import { answerOnStdout } from './hook-here.ts'
import { type Given, flag, oneOf, parseFolder, parsed, text } from './options.ts'
import { CommandError, print, valueOrFail } from './output.ts'

const AGENT = { agent: oneOf('--agent <name>', 'coding agent that calls', HOOK_AGENT_NAMES) }
/** As in `arguments.ts`, which reads them where an agent starts the hook. */
const CALL = {
  ...AGENT,
  workspace: text('--workspace <dir>', 'folder with profiles/ (default: the one that ships)'),
  preset: text('--preset <name>', 'preset, or the path of a preset file (default: recommended)'),
  domains: text('--domains <name>', 'domain file of the workspace, or a path (default: default)'),
  profile: text('--profile <name>', 'model profile, or a path'),
  record: text('--record <dir>', 'folder that sessions are recorded in'),
  noRecord: flag('--no-record', 'classify without momentum, and keep nothing'),
}

const answer = command({
  name: 'answer',
  summary: 'answer one prompt: what an agent starts (the default)',
  options: CALL,
  run: async () => {
    // An agent's start does not come here: bin/launch.cjs takes a shorter way.
    const [, , , ...words] = process.argv
    const args = words[0] === 'answer' ? words.slice(1) : words
    const input = await readInput()
    const folder = liveFolder(process.env)
    await answerOnStdout({ args, input, at: Date.now(), cwd: process.cwd(), folder })
  },
})

const WHERE = {
  project: flag('--project', 'in the settings of the project in this folder'),
  user: flag('--user', 'in your own settings, for all projects'),
  yes: flag('--yes', 'write it; without, only what would change is shown'),
}

const INSTALL = {
  ...CALL,
  // A prompt is let through whatever is wrong (F171); what is installed has to be right.
  workspace: parsed(
    '--workspace <dir>',
    'folder with profiles/ (default: the one that ships)',
    parseFolder,
  ),
  ...WHERE,
  program: text('--program <text>', 'how the agent starts Turnscope (default: found by itself)'),
}

const install = command({
  name: 'install',
  summary: 'write the hook into the settings of an agent',
  options: INSTALL,
  run: async (options) => {
    const { agent, root } = placeOf(options)
    const line = hookCommand(agent.name, options, {
      program: options.program ?? programHere(),
      cwd: process.cwd(),
    })
    const change = valueOrFail(await withHook(agent, root, valueOrFail(line)))
    await preview(change, options)
    if (agent.settings.advice !== undefined) notice(agent.settings.advice)
    if (!agent.injects)
      notice(`${agent.label} takes nothing from this hook: prompts are classified and recorded`)
  },
})

const remove = command({
  name: 'remove',
  summary: 'take the hook out of the settings of an agent again',
  options: { ...AGENT, ...WHERE },
  run: async (options) => {
    const { agent, root } = placeOf(options)
    await preview(valueOrFail(await withoutHook(agent, root)), options)
  },
})

const serve = command({
  name: 'serve',
  summary: 'answer hooks from one process that stays, which is faster, until interrupted',
  options: {},
  run: async () => {
    const folder = folderOrFail()
    const version = packageVersion()
    const answerer = createHookAnswerer({ shipped: HOME, version })
    const resident = await startResident({ folder, version, answerer })
    notice('answering hooks of this account until you press Ctrl+C')
    await new Promise<void>((resolve) => {
      process.once('SIGINT', () => resolve())
      process.once('SIGTERM', () => resolve())
    })
    await resident.close()
  },
})

const status = command({
  name: 'status',
  summary: 'what was recorded, what went wrong, and whether a host answers',
  options: { json: flag('--json', 'one line of JSON instead of text') },
  run: async ({ json }) => {
    const said = await liveStatus(folderOrFail(), packageVersion())
    if (json === true) {
      await print(`${jsonLine(said)}\n`)
      return
    }
    const sessions = said.sessions.map(
      ({ agent, path, changed }) => `${new Date(changed).toISOString()}  ${agent}  ${path}\n`,
    )
    const problems = said.problems.map(
      ({ at, agent, what, where }) =>
        `${new Date(at).toISOString()}  ${agent}  ${where}: ${what}\n`,
    )
    const host = said.resident === null ? 'none' : `process ${said.resident}`
    await print(
      [
        `host that answers: ${host}\n`,
        `${counted(said.total, 'session')} recorded${sessions.length < said.total ? `, the newest ${sessions.length}:` : ''}\n`,
        ...sessions,
        `${counted(problems.length, 'problem')} kept\n`,
        ...problems,
      ].join(''),
    )
  },
})

/** [F170] `hook`: the classifier beside a running agent. */
export const hook = group(
  'hook',
  'classify prompts of a running coding agent, and inject what the rules say',
  [answer, install, remove, serve, status],
  answer,
)

function placeOf({
  agent: name = 'claude-code',
  project,
  user,
}: Given<typeof WHERE & typeof AGENT>): {
  readonly agent: HookAgent
  readonly root: string
} {
  const agent = hookAgent(name)
  if (agent === undefined || (project === true) === (user === true))
    throw new CommandError({
      what: 'it is not said whose settings are meant',
      where: 'hook',
      do: 'Give --project or --user',
    })
  return { agent, root: project === true ? process.cwd() : homedir() }
}

async function preview(change: SettingsChange, { yes }: Given<typeof WHERE>): Promise<void> {
  const { path, before, after } = change
  if (before === after) {
    await print(`${path}: nothing to change\n`)
    return
  }
  await print(createTwoFilesPatch(path, path, before ?? '', after ?? '', '', '', { context: 3 }))
  if (yes !== true) {
    notice('nothing was written: give --yes to write it')
    return
  }
  await writeSettings(change)
  notice(after === null ? `removed ${path}, which held nothing else` : `wrote ${path}`)
}

/** `turnscope` where a shell finds it, else this very program. */
function programHere(): string {
  const names = process.platform === 'win32' ? ['turnscope.cmd', 'turnscope.exe'] : ['turnscope']
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const isFound = folders.some((folder) => names.some((name) => existsSync(join(folder, name))))
  return isFound ? 'turnscope' : `"${process.execPath}" "${join(HOME, 'bin', 'turnscope.cjs')}"`
}

function folderOrFail(): string {
  const folder = liveFolder(process.env)
  if (folder !== null) return folder
  throw new CommandError({
    what: 'this account has no folder for what is recorded',
    where: 'the environment',
    do: 'Set XDG_STATE_HOME or HOME',
  })
}
