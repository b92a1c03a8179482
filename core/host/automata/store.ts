import { readdirSync } from '../platform/files/fenced-fs.ts'
import { join } from 'node:path'
import { identityOf } from '../../engine/matcher/identity.ts'
import {
  freezeReading,
  hasReading,
  shareReading,
  sizeOfReading,
  thawReading,
} from '../../engine/matcher/automaton/readings.ts'
import type { CompiledSignal } from '../../engine/matcher/signal.ts'
import { readBytesSync } from '../platform/files/regular-file.ts'
import { automatonBytes, automatonFileName, automatonOf } from './format.ts'

/** Folders of automata that were built earlier. */
export interface AutomataPlaces {
  /** Those of the signals that ship, made by the build; they may be missing. */
  readonly shipped: string
  /** Folder for automata of this account's own signals; null if the account has none. */
  readonly own: string | null
}

/** Keeps automata from one start to the next. */
export interface AutomataStore {
  /** To be called with a list that is about to be scanned: an automaton that was made before reads for it. */
  readonly offer: (signals: readonly CompiledSignal[]) => void
  /** Call this after texts were scanned. Writes learned states if they are worth it. */
  readonly keep: (signals: readonly CompiledSignal[]) => void
}

/** Lists with fewer states are rebuilt faster than a file is read. */
const FEWEST_STATES = 500
/** Written again when it has grown by this factor: a session of an hour writes a few times. */
const GROWN = 1.25

/**
 * [C14] Reads and writes automata. If a file is missing, damaged or from a different matcher, the automaton is rebuilt,
 * as without a store. Nothing here fails: a file that cannot be read or written only costs time.
 * @param write puts a file into the folder of this account, see `writeAutomaton`
 */
export function createAutomataStore(
  { shipped, own }: AutomataPlaces,
  write: (name: string, bytes: Uint8Array) => void,
): AutomataStore {
  /** States that are on disk, by name of the file. */
  const kept = new Map<string, number>()
  let shippedNames: readonly string[] | null = null

  function load(folder: string, name: string): void {
    if (kept.has(name)) return
    try {
      const frozen = automatonOf(readBytesSync(join(folder, name)))
      if (frozen === null || !thawReading(frozen)) return
      kept.set(
        name,
        frozen.streams.reduce((sum, { lists }) => sum + lists.ends.length, 0),
      )
    } catch {
      // The file does not exist.
    }
  }

  function loadShipped(): void {
    if (shippedNames !== null) return
    shippedNames = namesIn(shipped)
    for (const name of shippedNames) load(shipped, name)
  }

  return {
    offer: (signals) => {
      if (hasReading(signals) || shareReading(signals)) return
      if (own !== null) load(own, automatonFileName(signals.map(identityOf)))
      if (shareReading(signals)) return
      loadShipped()
      shareReading(signals)
    },
    keep: (signals) => {
      // The texts may have been read with a list of the same signals that is not this one.
      if (!hasReading(signals)) shareReading(signals)
      const size = sizeOfReading(signals)
      if (own === null || size === null || size.states < FEWEST_STATES) return
      const name = automatonFileName(size.identities)
      if (size.states < (kept.get(name) ?? 0) * GROWN) return
      const frozen = freezeReading(signals)
      if (frozen === null) return
      kept.set(name, size.states)
      write(name, automatonBytes(frozen))
    },
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.bin'))
  } catch {
    return []
  }
}
