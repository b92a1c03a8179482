import type { ShownSource } from './store.ts'

/** A signal by its domain and its place in the domain. */
interface SignalAt {
  readonly domain: string
  readonly index: number
}

/**
 * Requests between features, by id, with the argument of each. Commands differ: the operator can run them as well, and
 * they take no argument.
 */
export interface Actions {
  /** A path of a folder: it is added to the library and shown. */
  readonly 'add-folder': string
  /** Shows a signal in the tab Tune: its row, and its line in the editor. */
  readonly 'edit-signal': SignalAt
  /** [T79] The same for a signal of a turn, as the trace has it. `focus`: the editor takes the keyboard. */
  readonly 'edit-traced-signal': SignalAt & { readonly pattern: string; readonly focus: boolean }
  /** Shows a line of the draft in the editor, from 1. */
  readonly 'edit-line': number
  /** Follows the file that is open, or stops; also before its turns are decided. */
  readonly 'follow-file': null
  /** [U184] A scratch session of these messages. */
  readonly 'try-messages': readonly string[]
  /** [U185] Writes a mapping for a file. */
  readonly 'write-mapping': ShownSource
}

/** A feature's handlers for requests of other features. */
export type ActionRows = {
  readonly [K in keyof Actions]?: (given: Actions[K]) => void
}
