import { classifyQuery } from '../../../engine/query/classify.ts'
import type { HandlersOf } from '../../../wire/rpc.ts'
import { refusal, valueOrRefuse } from '../../platform/threads/refusal.ts'
import { messagesOf } from '../../turns/session/messages.ts'
import { createBreath } from '../../platform/threads/yielding.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import type { SessionContract } from '../../../wire/threads.ts'
import type { SessionService } from '../../sessions/session/service.ts'
import { refuseTextless } from '../../replay/session/textless.ts'

/** UTF-16 units of a message that the probe is given. */
const MOST_CHARS = 200_000
/** UTF-16 units per batch. */
const BATCH = 256 * 1024

/** Supplies the probe with user messages, from the thread that owns a session. */
export function createProbeHandlers(
  service: SessionService,
  workspace: Workspace,
): HandlersOf<SessionContract, 'probe'> {
  return {
    'probe.messages': async function* ({ to, ...address }, { signal }) {
      const session = service.session(address)
      refuseTextless(session, 'the probe')
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
      const message = messagesOf(service.session(address), seq + 1).at(-1)
      if (message === undefined) {
        const what = `event ${seq} is no message of a person`
        throw refusal({ what, where: 'this session', do: 'Choose another event' })
      }
      const classification = classifyQuery(message.text, message.previous, value.query)
      return { classification }
    },
  }
}
