import type { ClassifyKinds } from '../../../engine/schema/preset.ts'
import { lackingSignals, type Lacking } from '../../../engine/rows/edit-slots.ts'
import { packageVersion } from '../../../version.ts'
import { foldersOf } from '../../batch/folders.ts'
import { storedPipeline } from '../../batch/stored-config.ts'
import type { FormatsOf } from '../../transcripts/own-formats.ts'
import type { ResolvedSide } from '../../drafts/sides.ts'
import type { Compiled } from '../../rules/pipelines.ts'
import { refusal, valueOrRefuse } from '../../platform/threads/refusal.ts'
import type { Results } from '../results.ts'
import { compareParts } from './compare-parts.ts'
import { type EditRunner, runHere, runInThreads } from './runner.ts'
import type { EditThreadData } from './thread-protocol.ts'
import { createEditWork } from './work.ts'
import { counted } from '../../../engine/result.ts'
import { placedTurns } from './placed-turns.ts'
import { scanSources } from './scan-sources.ts'
import { createTextScanner } from './text-scanner.ts'

interface EditOptions {
  /** Folder that relative paths of sources start from. */
  readonly base: string
  readonly formats: FormatsOf
  readonly signal: AbortSignal
  readonly onProgress: (stage: 'finding' | 'comparing', done: number, total: number) => void
  readonly threads: EditThreads
}

/** Threads that help with an edit. */
export interface EditThreads {
  /** `thread.ts`, or its bundle. */
  readonly url: URL
  readonly automata: EditThreadData['automata']
  /** Turns of a batch from which on threads are worth their start (default: as measured). */
  readonly from?: number
}

/** Result of an edit; its flips are in the table `edited`. */
export interface Edited {
  readonly edit: number
  readonly total: number
  /** Signals whose matches had to be looked for. */
  readonly scanned: number
  readonly elapsedMs: number
  readonly warnings: readonly string[]
  /** [B27] Which turns are left out though the side would classify them. */
  readonly notes: readonly string[]
}

/** A thread takes a third of a second to start, in which that many turns are folded. */
const THREADS_FROM = 500_000

/**
 * [F146] Decisions of `side` that differ from the batch, over all of its turns. Matches are stored, so texts are read
 * only for signals without an equal one in the batch, and only for these.
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
    const { classify } = base
    const warnings = await findLacking(results, { side, classify, lacking, runner }, options)
    const isFound = lacking.numbers.length > 0
    const total = await compareParts(results, { runner, isFound }, options)
    results.has.edit += 1
    const { edit: number } = results.has
    return {
      edit: number,
      total,
      scanned: lacking.numbers.length,
      warnings,
      notes: noticesLeftOut(base, side),
      elapsedMs: performance.now() - began,
    }
  } finally {
    await runner.close()
    await results.editor.database.run('DROP TABLE IF EXISTS found')
  }
}

/** [B27] Turns of an edit are those of the batch; what only the other side would classify is left out, and said. */
function noticesLeftOut(base: Compiled, side: Compiled): readonly string[] {
  const { notices: here = true } = base.classify
  const { notices: there = true } = side.classify
  if (here === there) return []
  return [
    here
      ? 'this side does not classify results with nothing but notices of a client; they are compared as turns of the batch'
      : 'this side classifies results with nothing but notices of a client, too; they are no turns of the batch and left out',
  ]
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

interface Looking {
  readonly side: Compiled
  /** Of the batch: places are those of its turns. */
  readonly classify: ClassifyKinds
  readonly lacking: Lacking
  readonly runner: EditRunner
}

interface Options {
  readonly base: string
  readonly formats: FormatsOf
  readonly signal: AbortSignal
  readonly onProgress: (stage: 'finding', done: number, total: number) => void
}

/** Matches of the lacking signals, as the table `found` (part, place, signal). Answers what should be known of them. */
async function findLacking(
  results: Results,
  { side: { pipeline }, classify, lacking: { numbers }, runner }: Looking,
  { onProgress, ...options }: Options,
): Promise<readonly string[]> {
  const { files } = results
  const { database, ask } = results.editor
  await database.run('CREATE OR REPLACE TABLE found (part INTEGER, place INTEGER, signal INTEGER)')
  if (numbers.length === 0) return []
  const signals = numbers.flatMap((number) => pipeline.signals[number] ?? [])
  const scanner = createTextScanner(signals, pipeline.preset.belief)
  await scanSources(results, {
    ...options,
    scanner,
    classify,
    scratch: results.scratch,
    runner,
    signals,
    belief: pipeline.preset.belief,
    onBytes: (done, total) => onProgress('finding', done, total),
  })
  const turns = placedTurns(files.turns)
  const joined = (where: string) =>
    `SELECT part, place::INTEGER, signal FROM hits JOIN ${turns} AS turns ON hits.file = turns.file AND ${where}`
  await ask(
    `INSERT INTO found SELECT * FROM (
       ${joined('hits.session IS NULL AND hits.row = turns.row')} UNION ALL
       ${joined('hits.session = turns.session AND hits.turn = turns.turn')}) ORDER BY ALL`,
    [],
    options.signal,
  )
  await database.run('DROP TABLE hits')
  const cut = new Set([...scanner.cut, ...runner.cut])
  if (cut.size === 0) return []
  const patterns = [...cut].map((at) => signals[at]?.pattern ?? '')
  return [
    `${counted(cut.size, 'pattern')} took too long and count as not matched from there on: ${patterns.join(', ')}`,
  ]
}
