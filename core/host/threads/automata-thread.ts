import { join } from 'node:path'
import type { AskedRights } from './asked-rights.ts'
import { useAutomata } from '../automata/current.ts'
import { SHIPPED_AUTOMATA, useShippedFolder } from '../platform/automata-places.ts'
import { createDerivedFiles } from '../automata/derived-files.ts'
import { createParsedStore } from '../automata/parsed.ts'
import { createPatternStore } from '../automata/patterns.ts'
import { createAutomataStore } from '../automata/store.ts'
import { writeAutomaton } from '../automata/write.ts'

interface Folders {
  /** Root of what ships. */
  readonly shipped: string
  /** Folder of this account's automata, if it has one. */
  readonly automata: string | null
}

/**
 * [C14] Loads stored automata into this thread or command.
 * @param rights if omitted, it may write files itself
 */
export function useThreadAutomata({ shipped, automata }: Folders, rights?: AskedRights): void {
  const folder = join(shipped, SHIPPED_AUTOMATA)
  useShippedFolder(folder)
  const places = { shipped: folder, own: automata }
  const write = (name: string, bytes: Uint8Array): void => {
    if (automata !== null) writeAutomaton(automata, name, bytes)
  }
  const keep = rights?.keepAutomaton ?? write
  // The content of a file decides more than signal matches, so a thread that reads transcripts does not write it.
  const keepParsed = rights === undefined ? write : (): void => undefined
  useAutomata({
    automata: createAutomataStore(places, keep),
    patterns: createPatternStore(createDerivedFiles(places, keep)),
    parsed: createParsedStore(createDerivedFiles(places, keepParsed)),
  })
}
