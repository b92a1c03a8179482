import { kindWords, proposalNote } from '../../engine/lab/propose/words.ts'
import { adviserOf } from '../../engine/lab/opinion/opinion.ts'
import { proposeSignals } from '../../engine/lab/propose/propose.ts'
import { measuredWords } from '../../engine/lab/queue/words.ts'
import { basisLines } from '../../engine/lab/metrics/basis-words.ts'
import type { FigureBasis } from '../../engine/schema/basis.ts'
import type { Proposals } from '../../engine/schema/proposal.ts'
import { metricsOf } from '../../host/flips/lab/flip-report.ts'
import { createSources } from '../../host/corpus/lab/sources.ts'
import { jsonLine, notice } from '../../host/platform/terminal.ts'
import { command } from '../kit/command.ts'
import { sayCutOffs } from '../kit/cut-offs.ts'
import { embedTurns } from '../evaluate/embed-turns.ts'
import { openLab, openLabCorpus } from '../lab/lab-corpus.ts'
import { CONFIG, flag, type Given, LABELS, parseCount, parsed, text } from '../kit/options.ts'
import { CommandError, EXIT, print } from '../kit/output.ts'
import { TRUST } from '../trust/trust-option.ts'

const OPTIONS = {
  ...LABELS,
  domain: text('--domain <name>', 'signals of this domain only'),
  most: parsed('--most <count>', 'most signals listed', parseCount, 20),
  rulesOnly: flag(
    '--rules-only',
    'no second opinion on turns without a label: nothing is embedded',
  ),
  ...CONFIG,
  ...TRUST,
}

/** [L90] `propose [FILE…] --labels …`: signals suggested by labels. */
export const propose = command({
  name: 'propose',
  summary: 'signals that labels ask for, measured on sources that they were not made from',
  args: [['[file...]', 'sessions, or folders of them; labels beside them are read']],
  options: OPTIONS,
  help: `
Nothing is changed. A signal that does not win on held folds is not listed.`,
  run: runPropose,
})

async function runPropose(options: Given<typeof OPTIONS>, files: readonly string[]): Promise<void> {
  if (files.length === 0 && options.labels === undefined) {
    const what = 'there are no labels to learn from'
    const advice = 'Name sessions, or give --labels with a file of texts'
    throw new CommandError({ what, where: 'propose', do: advice })
  }
  const lab = await openLab(options)
  const corpus = await openLabCorpus(lab, files, options.labels ?? [])
  const { read, work, waiting, errors } = corpus
  const scored = await work.score(lab.side.compiled.pipeline, waiting)
  sayCutOffs(scored, lab.side, work)
  const { domain = null, most } = options
  const none = { vectors: new Map<number, Float32Array>(), note: null }
  const embedded = options.rulesOnly === true ? none : await embedTurns(corpus, scored, options)
  if (embedded.note !== null) notice(embedded.note)
  const adviser = await work.run(adviserOf(read.labels, embedded.vectors), waiting)
  const asked = {
    scored,
    labels: read.labels,
    sourceOf: createSources(read).of,
    domain,
    most,
    adviser,
  }
  const found = await work.run(proposeSignals(asked, work.rescore), waiting)
  const basis = metricsOf(scored, read)?.basis ?? null
  const printed =
    options.json === true ? `${jsonLine({ ...found, basis })}\n` : textOf({ ...found, basis })
  await print(printed)
  for (const error of errors) notice(error)
  if (errors.length > 0) process.exitCode = EXIT.usage
}

/** [L100] With the basis of the figures. */
type Shown<T> = T & { readonly basis: FigureBasis | null }

function textOf(found: Shown<Proposals>): string {
  const { proposals, labels, sources, folds, right, tried, refused, note } = found
  const head = [
    `labels             ${labels} of ${sources} sources`,
    `right now          ${measuredWords(right)}, on labels that signals may have been made from`,
    ...(found.basis === null ? [] : basisLines(found.basis)),
  ]
  if (note !== null) return [...head, `proposals          none: ${note}`, ''].join('\n')
  return [
    ...head,
    `proposals          ${proposals.length}, of ${tried} candidates found without one of ${folds} folds; ${refused} did not win on folds they were not made from`,
    '',
    ...proposals.flatMap((one) => [
      `${one.domain}: ${one.pattern}`,
      `    ${kindWords(one.kind)}; ${proposalNote(one)}; wins in ${one.won}, loses in ${one.lost}; flips ${one.flips} turns of the corpus`,
      `    of the turns it changes there it makes right ${measuredWords(one.precision)}${one.expected === null ? '' : `; the second opinion expects ${one.expected.toFixed(1)} more right among turns without a label`}`,
    ]),
    '',
  ].join('\n')
}
