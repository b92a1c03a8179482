import type { CompiledSignal, MatcherOptions } from '../../engine/matcher/signal.ts'
import type { DomainFile } from '../../engine/schema/domain.ts'
import type { ParsedStore } from './parsed.ts'
import type { PatternStore } from './patterns.ts'
import type { AutomataStore } from './store.ts'

/** Delay in ms before learned states are written: right after a replay its window sends many requests. */
const REST_MS = 1000

/** The results that this thread or command keeps between starts. */
interface WorkedOut {
  readonly automata: AutomataStore
  readonly patterns: PatternStore
  readonly parsed: ParsedStore
}

let current: WorkedOut | null = null
const waiting = new Set<readonly CompiledSignal[]>()
let timer: NodeJS.Timeout | null = null

/**
 * [C14] Sets the source of this thread's automata; its entry calls this once. Automata serve all lists of a thread
 * (C12), so there is one source. An exported page has none; null removes the source.
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

/**
 * Called after texts were scanned with the list. Writes the learned states after a short delay, if they are worth it.
 */
export function keepAutomaton(signals: readonly CompiledSignal[]): void {
  if (current === null) return
  waiting.add(signals)
  timer ??= setTimeout(flushAutomata, REST_MS).unref()
}

/** The same immediately, because a command is about to end. */
export function flushAutomata(): void {
  if (timer !== null) clearTimeout(timer)
  timer = null
  for (const signals of waiting) current?.automata.keep(signals)
  waiting.clear()
  current?.patterns.keep()
}
