import { type AsyncData, failed, idle, loading, ready, valueOf } from '../../app/async-data.ts'
import { failureOf, host, wasCancelled } from '../../app/host.ts'
import { nearestResponse, queryAt } from './answer-selectors.ts'
import {
  type SessionState,
  type ShownPrompt,
  type ShownResponse,
  patchSession,
  patchView,
  runKey,
  store,
} from '../../app/store.ts'
import { wireConfig } from '../../app/wire.ts'

const KEEP = 60
let asking: AbortController | null = null

/** Reads self-signals and queries of the session in view, once per configuration. */
export async function loadOracle(): Promise<void> {
  const { document, session, view } = store.getState()
  const opened = valueOf(document.opened)
  const configKey = runKey(view.run)
  if (!opened) return
  const events = valueOf(session.events)?.kind.length ?? 0
  const known = session.oracle.status === 'ready' ? session.oracle.value : null
  if (known?.configKey === configKey && known.events === events) return
  patchSession({ oracle: loading(session.oracle) })
  const isCurrent = () => {
    const now = store.getState()
    return (
      valueOf(now.document.opened)?.key === opened.key &&
      now.session.index === session.index &&
      runKey(now.view.run) === configKey
    )
  }
  try {
    const answer = await host().call('session.answers', {
      key: opened.key,
      session: session.index,
      config: wireConfig(view.run),
    })
    if (!isCurrent()) return
    patchSession({ oracle: ready({ ...answer, configKey, events }) })
    refreshOracle()
  } catch (error) {
    if (!isCurrent()) return
    patchSession({ oracle: failed(failureOf(error, opened.name), session.oracle) })
  }
}

/** Fetches the response or the prompt that the open tab shows for the selection. */
export function refreshOracle(): void {
  asking?.abort()
  const { session, view } = store.getState()
  const oracle = valueOf(session.oracle)
  if (view.selected === null || !oracle) return
  const controller = new AbortController()
  asking = controller
  if (view.tab === 'signals') {
    const nearest = nearestResponse(oracle.responses.seq, view.selected)
    if (nearest) void fetchResponse(nearest.seq, controller.signal)
    else patchSession({ response: idle })
  } else if (view.tab === 'prompt' || view.tab === 'budget') {
    const seq = queryAt(oracle.queries.seq, view.selected)
    if (seq === null) patchSession({ prompt: idle })
    else void fetchPrompt(seq, controller.signal)
  }
}

const responses = new Map<string, ShownResponse>()
const prompts = new Map<string, ShownPrompt>()

async function fetchResponse(seq: number, signal: AbortSignal): Promise<void> {
  const { document, session, view } = store.getState()
  const opened = valueOf(document.opened)
  if (!opened) return
  const request = { key: opened.key, session: session.index, seq, config: wireConfig(view.run) }
  await fetchInto('response', responses, JSON.stringify(request), {
    signal,
    where: 'This response',
    ask: async () => ({ seq, ...(await host().call('session.response', request, signal)) }),
  })
}

async function fetchPrompt(seq: number, signal: AbortSignal): Promise<void> {
  const { document, session, view } = store.getState()
  const opened = valueOf(document.opened)
  if (!opened) return
  const compare = view.compare && wireConfig(view.compare)
  const request = {
    key: opened.key,
    session: session.index,
    seq,
    config: wireConfig(view.run),
    compare,
    probe: view.probeInPrompt,
  }
  await fetchInto('prompt', prompts, JSON.stringify(request), {
    signal,
    where: 'The prompt of this message',
    ask: async () => ({ seq, ...(await host().call('session.prompt', request, signal)) }),
  })
}

/** Composes prompts with or without what the probe found. */
export function chooseProbeInPrompt(on: boolean): void {
  patchView({ probeInPrompt: on })
  refreshOracle()
}

/** The file was replaced: what was read in it is nobody's. */
export function forgetAnswers(): void {
  responses.clear()
  prompts.clear()
}

interface Question<T> {
  readonly signal: AbortSignal
  readonly where: string
  readonly ask: () => Promise<T>
}

/** Shows what is known already, else asks; an answer to an old question is dropped. */
async function fetchInto<Field extends 'response' | 'prompt'>(
  field: Field,
  known: Map<string, Answer<Field>>,
  key: string,
  { signal, where, ask }: Question<Answer<Field>>,
): Promise<void> {
  const put = (data: AsyncData<Answer<Field>>) => {
    if (!signal.aborted) patchSession({ [field]: data })
  }
  const old = known.get(key)
  if (old) {
    put(ready(old))
    return
  }
  put(loading(store.getState().session[field] as AsyncData<Answer<Field>>)) // the field says which
  try {
    const answer = await ask()
    known.set(key, answer)
    for (const oldest of known.keys()) {
      if (known.size <= KEEP) break
      known.delete(oldest)
    }
    put(ready(answer))
  } catch (error) {
    if (!wasCancelled(error)) put(failed(failureOf(error, where)))
  }
}

type Answer<Field extends 'response' | 'prompt'> =
  SessionState[Field] extends AsyncData<infer Value> ? Value : never
