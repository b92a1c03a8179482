import { homedir } from 'node:os'
import { createTwoFilesPatch } from 'diff'
import { counted } from '../../engine/result.ts'
import { type HookAgent, HOOK_AGENT_NAMES, hookAgent } from '../../host/hook/agents.ts'
import { createHookAnswerer } from '../../host/hook/answer.ts'
import { hookCommand } from '../../host/hook/command-line.ts'
import { type InstalledHook, installedHooks } from '../../host/hook/installed.ts'
import { liveFolder } from '../../host/hook/places.ts'
import { probeHook } from '../../host/hook/probe.ts'
import {
  type Program,
  type Surroundings,
  namesMachine,
  stableProgram,
} from '../../host/hook/program.ts'
import { startResident } from '../../host/hook/resident.ts'
import {
  type SettingsChange,
  type SettingsPlace,
  installedCommands,
  withHook,
  withoutHook,
  writeSettings,
} from '../../host/hook/settings.ts'
import { liveStatus } from '../../host/hook/status.ts'
import { jsonLine, notice } from '../../host/platform/terminal.ts'
import { HOME } from '../../place.ts'
import { packageVersion } from '../../version.ts'
import { command, group } from '../kit/command.ts'
import { readInput } from './hook-entry.ts'
import { answerOnStdout } from './hook-here.ts'
import {
  type Given,
  type OptionOf,
  flag,
  oneOf,
  parseFolder,
  parsed,
  text,
} from '../kit/options.ts'
import { CommandError, print, valueOrFail } from '../kit/output.ts'

const AGENT = { agent: oneOf('--agent <name>', 'coding agent that calls', HOOK_AGENT_NAMES) }
/** Commander gives false for `--no-record`, under the same name. */
const RECORD: OptionOf<string | false | undefined> = text(
  '--record <dir>',
  'folder that sessions are recorded in',
)
/** Equal to the options in `arguments.ts`, which reads them when an agent starts the hook. */
const CALL = {
  ...AGENT,
  workspace: text('--workspace <dir>', 'folder with profiles/ (default: the one that ships)'),
  preset: text('--preset <name>', 'preset, or the path of a preset file (default: recommended)'),
  domains: text('--domains <name>', 'domain file of the workspace, or a path (default: default)'),
  profile: text('--profile <name>', 'model profile, or a path'),
  record: RECORD,
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
  project: flag(
    '--project',
    'in the settings of the project in this folder; a command with paths of this machine goes into its settings.local.json',
  ),
  local: flag(
    '--local',
    'in settings.local.json of the project in this folder, which is not committed',
  ),
  user: flag('--user', 'in your own settings, for all projects'),
  yes: flag('--yes', 'write it; without, only what would change is shown'),
}

const INSTALL = {
  ...CALL,
  // A prompt passes even if the workspace is wrong (F171), but an installed hook must name a valid one.
  workspace: parsed(
    '--workspace <dir>',
    'folder with profiles/ (default: the one that ships)',
    parseFolder,
  ),
  ...WHERE,
  program: text(
    '--program <text>',
    'how the agent starts Turnscope (default: the program that is found)',
  ),
}

