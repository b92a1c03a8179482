import { messageOf } from '../../../engine/result.ts'
import { NOTHING_RECEIVED, type ReceiverStatus, ReceiverCounts } from '../../../wire/receiver.ts'
import { cannotStart, faultOf, Fault } from '../cannot-start.ts'
import { refusal } from '../../platform/threads/refusal.ts'
import { Worker } from 'node:worker_threads'
import { z } from 'zod'
import { randomBytes } from 'node:crypto'
import { mkdir } from '../../platform/files/fenced-fs.ts'
import { join } from 'node:path'
import { writeFileAtomic } from '../../platform/files/atomic-file.ts'
import { textIfThere } from '../../platform/files/regular-file.ts'
import { TOKEN_HEADER } from '../guard.ts'

/** Settings of a receiver that is to listen. */
export interface Receive {
  /** 0 = any free one. */
  readonly port: number
  /** [F148] Accept requests without a token. */
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
  /** Entry of the receiver's thread; null if there is none. */
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

/** [F147] A receiver that is off until it is started. */
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

interface Given {
  /** Entry of the thread: `core/host/receiver/main.ts`, or its bundle. */
  readonly url: URL
  /** As `liveFolder` gives it. */
  readonly folder: string
  /** 0 = any free one. */
  readonly port: number
  readonly token: string | null
}

interface Told {
  /** It is gone, and why. */
  readonly onEnd: (why: string) => void
  /** [F168] Called with the reason that the disk accepts no data, once for each reason. */
  readonly onTrouble: (why: string) => void
}

/** A receiver in a separate thread. */
interface ReceiverThread {
  readonly port: number
  readonly counts: () => ReceiverCounts
  readonly close: () => Promise<void>
}

const Said = z.union([
  z.object({ port: z.int() }),
  z.object({ counts: ReceiverCounts }),
  z.object({ trouble: z.string() }),
  Fault,
])

/** Heap of the thread in MiB: a body that holds more than it should ends the thread, not the windows. */
const HEAP_MIB = 1536

/** [F147] Starts the receiver's thread. Rejects if it cannot listen. */
async function startReceiverThread(
  { url, ...workerData }: Given,
  { onEnd, onTrouble }: Told,
): Promise<ReceiverThread> {
  const worker = new Worker(url, {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB },
  })
  let counts: ReceiverCounts = NOTHING_RECEIVED
  let fault = 'the receiver ended'
  const port = await new Promise<number>((resolve, reject) => {
    worker.on('error', (error) => {
      fault = `the receiver ended by a fault (${error instanceof Error ? error.message : ''})`
      reject(error instanceof Error ? error : new Error(fault))
    })
    worker.on('message', (message) => {
      const said = Said.safeParse(message)
      if (!said.success) return
      if ('port' in said.data) resolve(said.data.port)
      else if ('counts' in said.data) ({ counts } = said.data)
      else if ('trouble' in said.data) onTrouble(said.data.trouble)
      else reject(refusal(cannotStart(said.data, workerData)))
    })
  })
  worker.once('exit', () => onEnd(fault))
  return {
    port,
    counts: () => counts,
    close: () =>
      new Promise((resolve) => {
        worker.once('exit', () => resolve())
        worker.postMessage('close')
      }),
  }
}

const TOKEN = /^[\w-]{32}$/

/**
 * [F155] The token of this account, created on first use. It never changes, so the environments of sending programs
 * stay valid. It is stored in an owner-only file.
 * @param folder as `liveFolder` gives it
 */
async function receiverToken(folder: string): Promise<string> {
  const path = join(folder, 'otlp-token')
  const kept = await textIfThere(path)
  const before = kept?.ok === true ? kept.value.trim() : ''
  if (TOKEN.test(before)) return before
  const token = randomBytes(24).toString('base64url')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await writeFileAtomic(path, `${token}\n`, { isPrivate: true })
  return token
}

/** [F147] Environment variables that a sending program needs, by program. */
function environmentOf(url: string, token: string | null): ReceiverStatus['environment'] {
  const all = [
    `OTEL_EXPORTER_OTLP_ENDPOINT=${url}`,
    'OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf',
    ...(token === null ? [] : [`OTEL_EXPORTER_OTLP_HEADERS=${TOKEN_HEADER}=${token}`]),
  ]
  return [
    { of: 'Any program', lines: all },
    {
      of: 'Claude Code',
      lines: [
        'CLAUDE_CODE_ENABLE_TELEMETRY=1',
        'OTEL_LOGS_EXPORTER=otlp',
        ...all,
        // Without them there are no words, only that something was said.
        'OTEL_LOG_USER_PROMPTS=1',
        'OTEL_LOG_TOOL_DETAILS=1',
      ],
    },
  ]
}
