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

/** [F107] Where this thread, or this command, finds what the build worked out of the signals that ship. */
export function useShippedFolder(folder: string): void {
  shippedFolder = folder
}

/** The same, for whoever asks first: what lies there is read once. Null for all others. */
export function takeShippedFolder(): string | null {
  const folder = shippedFolder
  shippedFolder = null
  return folder
}
