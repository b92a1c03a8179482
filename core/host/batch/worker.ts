import { parentPort, workerData } from 'node:worker_threads'
import { RpcError } from '../../wire/rpc.ts'
import { createMatchWriter } from '../../engine/rows/match-writer.ts'
import { useThreadAutomata } from '../threads/automata-thread.ts'
import { createTimeLimit } from '../platform/guard/guard.ts'
import { compilePipeline } from '../rules/pipelines.ts'
import { valueOrRefuse } from '../platform/threads/refusal.ts'
import { createPartClassifier } from './classify-part.ts'
import { databaseFailure, openDatabase } from './duckdb.ts'
import { type BatchFolders, foldersOf, writeWhole } from './folders.ts'
import { partRows } from './part-rows.ts'
import { FLIP_COLUMNS, TURN_COLUMNS, createResultTable } from './part-tables.ts'
import type { BatchTask, BatchWorkerData, FromBatchWorker } from './worker-protocol.ts'

/** [F116] A batch thread: classifies one part after the other, with its own database and watchdog. */
const given = workerData as BatchWorkerData
const { out, memoryMb, files, base, other, automata } = given
const folders: BatchFolders = foldersOf(out)
const tell = (message: FromBatchWorker): void => parentPort?.postMessage(message)

useThreadAutomata(automata)
const limit = createTimeLimit()
const compiled = valueOrRefuse(compilePipeline(base))
const against = other === null ? null : valueOrRefuse(compilePipeline(other))
// Two connections: rows that are still being read end without a word when their connection writes others.
const opened = openDatabase({ threads: 1, memoryMb, scratch: folders.scratch }).then(
  async (reading) => {
    // A part is read once, so a cache in the database would only waste memory.
    await reading.run('SET enable_external_file_cache = false')
    return { reading, writing: await reading.sibling() }
  },
)
// The request for a part reports the failure.
opened.catch(() => undefined)

async function classifyPart(part: number): Promise<void> {
  const { reading, writing } = await opened
  const turns = await createResultTable(writing, 'turns', TURN_COLUMNS)
  const flips = against === null ? null : await createResultTable(writing, 'flips', FLIP_COLUMNS)
  const matches = createMatchWriter(compiled.pipeline.signals.length)
  const cutOffs: string[] = []
  const classifier = createPartClassifier({
    files,
    base: compiled,
    other: against,
    limit,
    results: { turn: turns.add, matches, flip: flips?.add ?? null },
    onCutOff: ({ domain, pattern, chars, elapsedMs }) => {
      cutOffs.push(
        `pattern ${pattern} of ${domain} was cut off after ${Math.round(elapsedMs)} ms on a text of ${chars} characters, and is off for the rest of part ${part}`,
      )
    },
  })
  for await (const rows of partRows(reading, folders.rowsOfPart(part))) {
    classifier.add(rows)
    tell({ kind: 'rows', part, rows: rows.length })
  }
  const counts = classifier.end()
  await turns.write(folders.turns(part))
  await writeWhole(folders.matches(part), matches.bytes())
  const flipped = (await flips?.write(folders.flips(part))) ?? 0
  await writeWhole(folders.counts(part), JSON.stringify({ ...counts, flips: flipped, cutOffs }))
  await reading.trim()
  tell({ kind: 'done', part })
}

parentPort?.on('message', ({ part }: BatchTask) => {
  classifyPart(part).catch((error: unknown) => {
    const failure = error instanceof RpcError ? error : databaseFailure(error, `part ${part}`)
    tell({
      kind: 'failed',
      problem: {
        what: failure.what,
        where: failure.where ?? `part ${part}`,
        do: failure.do ?? 'Start the same command again: it goes on where it ended',
      },
    })
  })
})
tell({ kind: 'ready' })
