import type { CompiledSignal, MatcherOptions } from '../../engine/matcher/signal.ts'
import type { DomainFile } from '../../engine/schema/domain.ts'
import type { ParsedStore } from './parsed.ts'
import type { PatternStore } from './patterns.ts'
import type { AutomataStore } from './store.ts'

/** After a replay its window asks for much: what was learned is written when that is answered. */
const REST_MS = 1000

/** What this thread, or this command, keeps from one start to the next. */
interface WorkedOut {
  readonly automata: AutomataStore
  readonly patterns: PatternStore
  readonly parsed: ParsedStore
}

let current: WorkedOut | null = null
const waiting = new Set<readonly CompiledSignal[]>()
let timer: NodeJS.Timeout | null = null

/**
 * [C14] Where this thread's automata come from, set once by its entry. Automata serve all lists of a thread
 * (C12), so that there is one place for them. An exported page has none; null takes them away.
 */
export function useAutomata(kept: WorkedOut | null): void {
  current = kept
}

/** [C23] See `PatternStore.offer`. */
export function offerPatterns(file: DomainFile, options: MatcherOptions): void {
  current?.patterns.offer(file, options)
}

/** [C23] See `ParsedStore`. */
export const parsedBefore: ParsedStore = {
  read: (of) => current?.parsed.read(of),
  keep: (of, value) => current?.parsed.keep(of, value),
}

/** See `AutomataStore.offer`. */
export function offerAutomaton(signals: readonly CompiledSignal[]): void {
  current?.automata.offer(signals)
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
  for (const signals of waiting) current?.automata.keep(signals)
  waiting.clear()
  current?.patterns.keep()
}
