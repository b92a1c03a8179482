/** Folder of the automata that ship, under the root of what ships; `npm run build` makes it. */
export const SHIPPED_AUTOMATA = 'dist/automata'

/** Writes an automaton under a name, see `automatonFileName`; returns whether it is there. */
export type KeepAutomaton = (name: string, bytes: Uint8Array) => boolean

/** The folder of this account's automata, and what writes into it. */
export interface OwnAutomata {
  readonly folder: string
  readonly keep: KeepAutomaton
}
