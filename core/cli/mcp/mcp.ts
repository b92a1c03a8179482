import { command } from '../kit/command.ts'
import { WORKSPACE, collect, flag, hidden, parsed, text } from '../kit/options.ts'
import { MCP_CLIENTS } from '../../wire/mcp-clients.ts'

/** Text that `turnscope mcp --help` prints after the options. */
export const REGISTRATION = `
How to register it with agents (add --workspace DIR, --allow PATH and --allow-write as you like):
${MCP_CLIENTS.map(({ label, where, command }) => `  ${label}${where === null ? '' : ` (in their ${where})`}\n      ${command}`).join('\n')}

It reads files of the workspace, of --allow, and samples that ship; it writes nothing without --allow-write, and
nothing listens on the network. It ends when its standard input ends. See docs/agents.md.`

const OPTIONS = {
  ...WORKSPACE,
  allow: parsed('--allow <path>', 'a file or folder that may be read too (several times)', collect),
  allowWrite: flag('--allow-write', 'edits may be written into the domain files of the workspace'),
  live: flag('--live', 'sessions that hooks recorded may be read too'),
  preset: text('--preset <name>', 'preset of the workspace', 'recommended'),
  domains: text('--domains <name>', 'domain file of the workspace', 'default'),
  profile: text('--profile <name>', 'model profile of the workspace'),
  json: hidden(flag('--json', '')),
}

/** [F156] `mcp`: the product as tools of an agent, over stdio. */
export const mcp = command({
  name: 'mcp',
  summary: 'serve sessions, explanations and edits to an agent over MCP, on stdin and stdout',
  options: OPTIONS,
  help: REGISTRATION,
  run: async ({ workspace, allow = [], allowWrite, live, preset, domains, profile }) => {
    const { openDesk } = await import('./desk.ts')
    const { runServer } = await import('./server.ts')
    const config = { preset, domains, profile: profile ?? null, classify: null }
    const rights = { allow, allowWrite: allowWrite === true, live: live === true }
    await runServer(await openDesk({ workspace, config, ...rights }))
    // Unfinished work of a call whose client is gone ends with the process.
    process.exit()
  },
})
