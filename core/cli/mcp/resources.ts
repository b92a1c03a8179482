import { textOf } from '../../engine/schema/event.ts'
import { turnsOf } from '../../engine/turns.ts'
import { readDataText } from '../../host/workspace/workspace.ts'
import { visible } from '../../host/platform/terminal.ts'
import { CommandError, valueOrFail } from '../kit/output.ts'
import type { Desk } from './desk.ts'
import { withTurn } from './handle.ts'
import type { Waiting } from '../../host/corpus/waiting.ts'

const DOMAINS = 'turnscope://domains/'
const TURN = 'turnscope://turn/'

/** UTF-16 units of a resource. */
const MOST_CHARS = 200_000

export const RESOURCE_TEMPLATES = [
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

/** [F156] Domain files; turns are asked for by their address. */
export async function listResources({ workspace }: Desk) {
  return (await workspace.list('domains')).slice(0, 100).map(({ name, shown }) => ({
    uri: `${DOMAINS}${encodeURIComponent(name)}`,
    ...{ name: visible(shown), mimeType: 'application/yaml' },
  }))
}

/** The text of a resource; what is too long for an answer is cut, and says so. */
export async function readResource(desk: Desk, uri: string, waiting: Waiting) {
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
