import { rightCells } from '../kit/table.ts'
import { cutOffsOf, metricsOf } from '../../host/flips/lab/flip-report.ts'
import { type CorpusStats, corpusStats } from '../../host/corpus/lab/stats-report.ts'
import { jsonLine, notice } from '../../host/platform/terminal.ts'
import { command } from '../kit/command.ts'
import { sayCutOffs } from '../kit/cut-offs.ts'
import { openLab, openLabCorpus } from '../lab/lab-corpus.ts'
import { metricsText } from '../lab/lab-prose.ts'
import { CONFIG, flag, type Given, LABELS, parseWhole, parsed } from '../kit/options.ts'
import { EXIT, print } from '../kit/output.ts'
import { workspaceFormats } from '../../host/transcripts/own-formats.ts'
import { contextStats, contextStatsText } from './stats-context.ts'
import { probeStats, probeStatsText } from './stats-probe.ts'
import { TRUST } from '../trust/trust-option.ts'

const OPTIONS = {
  ...LABELS,
  signals: parsed('--signals <count>', 'most signals listed', parseWhole, 20),
  ...CONFIG,
  probe: flag('--probe', 'also probe every session: how often something is found'),
  samples: flag('--samples', 'with --probe: ask the sample collections too'),
  context: flag('--context', 'also sum what came into the contexts of the model, by source'),
  ...TRUST,
}

/** `stats FILE…`: what is in the sessions, and what the signals see of it. */
export const stats = command({
  name: 'stats',
  summary: 'turns, coverage, domains, signals by hits, momentum, and what labels say',
  args: [['<file...>', 'sessions, or folders of them; labels beside them are read']],
  options: OPTIONS,
  run: runStats,
})

async function runStats(options: Given<typeof OPTIONS>, files: readonly string[]): Promise<void> {
  const lab = await openLab(options)
  const { read, work, waiting, errors } = await openLabCorpus(lab, files, options.labels ?? [])
  const scored = await work.score(lab.side.compiled.pipeline, waiting)
  sayCutOffs(scored, lab.side, work)
  const found = corpusStats(scored, metricsOf(scored, read))
  const cutOffs = cutOffsOf(scored, work)
  const paths = [...new Set(read.files.map(({ path }) => path))]
  const probe = options.probe === true ? await probeStats(lab.workspace, paths, options) : null
  const isContext = options.context === true
  const context = isContext ? await contextStats(paths, workspaceFormats(lab.workspace)) : null
  const more = {
    ...(probe === null ? {} : { probe }),
    ...(context === null ? {} : { context }),
  }
  const text = [
    statsText(found, options.signals),
    probe === null ? '' : probeStatsText(probe),
    context === null ? '' : contextStatsText(context, options.signals),
  ].join('')
  await print(options.json === true ? `${jsonLine({ ...found, cutOffs, ...more })}\n` : text)
  for (const error of errors) notice(error)
  if (errors.length > 0) process.exitCode = EXIT.usage
}

const WIDTH = 10

function statsText(found: CorpusStats, most: number): string {
  const { sessions, turns, chars, coverage, signals, momentum, ambiguous, metrics } = found
  const covered = turns - coverage.uncovered
  const domains = coverage.domains.map(
    ({ domain, matched, primary, secondary, alone }) =>
      `  ${domain.padEnd(22)}${rightCells([matched, primary, secondary, alone], WIDTH)}`,
  )
  const listed = signals
    .slice(0, most)
    .map(({ name, turns: on }) => `${rightCells([on], WIDTH)}  ${name}`)
  const silent = signals.filter(({ turns: on }) => on === 0).length
  return [
    `sessions           ${sessions}`,
    `turns              ${turns}, ${chars} characters`,
    `covered            ${covered} of ${turns}`,
    `momentum           ${momentum.runs} runs, longest ${momentum.longest}; kept another primary on ${momentum.kept} of ${turns} turns`,
    ...(ambiguous === null ? [] : [`ambiguous          ${ambiguous} of ${turns} turns (B20)`]),
    '',
    `  ${'domain'.padEnd(22)}${rightCells(['matched', 'primary', 'second', 'alone'], WIDTH)}`,
    ...domains,
    '',
    `signals by turns (${silent} of ${signals.length} never fired)`,
    ...listed,
    ...(metrics === null ? [] : ['', metricsText(metrics)]),
    '',
  ].join('\n')
}
