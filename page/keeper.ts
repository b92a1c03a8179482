// The worker that the host runs in, and who looks after it: a pattern that never ends holds up a whole thread,
// and only from outside can that thread be ended.

export interface Facts {
  readonly version: string
  readonly preset: string
  readonly link: string
  readonly about: readonly string[]
  readonly lacks: readonly string[]
}

type Listener = (message: unknown) => void

/** The pipe to the host. A restarted host is a different host, so the window connects again. */
interface Pipe {
  readonly post: (message: unknown) => void
  readonly onMessage: (listener: Listener) => void
  /** The host does not answer any more and is ended. */
  readonly onGone: (listener: () => void) => void
  /** Another host is there. */
  readonly onAgain: (listener: () => void) => void
}

interface Keeping {
  readonly facts: Facts
  /** Program of the worker. */
  readonly program: string
  /** Current files of the page: path → text as JSON. */
  readonly files: () => string
  /** A file of the page's workspace that was written (null: taken away). */
  readonly onFile: (path: string, text: string | null) => void
  /** The host could not be kept alive. */
  readonly onDead: () => void
}

const TICK_MS = 1000
/** Ticks without an answer that end the host. Counted instead of time, because timers stop during sleep. */
const PATIENCE = 12
/** Maximum restarts of hosts that hung without a user-written text to blame. */
const MOST = 2

/** Starts a host. Resolves to the pipe once it listens. */
export async function keepHost(keeping: Keeping): Promise<Pipe> {
  const blame = createBlame()
  const gone: Array<() => void> = []
  const again: Array<() => void> = []
  let listeners: Listener[] = []
  let innocent = 0
  const tell = (message: unknown) => {
    blame.answered(message)
    for (const listener of listeners) listener(message)
  }
  let host = await startHost(keeping, tell, lost)

  function lost(): void {
    host.end()
    if (!blame.gone()) innocent += 1
    for (const each of gone) each()
    listeners = []
    if (innocent > MOST) keeping.onDead()
    else startAgain().catch(keeping.onDead)
  }

  async function startAgain(): Promise<void> {
    host = await startHost(keeping, tell, lost)
    for (const each of again) each()
  }

  return {
    post: (message) => {
      if (blame.mayPass(message)) host.post(message)
      else queueMicrotask(() => tell(refused(message)))
    },
    onMessage: (listener) => listeners.push(listener),
    onGone: (listener) => gone.push(listener),
    onAgain: (listener) => again.push(listener),
  }
}

interface RunningHost {
  readonly post: (message: unknown) => void
  readonly end: () => void
}

function startHost(
  { facts, program, files, onFile }: Keeping,
  tell: Listener,
  lost: () => void,
): Promise<RunningHost> {
  const worker = new Worker(program)
  const { port1: own, port2 } = new MessageChannel()
  let unanswered = 0
  // A host that loads is not watched: no call holds it up yet, and a slow machine needs as long as it needs.
  let timer: ReturnType<typeof setInterval> | undefined
  const watch = () => {
    timer = setInterval(() => {
      unanswered += 1
      if (unanswered > PATIENCE) lost()
      else own.postMessage('there?')
    }, TICK_MS)
  }
  own.onmessage = ({ data }: MessageEvent<'here' | readonly [string, string | null]>) => {
    unanswered = 0
    if (data !== 'here') onFile(...data)
  }
  const end = () => {
    clearInterval(timer)
    worker.terminate()
    own.close()
  }
  return new Promise((resolve, reject) => {
    worker.onerror = (event) => reject(new Error(`the host did not start: ${event.message}`))
    worker.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (data === 'ready') {
        watch()
        resolve({ post: (message) => worker.postMessage(message), end })
      } else tell(data)
    }
    worker.postMessage({ ...facts, files: files() }, [port2])
  })
}

// Fields of a call with text that the operator wrote: patterns, and texts that contain patterns. If the host stops
// responding, one of these is the cause. Session keys and preset names are not.

const WRITTEN = new Set(['domainsText', 'query', 'pattern'])

/** The operator's texts in the input of a call. */
function writtenIn(value: unknown, into = new Set<string>()): ReadonlySet<string> {
  if (typeof value !== 'object' || value === null) return into
  for (const [name, field] of Object.entries(value) as ReadonlyArray<readonly [string, unknown]>) {
    if (typeof field === 'string' && WRITTEN.has(name)) into.add(field)
    else writtenIn(field, into)
  }
  return into
}

/** A message of the wire, as far as it is looked at here. */
interface Message {
  readonly id?: unknown
  readonly t?: unknown
  readonly p?: unknown
}

const ENDS = new Set<unknown>(['ok', 'err', 'cancel'])

/** [U128] Calls under way, and the texts whose calls the host has not survived. */
function createBlame() {
  const open = new Map<unknown, ReadonlySet<string>>()
  const blamed = new Set<string>()
  return {
    /** Whether a message of the window may go to the host. */
    mayPass: (message: unknown): boolean => {
      const { id, t, p } = (message ?? {}) as Message
      if (t === 'open') {
        const written = writtenIn(p)
        if ([...written].some((each) => blamed.has(each))) return false
        open.set(id, written)
      } else if (ENDS.has(t)) open.delete(id)
      return true
    },
    /** A message of the host. */
    answered: (message: unknown): void => {
      const { id, t } = (message ?? {}) as Message
      if (ENDS.has(t)) open.delete(id)
    },
    /** The host is gone; whether there is a text to blame. */
    gone: (): boolean => {
      for (const written of open.values()) for (const each of written) blamed.add(each)
      const found = [...open.values()].some(({ size }) => size > 0)
      open.clear()
      return found
    },
  }
}

/** The answer to a call that carries a blamed text. */
function refused(message: unknown): object {
  return {
    id: (message as Message).id,
    t: 'err',
    e: {
      code: 'REFUSED',
      message: 'a pattern in this text ran without end, so the page restarted its host',
      where: 'this page',
      do: 'Change the pattern: the same text is refused',
    },
  }
}
