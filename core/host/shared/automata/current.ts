import type { CompiledSignal } from '../../../engine/matcher/signal.ts'
import type { AutomataStore } from './store.ts'

/** After a replay its window asks for much: what was learned is written when that is answered. */
const REST_MS = 1000

let current: AutomataStore | null = null
const waiting = new Set<readonly CompiledSignal[]>()
let timer: NodeJS.Timeout | null = null

/**
 * [C14] Where this thread's automata come from, set once by its entry. Automata serve all lists of a thread
 * (C12), so that there is one place for them. An exported page has none.
 */
export function useAutomata(store: AutomataStore): void {
  current = store
}

/** See `AutomataStore.offer`. */
export function offerAutomaton(signals: readonly CompiledSignal[]): void {
  current?.offer(signals)
}

/** Texts were scanned with the list: a little later, what was learned is kept if it is worth it. */
export function keepAutomaton(signals: readonly CompiledSignal[]): void {
  if (current === null) return
  waiting.add(signals)
  timer ??= setTimeout(flushAutomata, REST_MS).unref()
}

/** The same at once: a command is about to end. */
export function flushAutomata(): void {
  if (timer !== null) clearTimeout(timer)
  timer = null
  for (const signals of waiting) current?.keep(signals)
  waiting.clear()
}
