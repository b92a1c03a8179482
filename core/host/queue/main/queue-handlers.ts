import { messageOf } from '../../../engine/result.ts'
import type { TurnscopeContract } from '../../../wire/contract.ts'
import type { Input, Output } from '../../../wire/rpc.ts'
import type { MainHandlersOf } from '../../threads/main/handlers.ts'
import type { LabPart } from '../../corpus/main/lab-handlers.ts'
import type { StateStore } from '../../settings/main/state-store.ts'
import type { ProbeThread } from '../../threads/main/threads.ts'

interface Around {
  readonly lab: Pick<LabPart, 'link'>
  readonly thread: ProbeThread
  readonly state: StateStore
}

type About = Pick<Input<TurnscopeContract, 'queue.turns'>, 'corpus' | 'side'>
type Progress = Extract<Output<TurnscopeContract, 'queue.turns'>, { readonly kind: 'progress' }>

/** Texts embedded between two reports: about half a second. */
const PORTION = 32

/** [L80] The lab's thread has the texts, the probe's thread the sentence model; the main process carries. */
export function createQueueHandlers(around: Around): MainHandlersOf<'queue'> {
  return {
    'queue.propose': async function* (input, { signal }) {
      // Texts that cannot be embedded are judged by labels alone; `expected` of each proposal reports this.
      yield* embedOrSay(around, input, signal)
      yield* around.lab.link(input.corpus).stream('queue.propose', input, signal)
    },
    'queue.weights': async function* (input, { signal }) {
      yield* around.lab.link(input.corpus).stream('queue.weights', input, signal)
    },
    'queue.turns': async function* (input, { signal }) {
      const note = yield* embedOrSay(around, input, signal)
      yield* around.lab.link(input.corpus).stream('queue.turns', { ...input, note }, signal)
    },
  }
}

/** Null, or why there is no second opinion: the rules alone do, and it is said. */
async function* embedOrSay(
  around: Around,
  about: About,
  signal: AbortSignal,
): AsyncGenerator<Progress, string | null> {
  try {
    yield* embed(around, about, signal)
    return null
  } catch (error) {
    signal.throwIfAborted()
    return `no second opinion: ${messageOf(error)}`
  }
}

async function* embed(
  { lab, thread, state }: Around,
  { corpus, side }: About,
  signal: AbortSignal,
): AsyncGenerator<Progress, void> {
  const link = lab.link(corpus)
  const { turns, texts } = await link.call('queue.texts', { corpus, side }, signal)
  const { probe: settings } = await state.settings()
  for (let from = 0; from < turns.length; from += PORTION) {
    yield { kind: 'progress', phase: 'embedding', done: from, total: turns.length }
    const asked = { settings, texts: texts.slice(from, from + PORTION) }
    const vectors = await thread.link().call('probe.embed', asked, signal)
    const of = turns.slice(from, from + PORTION)
    await link.call('queue.vectors', { corpus, turns: of, ...vectors }, signal)
  }
}