const install = command({
  name: 'install',
  summary: 'write the hook into the settings of an agent',
  options: INSTALL,
  run: async (options) => {
    const agent = agentOf(options)
    const { place, command: line } = chosen(agent, options)
    const change = valueOrFail(await withHook(agent, place, line))
    if (options.yes === true && change.before !== change.after)
      await refuseSilent(line, options.program !== undefined)
    await preview(change, options)
    if (place.of === 'local') await takeOutOfShared(agent, place.root, options)
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
    const agent = agentOf(options)
    for (const place of placesOf(agent, options))
      await preview(valueOrFail(await withoutHook(agent, place)), options)
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
  summary: 'whether the installed hooks answer, what was recorded, and what went wrong',
  options: { json: flag('--json', 'one line of JSON instead of text') },
  run: async ({ json }) => {
    const said = await liveStatus(folderOrFail(), packageVersion())
    const installed = await installedHooks({
      ...around(),
      env: process.env,
      userRoot: homedir(),
      project: process.cwd(),
    })
    if (json === true) {
      await print(`${jsonLine({ ...said, installed })}\n`)
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
        ...(installed.length === 0
          ? ['no hook is installed for this account or in this folder\n']
          : installed.map(installedLine)),
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

function installedLine(hook: InstalledHook): string {
  const injects = hook.answers && hook.injects ? ', and injects text' : ''
  const state = hook.answers ? `answers${injects}` : `DOES NOT ANSWER: ${hook.why}`
  return `${hook.agent}  ${hook.path}\n  ${hook.command}\n  ${state}\n`
}

type Where = Given<typeof WHERE & typeof AGENT>

function agentOf({ agent: name = 'claude-code', project, local, user }: Where): HookAgent {
  const agent = hookAgent(name)
  const given = [project, local, user].filter((each) => each === true).length
  if (agent === undefined || given !== 1)
    throw new CommandError({
      what: 'it is not clear which settings to change',
      where: 'hook',
      do: 'Give --user (all your projects), --project (this folder, shared) or --local (this folder, only yours)',
    })
  if (local === true && agent.settings.local === undefined)
    throw new CommandError({
      what: `${agent.label} has no settings of a project that are only yours`,
      where: '--local',
      do: 'Give --user or --project',
    })
  return agent
}

/** Settings that `remove` searches. */
function placesOf(agent: HookAgent, { project, user }: Where): readonly SettingsPlace[] {
  if (user === true) return [{ root: homedir(), of: 'user' }]
  const root = process.cwd()
  const local = { root, of: 'local' } as const
  if (project !== true) return [local]
  return [{ root, of: 'shared' }, ...(agent.settings.local === undefined ? [] : [local])]
}

/** [F196] [F197] The command, and the settings that it may be in. */
function chosen(
  agent: HookAgent,
  options: Given<typeof INSTALL>,
): { readonly place: SettingsPlace; readonly command: string } {
  const cwd = process.cwd()
  const program: Program =
    options.program === undefined
      ? valueOrFail(stableProgram(around()))
      : { here: options.program, name: options.program }
  const started = (by: string) =>
    valueOrFail(hookCommand(agent.name, options, { program: by, cwd }))
  const here = started(program.here)
  if (options.user === true) return { place: { root: homedir(), of: 'user' }, command: here }
  const local = { root: cwd, of: 'local' } as const
  if (options.local === true) return { place: local, command: here }
  const shared = started(program.name ?? program.here)
  if (agent.settings.local === undefined || !namesMachine(shared))
    return { place: { root: cwd, of: 'shared' }, command: shared }
  notice(
    `the command names a path of this machine, so it goes into ${agent.settings.local}, which is not shared: keep it out of git`,
  )
  return { place: local, command: here }
}

/** [F196] Runs a command before it is written: one that was found here has to answer. */
async function refuseSilent(line: string, isGiven: boolean): Promise<void> {
  const probed = await probeHook(line, process.env)
  if (probed.answers) return
  const problem = {
    what: `the command does not answer (${probed.why})`,
    where: line,
    do: 'Run turnscope hook status to try again, or name another program with --program',
  }
  if (!isGiven) throw new CommandError(problem)
  notice(`${problem.where}: ${problem.what}. ${problem.do}`)
}

/** An entry of an earlier version that names a path of this machine does not stay in the shared file. */
async function takeOutOfShared(agent: HookAgent, root: string, options: Where): Promise<void> {
  const shared = { root, of: 'shared' } as const
  const commands = await installedCommands(agent, shared)
  if (commands.some(namesMachine)) {
    await preview(valueOrFail(await withoutHook(agent, shared)), options)
  } else if (commands.length > 0) {
    notice('the shared settings of the project have the hook too: prompts are answered twice')
  }
}

function around(): Surroundings {
  return {
    home: HOME,
    node: process.execPath,
    path: process.env['PATH'] ?? '',
    version: packageVersion(),
  }
}

async function preview(change: SettingsChange, { yes }: Pick<Where, 'yes'>): Promise<void> {
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

function folderOrFail(): string {
  const folder = liveFolder(process.env)
  if (folder !== null) return folder
  throw new CommandError({
    what: 'this account has no folder for what is recorded',
    where: 'the environment',
    do: 'Set XDG_STATE_HOME or HOME',
  })
}
