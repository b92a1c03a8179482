/** Folder of the automata that ship, under the root of what ships; `npm run build` makes it. */
export const SHIPPED_AUTOMATA = 'dist/automata'

/** Writes an automaton under a name, see `automatonFileName`; returns whether it is there. */
export type KeepAutomaton = (name: string, bytes: Uint8Array) => boolean

/** The folder of this account's automata, and what writes into it. */
export interface OwnAutomata {
  readonly folder: string
  readonly keep: KeepAutomaton
}

let shippedFolder: string | null = null

/**
 * [F107] Sets the folder in which this thread or command finds the results that the build computed for shipped signals.
 */
export function useShippedFolder(folder: string): void {
  shippedFolder = folder
}

/** Returns the folder to the first caller, so that its files are read once. Returns null to all later callers. */
export function takeShippedFolder(): string | null {
  const folder = shippedFolder
  shippedFolder = null
  return folder
}
