import { createLru } from '../../../engine/lru.ts'
import { identityOf } from '../../../engine/matcher/identity.ts'
import type { CompiledSignal } from '../../../engine/matcher/signal.ts'
import { type SignalReach, reachSignal } from '../../../engine/reach/signal-reach.ts'
import { createTimeLimit, watchText } from '../../platform/guard/guard.ts'
import { kept } from '../../platform/kept.ts'

/** Signals of several drafts of a large file. */
const KEPT = 5000

/** Whether each signal can be reached; equal signals are asked once, so that an edit asks one. */
export function createReach(): (signal: CompiledSignal) => SignalReach {
  const known = createLru<string, SignalReach>(KEPT)
  const { guard } = watchText(createTimeLimit(), () => 0)
  return (signal) => kept(known, identityOf(signal), () => reachSignal(signal, guard))
}
