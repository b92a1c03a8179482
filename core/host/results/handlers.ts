import { statSync } from '../platform/files/fenced-fs.ts'
import type { z } from 'zod'
import type { Side } from '../../engine/schema/lab.ts'
import type { Progress } from '../../wire/contract.ts'
import type { HandlersOf } from '../../wire/rpc.ts'
import type { ResultsThreadContract } from '../../wire/threads.ts'
import { foldersOf } from '../batch/folders.ts'
import { workspaceFormats } from '../transcripts/own-formats.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { type ResolvedSide, createSides } from '../drafts/sides.ts'
import { refusal } from '../platform/threads/refusal.ts'
import { reporting } from '../platform/threads/yielding.ts'
import { countResults } from './counts.ts'
import { type EditThreads, type Edited, editResults } from './edit/edit.ts'
import { folderOfResults } from './folder-files.ts'
import { flipPage, turnPage } from './pages.ts'
import { type Results, openResults } from './results.ts'
import { createSources } from './sources.ts'

type Handlers = Omit<HandlersOf<ResultsThreadContract, 'results'>, 'results.close'>

/** Folders that are kept open; the one that was asked longest ago is closed first. */
const MOST_OPEN = 3

interface Held {
  readonly results: Promise<Results>
  /** When its manifest was written. */
  readonly written: number
}

/** Folders that are open, each as it was when its manifest was written. */
function createHeldResults() {
  const held = new Map<string, Held>()

  function release(path: string): void {
    const leaving = held.get(path)
    held.delete(path)
    leaving?.results.then(({ close }) => close()).catch(() => undefined)
  }

  function open(path: string): Promise<Results> {
    const folder = folderOfResults(path)
    const info = statSync(foldersOf(folder).manifest, { throwIfNoEntry: false })
    const written = info?.mtimeMs ?? 0
    const known = held.get(folder)
    if (known?.written === written) {
      held.delete(folder)
      held.set(folder, known)
      return known.results
    }
    release(folder)
    const results = openResults(folder)
    held.set(folder, { results, written })
    // Asked again, it is looked at again.
    results.catch(() => held.delete(folder))
    const [oldest] = held.keys()
    if (held.size > MOST_OPEN && oldest !== undefined) release(oldest)
    return results
  }

  const closeAll = (): void => {
    for (const path of held.keys()) release(path)
  }
  return { open, closeAll }
}

/** [F140] Answers about results of batches, each folder opened when it is first asked about. */
export function createResultsHandlers(
  workspace: Workspace,
  threads: EditThreads,
): Handlers & { readonly end: () => Promise<void> } {
  const { open, closeAll } = createHeldResults()
  const base = workspace.root
  const sources = createSources(base)
  const sides = createSides(workspace)

  async function resolve(side: Side): Promise<ResolvedSide> {
    const resolved = await sides.resolve(side)
    if (resolved.ok) return resolved.value
    throw refusal(resolved.error.problem)
  }

  return {
    'results.open': async ({ path }) => (await open(path)).about,
    'results.counts': async ({ path, ...asked }, { signal }) =>
      countResults(await open(path), asked, signal),
    'results.turns': async ({ path, ...asked }, { signal }) => ({
      rows: await turnPage(await open(path), asked, signal),
    }),
    'results.flips': async ({ path, ...asked }, { signal }) => ({
      rows: await flipPage(await open(path), asked, signal),
    }),
    'results.place': async ({ path, place }) => sources.place(await open(path), place),
    'results.session': async ({ path, ...of }) => sources.write(await open(path), of),
    'results.edit': async function* ({ path, side }, { signal }) {
      type Step = Readonly<z.infer<typeof Progress>>
      const edited = yield* reporting<Step, Edited>(async (report) =>
        editResults(await open(path), await resolve(side), {
          base,
          signal,
          threads,
          formats: workspaceFormats(workspace),
          onProgress: (phase, done, total) => report({ kind: 'progress', phase, done, total }),
        }),
      )
      yield { kind: 'edited', ...edited }
    },
    end: async () => {
      closeAll()
      await sources.close()
    },
  }
}
