import { messageOf } from '../../../engine/result.ts'
import { NOTHING_RECEIVED, type ReceiverStatus } from '../../../wire/receiver.ts'
import { cannotStart, faultOf } from '../cannot-start.ts'
import { environmentOf } from '../environment.ts'
import { type ReceiverThread, startReceiverThread } from '../thread.ts'
import { receiverToken } from '../token.ts'
import { refusal } from '../../platform/threads/refusal.ts'

/** How a receiver is to listen. */
export interface Receive {
  /** 0 = any free one. */
  readonly port: number
  /** [F148] Take what comes without a token. */
  readonly isOpen: boolean
}

/** Traces and logs of running programs, for all windows of a host. */
export interface ReceiverPart {
  readonly status: () => ReceiverStatus
  /** Listens; one that listens already is left as it is. */
  readonly start: (how: Receive) => Promise<ReceiverStatus>
  readonly stop: () => Promise<void>
}

interface Around {
  /** Entry of the thread that receives; null where there is none. */
  readonly url: URL | null
  /** As `liveFolder` gives it. */
  readonly folder: string | null
  /** [F168] One line on the log. */
  readonly say: (line: string) => void
}

interface Listening {
  readonly thread: ReceiverThread
  readonly url: string
  readonly token: string | null
}

/** [F147] A receiver that is off until somebody starts it. */
export function createReceiverPart({ url, folder, say }: Around): ReceiverPart {
  let running: Promise<Listening> | null = null
  let listening: Listening | null = null
  let problem: string | null = null

  const listen = async ({ port, isOpen }: Receive): Promise<Listening> => {
    if (url === null || folder === null) throw cannot()
    const token = isOpen
      ? null
      : await receiverToken(folder).catch((error: unknown) => {
          throw refusal(cannotStart(faultOf(error), { port, folder }))
        })
    const thread = await startReceiverThread(
      { url, folder, port, token },
      {
        onEnd: (why) => {
          if (listening?.thread !== thread) return
          ;[running, listening, problem] = [null, null, why]
        },
        onTrouble: (why) => say(`Live sessions: ${why}`),
      },
    )
    return { thread, token, url: `http://127.0.0.1:${thread.port}` }
  }
  const status = (): ReceiverStatus => ({
    can: url !== null && folder !== null,
    url: listening?.url ?? null,
    isOpen: listening?.token === null,
    environment: listening === null ? [] : environmentOf(listening.url, listening.token),
    counts: listening?.thread.counts() ?? NOTHING_RECEIVED,
    problem,
  })

  return {
    status,
    async start(how) {
      problem = null
      running ??= listen(how)
      try {
        listening = await running
      } catch (error) {
        running = null
        problem = messageOf(error)
        throw error
      }
      return status()
    },
    async stop() {
      const last = await running?.catch(() => null)
      ;[running, listening, problem] = [null, null, null]
      await last?.thread.close()
    },
  }
}

function cannot() {
  return refusal({
    what: 'this program has no thread that receives, or this account no folder for what comes',
    where: 'this host',
    do: 'Run turnscope serve --otlp, with HOME or XDG_STATE_HOME set',
  })
}
