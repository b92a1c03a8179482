import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { abstainLines, figureLines } from '../core/cli/evaluate/evaluate-text.ts'
import { judged, labelledRows } from '../core/cli/evaluate/evaluate.ts'
import { basisOf } from '../core/engine/lab/metrics/basis.ts'
import { leadOf } from '../core/engine/belief/ambiguity.ts'
import { riskCoverage } from '../core/engine/lab/metrics/abstain.ts'
import { measureFolds, splitSources } from '../core/engine/lab/metrics/fold-metrics.ts'
import { initialBeliefState, type Pipeline, stepTurn } from '../core/engine/pipeline.ts'
import type { Metrics } from '../core/engine/lab/metrics/metrics.ts'
import type { Ratio } from '../core/engine/schema/ratio.ts'
import { defaultPipeline } from '../fixtures/workspace.ts'
import {
  evaluate,
  PARTS,
  readLabelled,
  SPLITS,
  type Evaluation,
  type Labelled,
  type LabelledTurn,
  type Part,
  type Split,
} from './evaluation.ts'
import { worthLines, worthOfSignals } from './signal-worth.ts'

/**
 * `npm run evaluate [-- --json] [-- --split train|held] [-- --worth]`: how well the default domains classify the
 * labeled turns under `recommended`, each turn separately. Prints only aggregates, always with counts, and no text or
 * id of a turn, so that looking at `held` reveals nothing about its turns. Then the same for messages of other users
 * (`strangers`) in `../shared/labels` by fold (or `--labels FOLDER`), if that folder exists. `--abstain` adds the
 * answers with abstaining (L95), `--worth` the value of each signal on each fold (L74).
 */
interface Row {
  readonly split: Split
  readonly part: Part | 'all'
  readonly skipped: number
  readonly evaluation: Evaluation
}

function percent(share: Ratio): string {
  if (share.value === null) return '   -'
  return share.value.toFixed(3)
}

function f1(value: number | null): string {
  return value === null ? '  -  ' : value.toFixed(3)
}

function headline(name: string, metrics: Metrics): string {
  const { strict, withAlternatives, macroF1 } = metrics
  const hits = `${strict.hits}/${strict.of}, ${withAlternatives.hits}/${withAlternatives.of}`
  const shares = `strict ${percent(strict)}  with alternatives ${percent(withAlternatives)}`
  return `  ${name.padEnd(20)} ${shares}  macro-F1 ${f1(macroF1.value)} over ${macroF1.of}  (${hits})`
}

function domainLines(metrics: Metrics): readonly string[] {
  return metrics.domains.map(({ domain, precision, recall, f1: score }) => {
    const parts = [
      `precision ${percent(precision)} of ${String(precision.of).padStart(3)}`,
      `recall ${percent(recall)} of ${String(recall.of).padStart(3)}`,
      `F1 ${f1(score)}`,
    ]
    return `    ${domain.padEnd(20)} ${parts.join('  ')}`
  })
}

function sourceLines(evaluation: Evaluation): readonly string[] {
  if (evaluation.sources.length < 2) return []
  const lines = evaluation.sources.map(({ source, metrics }) => {
    const shares = `${percent(metrics.strict)}  ${percent(metrics.withAlternatives)}`
    return `    ${source.padEnd(20)} ${shares}  n=${metrics.strict.of}`
  })
  return ['  by source: strict, with alternatives', ...lines]
}

function report({ split, part, skipped, evaluation }: Row): string {
  const missing = skipped === 0 ? '' : `, ${skipped} skipped (their texts are not here)`
  const title = `${split} / ${part}: n=${evaluation.compound.strict.of}${missing}`
  if (evaluation.compound.strict.of === 0) return title
  return [
    title,
    headline('compound', evaluation.compound),
    headline('first match wins', evaluation.firstMatch),
    headline('most frequent', evaluation.floor),
    ...domainLines(evaluation.compound),
    ...sourceLines(evaluation),
  ].join('\n')
}

function together(all: ReadonlyMap<Part, Labelled>): Labelled {
  const parts = [...all.values()]
  return {
    turns: parts.flatMap((part) => part.turns),
    skipped: parts.reduce((sum, part) => sum + part.skipped, 0),
  }
}

async function readSplit(split: Split): Promise<ReadonlyMap<Part, Labelled>> {
  const read = PARTS.map(async (part) => [part, await readLabelled(part, split)] as const)
  return new Map(await Promise.all(read))
}

/** Two readers with one codebook agreed on this share of another set. */
const AGREEMENT = 0.915
const STRANGERS = 1684

/** [L73] Messages of strangers, by fold of repositories; the default signals were made from them. */
async function strangers(args: readonly string[], pipeline: Pipeline): Promise<string> {
  const given = args.includes('--labels') ? args[args.indexOf('--labels') + 1] : undefined
  const file = join(given ?? join(import.meta.dirname, '../../shared/labels'), 'users.jsonl')
  if (!existsSync(file))
    return `strangers: skipped ${STRANGERS} messages (their texts are not here)`
  const { rows, skipped } = labelledRows(await readFile(file, 'utf8'))
  const turns = judged(rows, (text) => {
    const { scored } = stepTurn(pipeline, initialBeliefState, text)
    return { predicted: scored.primary.domain, lead: leadOf(scored) }
  })
  const about = {
    name: 'strangers',
    agreement: AGREEMENT,
    madeFrom: true,
    skipped,
    basis: basisOf(turns, pipeline.belief.set.madeFrom, []).madeFrom,
    split: splitSources(turns),
  }
  const worth = args.includes('--worth') ? worthLines(worthOfSignals(rows, pipeline)) : []
  const abstain = args.includes('--abstain') ? abstainLines(riskCoverage(turns)) : []
  return [...figureLines(measureFolds(turns), about), ...abstain, ...worth].join('\n')
}

async function main(args: readonly string[]): Promise<void> {
  const only = args[args.indexOf('--split') + 1]
  const wanted = args.includes('--split') ? SPLITS.filter((split) => split === only) : SPLITS
  if (wanted.length === 0) throw new Error(`--split takes ${SPLITS.join(' or ')}`)
  const pipeline = await defaultPipeline('recommended')
  const train = await readSplit('train')
  const rows: Row[] = []
  for (const split of wanted) {
    const parts = split === 'train' ? train : await readSplit(split)
    const every = new Map<Part | 'all', Labelled>([...parts, ['all', together(parts)]])
    for (const [part, { turns, skipped }] of every) {
      const base: readonly LabelledTurn[] =
        (part === 'all' ? together(train) : train.get(part))?.turns ?? []
      rows.push({ split, part, skipped, evaluation: evaluate(pipeline, turns, base) })
    }
  }
  if (args.includes('--json')) {
    console.log(JSON.stringify(rows, null, 2))
    return
  }
  console.log([...rows.map(report), await strangers(args, pipeline)].join('\n\n'))
}

await main(process.argv.slice(2))
