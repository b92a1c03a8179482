import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CLI } from '../../../fixtures/built.ts'
import { makeFolder, REPOSITORY } from '../../../fixtures/host.ts'
import { connectMcp } from '../../../fixtures/mcp/client.ts'
import { MCP_CLIENTS } from '../../wire/mcp-clients.ts'
import { REGISTRATION } from './mcp.ts'

const workspace = makeFolder({
  'run.jsonl': `${JSON.stringify({ type: 'session', schemaVersion: 1, id: 's' })}\n${JSON.stringify({ kind: 'user', text: 'fix it' })}\n`,
})

test('[F156] stdout carries the protocol alone, and the process ends with its stdin', async () => {
  const child = spawn(process.execPath, [CLI, 'mcp', '--workspace', workspace])
  let out = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (out += chunk))
  const ask = (id: number, method: string, params: object) =>
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
  child.stdin.write('this is no message\n')
  ask(1, 'initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 't', version: '1' },
  })
  ask(2, 'tools/call', { name: 'open_session', arguments: { file: 'run.jsonl' } })
  while (!out.includes('"id":2')) await once(child.stdout, 'data')
  child.stdin.end()
  const [code] = (await once(child, 'exit')) as [number | null]
  expect(code).toBe(0)
  const [first = ''] = out.split('\n')
  // A line that is no message is answered, so that the client need not wait (F201).
  expect(JSON.parse(first)).toMatchObject({ id: null, error: { code: -32700 } })
  for (const line of out.trim().split('\n'))
    expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' })
}, 60_000)

test('[F162] every tool and command that the skill names exists, and the help and docs register the same server', async () => {
  const skill = readFileSync(join(REPOSITORY, 'examples/skill/turnscope/SKILL.md'), 'utf8')
  const server = await connectMcp(['--workspace', workspace])
  const { tools } = await server.client.listTools()
  await server.close()
  const names = tools.map(({ name }) => name)
  const told = [...new Set([...skill.matchAll(/`([a-z_]+)`/gu)].map(([, name = '']) => name))]
  const unknown = told.filter((name) => name.includes('_') && !names.includes(name))
  expect(unknown.filter((name) => !FIELDS.has(name))).toEqual([])
  expect(names.filter((name) => !told.includes(name))).toEqual([])
  const { COMMANDS } = await import('../commands.ts')
  const commands = [...skill.matchAll(/turnscope ([a-z]+)/gu)].map(([, name = '']) => name)
  expect(commands.length).toBeGreaterThan(6)
  expect(commands.filter((name) => !COMMANDS.some((each) => each.name === name))).toEqual([])
  expect(skill).toMatch(/^---\nname: turnscope\ndescription: .{60,1000}\n---\n/u)
  const docs = readFileSync(join(REPOSITORY, 'docs/agents.md'), 'utf8').replaceAll(/\s+/gu, '')
  for (const { command } of MCP_CLIENTS.slice(1))
    expect([
      command,
      REGISTRATION.includes(command),
      docs.includes(command.replaceAll(/\s+/gu, '')),
    ]).toEqual([command, true, true])
}, 60_000)

/** Words of the skill that look like names of tools: arguments. */
const FIELDS: ReadonlySet<string> = new Set(['should_match', 'should_not_match'])
