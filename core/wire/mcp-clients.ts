interface McpClient {
  readonly name: string
  readonly label: string
  /** The command to type, or the text for the file that `where` names. */
  readonly command: string
  /** Null: the command is typed into a shell. */
  readonly where: string | null
}

/** [F164] Setup of `turnscope mcp` for each agent: for the command's help, and for the window. */
export const MCP_CLIENTS: readonly McpClient[] = [
  {
    name: 'claude-code',
    label: 'Claude Code',
    where: null,
    command: 'claude mcp add turnscope -- npx -y turnscope mcp',
  },
  {
    name: 'codex',
    label: 'Codex',
    where: null,
    command: 'codex mcp add turnscope -- npx -y turnscope mcp',
  },
  {
    name: 'gemini-cli',
    label: 'Gemini CLI',
    where: null,
    command: 'gemini mcp add turnscope npx -y turnscope mcp',
  },
  {
    name: 'vscode',
    label: 'VS Code',
    where: null,
    command: `code --add-mcp '{"name":"turnscope","command":"npx","args":["-y","turnscope","mcp"]}'`,
  },
  {
    name: 'other',
    label: 'Cursor, Droid and others',
    where: 'mcp.json',
    command: '{"mcpServers":{"turnscope":{"command":"npx","args":["-y","turnscope","mcp"]}}}',
  },
]
