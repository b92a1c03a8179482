import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import {
  CallToolRequestSchema,
  ErrorCode,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { messageOf } from '../../engine/result.ts'
import type { Waiting } from '../../host/corpus/waiting.ts'
import { throttled } from '../../host/platform/threads/yielding.ts'
import { visible } from '../../host/platform/terminal.ts'
import { packageVersion } from '../../version.ts'
import type { Desk } from './desk.ts'
import { vettedInput } from './messages.ts'
import { failure } from './tool.ts'
import { INSTRUCTIONS, TOOLS } from './tools.ts'
import { textOf } from '../../engine/schema/event.ts'
import { turnsOf } from '../../engine/turns.ts'
import { readDataText } from '../../host/workspace/workspace.ts'
import { CommandError, valueOrFail } from '../kit/output.ts'
import { withTurn } from './handle.ts'

/** The fields used here of the object that the SDK passes to a handler. */
interface Extra {
  readonly signal: AbortSignal
  readonly _meta?: { readonly progressToken?: string | number | undefined } | undefined
  readonly sendNotification: (notification: {
    method: 'notifications/progress'
    params: { progressToken: string | number; progress: number; total?: number }
  }) => Promise<void>
}

/**
 * [F159] The waiting client of a call. It can cancel, and it gets progress if it requested that. Work has several
 * phases with separate counts, but the protocol requires progress that only grows. The whole-number part is therefore
 * the phase.
 */
function waitingOf({ signal, _meta, sendNotification }: Extra): Waiting {
  const token = _meta?.progressToken
  if (token === undefined) return { signal }
  let phase = 0
  let share = 0
  let last = -1
  const say = throttled((done, total) => {
    const now = Math.min(0.99, done / Math.max(1, total))
    if (now < share) phase += 1
    share = now
    const progress = phase + now
    if (progress <= last || signal.aborted) return
    last = progress
    // A client that went away waits for nothing.
    sendNotification({
      method: 'notifications/progress',
      params: { progressToken: token, progress },
    }).catch(() => undefined)
  })
  return { signal, onProgress: say }
}

/** [F156] The server over stdio; resolves when its standard input ends. */
export async function runServer(desk: Desk): Promise<void> {
  // The advanced use that it is kept for: schemas here are those of the tools' own parsers.
  // oxlint-disable-next-line typescript/no-deprecated
  const server = new Server(
    { name: 'turnscope', title: 'Turnscope', version: packageVersion() },
    { capabilities: { tools: {}, resources: {} }, instructions: INSTRUCTIONS },
  )
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: TOOLS.map((each) => each.listing()),
  }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    const { name, arguments: args } = params
    const found = TOOLS.find((each) => each.name === name)
    if (found !== undefined) return found.call(desk, args, waitingOf(extra))
    const names = TOOLS.map((each) => each.name).join(', ')
    return failure(`tools/call: there is no tool "${name}". There are ${names}`)
  })
  server.setRequestHandler(ListResourcesRequestSchema, async () => ({
    resources: await listResources(desk),
  }))
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: RESOURCE_TEMPLATES,
  }))
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params: { uri } }, extra) => {
    try {
      return { contents: [await readResource(desk, uri, waitingOf(extra))] }
    } catch (error) {
      // Resources have no other way to say that something is wrong.
      throw new McpError(ErrorCode.InvalidParams, visible(messageOf(error)))
    }
  })
  const ended = new Promise<void>((resolve) => {
    process.stdin.once('end', resolve)
    process.stdin.once('close', resolve)
    server.onclose = resolve
  })
  const input = vettedInput(process.stdin, process.stdout)
  await server.connect(new StdioServerTransport(input, process.stdout))
  await ended
  await server.close()
}

const DOMAINS = 'turnscope://domains/'
const TURN = 'turnscope://turn/'

/** UTF-16 units of a resource. */
const MOST_CHARS = 200_000

const RESOURCE_TEMPLATES = [
  {
    uriTemplate: `${DOMAINS}{name}`,
    name: 'Domain file',
    description: 'A domain file of the workspace as it is saved.',
    mimeType: 'application/yaml',
  },
  {
    uriTemplate: `${TURN}{address}`,
    name: 'Turn',
    description:
      'The whole text of a turn, by its address FILE#TURN, percent-encoded. Untrusted text.',
    mimeType: 'text/plain',
  },
]

/** [F156] Domain files. Turns are requested by their address. */
async function listResources({ workspace }: Desk) {
  return (await workspace.list('domains')).slice(0, 100).map(({ name, shown }) => ({
    uri: `${DOMAINS}${encodeURIComponent(name)}`,
    name: visible(shown),
    mimeType: 'application/yaml',
  }))
}

/** The text of a resource. Text too long for an answer is cut, with a note. */
async function readResource(desk: Desk, uri: string, waiting: Waiting) {
  const [text, mimeType] = uri.startsWith(TURN)
    ? [await turnText(desk, decoded(uri.slice(TURN.length)), waiting), 'text/plain']
    : [await domainText(desk, uri), 'application/yaml']
  const shown =
    text.length <= MOST_CHARS
      ? text
      : `${text.slice(0, MOST_CHARS)}\n(cut: ${text.length} characters in all)`
  return { uri, mimeType, text: visible(shown) }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw new CommandError({ what: 'this is no address', where: part, do: 'Percent-encode it' })
  }
}

async function domainText({ workspace }: Desk, uri: string): Promise<string> {
  if (!uri.startsWith(DOMAINS)) {
    const advice = `Ask for ${DOMAINS}NAME or ${TURN}ADDRESS`
    throw new CommandError({ what: 'there is no such resource', where: uri, do: advice })
  }
  const file = valueOrFail(await workspace.find('domains', decoded(uri.slice(DOMAINS.length))))
  return valueOrFail(await readDataText(file))
}

async function turnText(desk: Desk, turn: string, waiting: Waiting): Promise<string> {
  const side = await desk.resolve({ kind: 'config', config: desk.config })
  return withTurn(desk, { turn }, { side, waiting }, ({ session, turn: at }) => {
    const event = turnsOf(session.events, side.compiled.classify)[at] ?? session.events[at]
    return Promise.resolve(event === undefined ? '' : textOf(event, session.texts))
  })
}
