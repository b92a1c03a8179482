import { adviceOf, figures, weightsVerdict } from '../../engine/lab/weights/words.ts'
import { weighSignals } from '../../engine/lab/weights/weights.ts'
import { basisLines } from '../../engine/lab/metrics/basis-words.ts'
import type { FigureBasis } from '../../engine/schema/basis.ts'
import type { FittedWeights } from '../../engine/schema/weights.ts'
import { saveText } from '../../host/platform/files/atomic-file.ts'
import { metricsOf } from '../../host/flips/lab/flip-report.ts'
import { createSources } from '../../host/corpus/lab/sources.ts'
import { withWeights } from '../../host/drafts/session/weight-edit.ts'
import { jsonLine, notice } from '../../host/platform/terminal.ts'
import { command } from '../kit/command.ts'
import { sayCutOffs } from '../kit/cut-offs.ts'
import { openLab, openLabCorpus } from '../lab/lab-corpus.ts'
import { CONFIG, type Given, LABELS, parseCount, parsed, text } from '../kit/options.ts'
import { CommandError, EXIT, print, valueOrFail } from '../kit/output.ts'
import { TRUST } from '../trust/trust-option.ts'

const OPTIONS = {
  ...LABELS,
  most: parsed('--most <count>', 'most signals listed', parseCount, 30),
  write: text('--write <file>', 'write the domain file with these weights here, where they win'),
  ...CONFIG,
  ...TRUST,
}

/** [L96] `weights [FILE…] --labels …`: what each signal should count, by labels. */
export const weights = command({
  name: 'weights',
  summary: 'what each signal should count, by labels, measured on sources it was not fitted on',
  args: [['[file...]', 'sessions, or folders of them; labels beside them are read']],
  options: OPTIONS,
  help: `
A signal counts 1 unless its entry says otherwise. Weights that do not win on held folds are shown, and
never written.`,
  run: runWeights,
})

async function runWeights(options: Given<typeof OPTIONS>, files: readonly string[]): Promise<void> {
  if (files.length === 0 && options.labels === undefined) {
    const what = 'there are no labels to fit weights on'
    const advice = 'Name sessions, or give --labels with a file of texts'
    throw new CommandError({ what, where: 'weights', do: advice })
  }
  const lab = await openLab(options)
  const corpus = await openLabCorpus(lab, files, options.labels ?? [])
  const { read, work, waiting, errors } = corpus
  const scored = await work.score(lab.side.compiled.pipeline, waiting)
  sayCutOffs(scored, lab.side, work)
  const asked = { scored, labels: read.labels, sourceOf: createSources(read).of }
  const found = await work.run(weighSignals(asked, work.rescore), waiting)
  const basis = metricsOf(scored, read)?.basis ?? null
  const printed =
    options.json === true
      ? `${jsonLine({ ...found, basis })}\n`
      : textOf({ ...found, basis }, options.most)
  await print(printed)
  for (const error of errors) notice(error)
  if (errors.length > 0) process.exitCode = EXIT.usage
  if (options.write !== undefined) await write(found, lab.side.text.text, options.write)
}

async function write(found: FittedWeights, before: string, file: string): Promise<void> {
  if (!found.wins) {
    const what = `nothing was written: ${adviceOf(found)}`
    throw new CommandError({ what, where: file, do: 'Label turns of more sources, or leave it' })
  }
  await saveText(file, valueOrFail(withWeights(before, found.weights, found.madeFrom)))
  notice(`${file} has ${found.weights.length} weights`)
}

/** [L100] With the basis of the figures. */
type Shown = FittedWeights & { readonly basis: FigureBasis | null }

function textOf(found: Shown, most: number): string {
  const { labels, sources, folds, weights: all } = found
  const head = [
    `labels   ${labels} of ${sources} sources, ${folds} folds by source`,
    weightsVerdict(found),
    ...(found.basis === null ? [] : basisLines(found.basis)),
  ]
  const rows = all
    .slice(0, most)
    .map((one) => `${figures(one)}  ${one.domain}/${one.id ?? one.pattern}`)
  const rest = all.length > most ? [`and ${all.length - most} more (--most)`] : []
  const list =
    rows.length === 0 ? [] : ['', 'weight (now)  right of fired  signal', ...rows, ...rest]
  return [...head, ...list, ''].join('\n')
}
