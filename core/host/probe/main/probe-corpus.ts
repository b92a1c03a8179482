import type { TurnscopeContract } from '../../../wire/contract.ts'
import type { Input, Output } from '../../../wire/rpc.ts'
import { addHitRates, noHitRate } from '../../../engine/probe/hit-rate.ts'
import type { HitRate } from '../../../engine/schema/hit-rate.ts'
import type { LabPart } from '../../corpus/main/lab-handlers.ts'
import type { StateStore } from '../../settings/main/state-store.ts'
import type { ProbeThread } from '../../threads/main/threads.ts'

interface Around {
  readonly lab: Pick<LabPart, 'link' | 'isSample'>
  readonly thread: ProbeThread
  readonly state: StateStore
}

/** [D71] Probes session after session: the lab's thread has the texts, and the probe's thread counts the hits. */
export async function* probeCorpus(
  { lab, thread, state }: Around,
  { corpus, preset }: Input<TurnscopeContract, 'probe.corpus'>,
  signal: AbortSignal,
): AsyncGenerator<Output<TurnscopeContract, 'probe.corpus'>, void> {
  const { probe: settings } = await state.settings()
  const samples = settings.samples === true || lab.isSample(corpus)
  const sessions: Array<{ name: string; rate: HitRate }> = []
  for await (const { name, messages, ...of } of lab
    .link(corpus)
    .stream('lab.messages', { corpus }, signal)) {
    const asked = { settings, preset, messages: [...messages], samples }
    const { rate } = await thread.link().call('probe.rate', asked, signal)
    sessions.push({ name, rate })
    yield { kind: 'progress', phase: 'probing', done: sessions.length, total: of.sessions }
  }
  const total = sessions.reduce((sum, { rate }) => addHitRates(sum, rate), noHitRate)
  yield { kind: 'rates', sessions, total }
}
