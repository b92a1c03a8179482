import { MCP_CLIENTS } from '../../wire/mcp-clients.ts'

/** What `turnscope mcp --help` says behind the options. */
export const REGISTRATION = `
How agents are told of it (add --workspace DIR, --allow PATH and --allow-write as you like):
${MCP_CLIENTS.map(({ label, where, command }) => `  ${label}${where === null ? '' : ` (in their ${where})`}\n      ${command}`).join('\n')}

It reads files of the workspace, of --allow, and samples that ship; it writes nothing without --allow-write, and
nothing listens on the network. It ends when its standard input ends. See docs/agents.md.`
