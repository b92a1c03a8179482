import { lackingSignals } from '../../../engine/rows/edit-slots.ts'
import { packageVersion } from '../../../version.ts'
import { foldersOf } from '../../batch/folders.ts'
import { storedPipeline } from '../../batch/stored-config.ts'
import type { FormatsOf } from '../../transcripts/own-formats.ts'
import type { ResolvedSide } from '../../drafts/sides.ts'
import type { Compiled } from '../../rules/pipelines.ts'
import { refusal, valueOrRefuse } from '../../platform/threads/refusal.ts'
import type { Results } from '../results.ts'
import { compareParts } from './compare-parts.ts'
import { findLacking } from './find-lacking.ts'
import { type EditRunner, runHere, runInThreads } from './runner.ts'
import type { EditThreadData } from './thread-protocol.ts'
import { createEditWork } from './work.ts'

interface EditOptions {
  /** Where relative paths of sources start. */
  readonly base: string
  readonly formats: FormatsOf
  readonly signal: AbortSignal
  readonly onProgress: (stage: 'finding' | 'comparing', done: number, total: number) => void
  readonly threads: EditThreads
}

/** How an edit is helped. */
export interface EditThreads {
  /** `thread.ts`, or its bundle. */
  readonly url: URL
  readonly automata: EditThreadData['automata']
  /** Turns of a batch from which on threads are worth their start (default: as measured). */
  readonly from?: number
}

/** What became of an edit; its flips stand in the table `edited`. */
export interface Edited {
  readonly edit: number
  readonly total: number
  /** Signals whose matches had to be looked for. */
  readonly scanned: number
  readonly elapsedMs: number
  readonly warnings: readonly string[]
}

/** A thread takes a third of a second to start, in which that many turns are folded. */
const THREADS_FROM = 500_000

/**
 * [F146] What `side` decides otherwise than the batch did, over all of its turns. Matches are stored, so that texts are
 * read only for signals that match like none of the batch; then only for these.
 */
export function editResults(
  results: Results,
  side: Pick<ResolvedSide, 'compiled' | 'files'>,
  options: EditOptions,
): Promise<Edited> {
  // Edits of two windows work with the same tables.
  return results.editor.inTurn(() => edit(results, side, options))
}

async function edit(
  results: Results,
  { compiled: side, files }: Pick<ResolvedSide, 'compiled' | 'files'>,
  { threads, ...options }: EditOptions,
): Promise<Edited> {
  const began = performance.now()
  const { folder, manifest } = results.files
  const base = valueOrRefuse(await storedPipeline(foldersOf(folder)))
  refuseOtherKinds(base, side, folder)
  const lacking = lackingSignals(base.pipeline, side.pipeline)
  const hasStates = manifest.plan.engine === packageVersion()
  const { url, automata, from = THREADS_FROM } = threads
  const runner: EditRunner =
    manifest.turns < from
      ? runHere(createEditWork({ base, side, hasStates }), options.signal)
      : runInThreads(url, { folder, side: files, hasStates, automata }, options.signal)
  try {
    const warnings = await findLacking(results, { side, lacking, runner }, options)
    const isFound = lacking.numbers.length > 0
    const total = await compareParts(results, { runner, isFound }, options)
    results.has.edit += 1
    const { edit: number } = results.has
    return {
      ...{ edit: number, total, scanned: lacking.numbers.length, warnings },
      elapsedMs: performance.now() - began,
    }
  } finally {
    await runner.close()
    await results.editor.database.run('DROP TABLE IF EXISTS found')
  }
}

function refuseOtherKinds(base: Compiled, side: Compiled, where: string): void {
  const kinds = ({ classify: { user, agent, tool } }: Compiled) => [user, agent, tool].join()
  if (kinds(base) === kinds(side)) return
  throw refusal({
    what: 'this side classifies other kinds of texts than the batch: its turns are others',
    where,
    do: 'Run the batch again with it, or choose a preset that classifies the same kinds',
  })
}
