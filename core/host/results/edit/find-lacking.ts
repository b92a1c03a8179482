import type { Lacking } from '../../../engine/rows/edit-slots.ts'
import { counted } from '../../../engine/result.ts'
import type { FormatsOf } from '../../transcripts/own-formats.ts'
import type { Compiled } from '../../rules/pipelines.ts'
import type { Results } from '../results.ts'
import { placedTurns } from './placed-turns.ts'
import type { EditRunner } from './runner.ts'
import { scanSources } from './scan-sources.ts'
import { createTextScanner } from './text-scanner.ts'

interface Looking {
  readonly side: Compiled
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
export async function findLacking(
  results: Results,
  { side: { pipeline, classify }, lacking: { numbers }, runner }: Looking,
  { onProgress, ...options }: Options,
): Promise<readonly string[]> {
  const { files } = results
  const { database, ask } = results.editor
  await database.run('CREATE OR REPLACE TABLE found (part INTEGER, place INTEGER, signal INTEGER)')
  if (numbers.length === 0) return []
  const signals = numbers.flatMap((number) => pipeline.signals[number] ?? [])
  const scanner = createTextScanner(signals, pipeline.preset.belief)
  await scanSources(results, {
    ...{ ...options, scanner, classify, scratch: results.scratch, runner },
    ...{ signals, belief: pipeline.preset.belief },
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
