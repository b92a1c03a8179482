import type { CompiledDomain } from '../../../engine/matcher/domains.ts'
import type { DomainEntry, DomainFile, SignalEntry } from '../../../engine/schema/domain.ts'
import type { ListedSignal } from '../../../engine/schema/lab.ts'
import type { DomainText } from './text-places.ts'
import { createLru } from '../../../engine/lru.ts'
import { identityOf } from '../../../engine/matcher/identity.ts'
import type { CompiledSignal } from '../../../engine/matcher/signal.ts'
import { type SignalReach, reachSignal } from '../../../engine/reach/signal-reach.ts'
import { createTimeLimit, watchText } from '../../platform/guard/guard.ts'
import { getOrMake } from '../../platform/get-or-make.ts'

/** Signals of several drafts of a large file. */
const KEPT = 5000

/** Whether each signal can be reached; equal signals are asked once, so that an edit asks one. */
function createReach(): (signal: CompiledSignal) => SignalReach {
  const known = createLru<string, SignalReach>(KEPT)
  const { guard } = watchText(createTimeLimit(), () => 0)
  return (signal) => getOrMake(known, identityOf(signal), () => reachSignal(signal, guard))
}

/** The file as it is saved, and when each of its lines was last committed. */
export interface SavedText {
  readonly text: DomainText
  /** Epoch milliseconds by line, from 0. Null if not requested, or if there is no repository. */
  readonly times: ReadonlyArray<number | null> | null
}

/** One cache for all lists, because the reach of a signal depends only on the signal. */
const reachOf = createReach()

interface Texts {
  readonly text: DomainText
  readonly saved: SavedText | null
}

interface NumberedSignal extends ListedSignal, Pick<History, 'editedAt'> {
  /** Of all signals of the file. */
  readonly number: number
}

/** Every signal with its place and its state, in the order of the file. */
export function listSignals(
  domains: readonly CompiledDomain[],
  { text, saved }: Texts,
): readonly NumberedSignal[] {
  const history = historyOf(text.value, saved)
  return domains.flatMap((domain) =>
    domain.signals.map((signal, index) => {
      const { id, pattern, dialect, note } = signal
      return {
        domain: domain.name,
        index,
        id,
        pattern,
        dialect,
        note,
        number: domain.firstSignal + index,
        line: text.place(domain.index, index).line,
        reach: reachOf(signal),
        ...history(domain.name, index),
      }
    }),
  )
}

interface History extends Pick<ListedSignal, 'change'> {
  readonly editedAt: number | null
}

/** History of each signal since the file was saved. */
function historyOf(now: DomainFile | null, saved: SavedText | null) {
  const before = saved?.text.value ?? null
  return (domain: string, index: number): History => {
    const own = now?.domains.find((each) => each.name === domain)
    const old = before?.domains.find((each) => each.name === domain)
    const entry = own?.signals[index]
    if (entry === undefined || saved === null) return { change: 'same', editedAt: null }
    if (old === undefined) return { change: 'added', editedAt: null }
    const same = old.signals.findIndex((each) => meaningOf(each) === meaningOf(entry))
    if (same >= 0) {
      const at = before?.domains.indexOf(old) ?? -1
      return { change: 'same', editedAt: editedAt(saved, at, same) }
    }
    return { change: hasForerunner(own, old, index) ? 'changed' : 'added', editedAt: null }
  }
}

/** Another pattern under the same id, or in the place of one that is gone, is a changed one. */
function hasForerunner(own: DomainEntry | undefined, old: DomainEntry, index: number): boolean {
  const entry = own?.signals[index]
  const there = old.signals[index]
  const id = entry === undefined ? null : idOf(entry)
  if (id !== null && old.signals.some((each) => idOf(each) === id)) return true
  if (id !== null || there === undefined) return false
  return own?.signals.every((each) => meaningOf(each) !== meaningOf(there)) === true
}

function editedAt({ text, times }: SavedText, domain: number, signal: number): number | null {
  if (times === null) return null
  return times[text.place(domain, signal).line - 1] ?? null
}

/** The fields that determine a signal's matches; id and note are ignored. */
function meaningOf(entry: SignalEntry): string {
  if (typeof entry === 'string') return JSON.stringify([entry, 'python', null])
  return JSON.stringify([entry.pattern, entry.dialect ?? 'python', entry.flags ?? null])
}

function idOf(entry: SignalEntry): string | null {
  return typeof entry === 'string' ? null : (entry.id ?? null)
}
