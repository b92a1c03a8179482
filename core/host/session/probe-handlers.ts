import { classifyQuery } from '../../engine/query/classify.ts'
import type { Handlers } from '../../wire/rpc.ts'
import { valueOrRefuse } from '../shared/value-or-refuse.ts'
import { refusal } from '../shared/names.ts'
import { messagesOf } from './messages.ts'
import { createBreath } from '../shared/yielding.ts'
import type { Workspace } from '../files/workspace.ts'
import type { WorkerContract } from './contract.ts'
import type { Desk } from './service.ts'

/** UTF-16 units of a message that the probe is given. */
const MOST_CHARS = 200_000
/** UTF-16 units handed over at once. */
const BATCH = 256 * 1024

/** What the probe needs of the thread that owns a session: what persons wrote. */
export function createProbeHandlers(
  desk: Desk,
  workspace: Workspace,
): Pick<Handlers<WorkerContract>, 'probe.messages' | 'probe.query'> {
  return {
    'probe.messages': async function* ({ to, ...address }, { signal }) {
      const session = desk.session(address)
      const breath = createBreath(signal)
      let batch: Array<{ seq: number; text: string }> = []
      let size = 0
      for (const message of messagesOf(session, to === null ? undefined : to + 1)) {
        const text = message.text.slice(0, MOST_CHARS)
        batch.push({ seq: message.seq, text })
        size += text.length
        if (size < BATCH) continue
        yield { messages: batch }
        batch = []
        size = 0
        await breath()
      }
      yield { messages: batch }
    },
    'probe.query': async ({ seq, preset, ...address }) => {
      const { value } = valueOrRefuse(await workspace.preset(preset))
      const message = messagesOf(desk.session(address), seq + 1).at(-1)
      if (message === undefined) {
        const what = `event ${seq} is no message of a person`
        throw refusal({ what, where: 'this session', do: 'Choose another event' })
      }
      const classification = classifyQuery(message.text, message.previous, value.query)
      return { classification }
    },
  }
}
