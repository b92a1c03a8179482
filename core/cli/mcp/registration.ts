/** Where agents keep their MCP servers. Shared by the help of the command and the docs, which a test compares. */
export const REGISTRATION = `
How agents are told of it (add --workspace DIR, --allow PATH and --allow-write as you like):
  Claude Code   claude mcp add turnscope -- npx -y turnscope mcp
  Codex         codex mcp add turnscope -- npx -y turnscope mcp
  Gemini CLI    gemini mcp add turnscope npx -y turnscope mcp
  VS Code       code --add-mcp '{"name":"turnscope","command":"npx","args":["-y","turnscope","mcp"]}'
  Cursor, Droid and others, in their mcp.json:
                {"mcpServers":{"turnscope":{"command":"npx","args":["-y","turnscope","mcp"]}}}

It reads files of the workspace, of --allow, and samples that ship; it writes nothing without --allow-write, and
nothing listens on the network. It ends when its standard input ends. See docs/agents.md.`
