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
import { contextStats, contextStatsText } from './stats-context.ts'
import { TRUST } from '../trust/trust-option.ts'
import { addHitRates, hitRateOf, noHitRate } from '../../engine/probe/hit-rate.ts'
import type { HitRate } from '../../engine/schema/hit-rate.ts'
import type { Workspace } from '../../host/workspace/workspace.ts'
import { messagesOf } from '../../host/turns/session/messages.ts'
import { openReplayProbe } from '../replay/replay-probe.ts'
import { workspaceFormats } from '../../host/transcripts/own-formats.ts'
import { readFile } from '../replay/replayer.ts'

const OPTIONS = {
  ...LABELS,
  signals: parsed('--signals <count>', 'most signals listed', parseWhole, 20),
  ...CONFIG,
  probe: flag('--probe', 'also probe every session: how often something is found'),
  samples: flag('--samples', 'with --probe: ask the sample collections too'),
  context: flag('--context', 'also sum what came into the contexts of the model, by source'),
  ...TRUST,
}

/** `stats FILE…`: contents of the sessions, and the coverage by signals. */
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
  const found = corpusStats(scored, metricsOf(scored, read), read.copies)
  const cutOffs = cutOffsOf(scored, work)
  const paths = [...new Set(read.files.map(({ path }) => path))]
  const probe = options.probe === true ? await probeStats(lab.workspace, paths, options) : null
  const isContext = options.context === true
  const profile = lab.side.files.profile?.value ?? null
  const context = isContext
    ? await contextStats(paths, {
        formats: workspaceFormats(lab.workspace),
        profile,
        root: lab.workspace.root,
      })
    : null
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

/** [I212] */
const copiesWords = (copies: number): string =>
  `${copies} more ${copies === 1 ? 'turn is a copy' : 'turns are copies'} of turns of a session that was forked, and not counted`

function statsText(found: CorpusStats, most: number): string {
  const { sessions, turns, copies, chars, coverage, signals, momentum, ambiguous, metrics } = found
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
    ...(copies === 0 ? [] : [`copies             ${copiesWords(copies)}`]),
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

/** [D71] Hit rate of the probe, by session and in total. */
interface ProbeStats {
  readonly sessions: ReadonlyArray<{
    readonly file: string
    readonly session: string
    readonly title: string
    readonly rate: HitRate
  }>
  readonly total: HitRate
  /** Why sessions were not probed; each reason once. */
  readonly absent: readonly string[]
}

interface Wanted {
  readonly preset: string
  readonly samples?: boolean | undefined
}

/** Probes all sessions, one after the other. Only the counts of a message are kept. */
async function probeStats(
  workspace: Workspace,
  files: readonly string[],
  wanted: Wanted,
): Promise<ProbeStats> {
  const probe = await openReplayProbe(workspace, { ...wanted, probe: true })
  const sessions: Array<ProbeStats['sessions'][number]> = []
  const absent = new Set<string>()
  try {
    for (const file of files) {
      const { transcript } = await readFile(file, workspaceFormats(workspace))
      for (const session of transcript.sessions) {
        const probing = probe.session(file)
        let rate = noHitRate
        for (const message of messagesOf(session)) {
          const found = await probing.next(message)
          if (found !== null) rate = addHitRates(rate, hitRateOf(found))
        }
        if (probing.why() !== '') absent.add(probing.why())
        else sessions.push({ file, session: session.id, title: session.title, rate })
      }
    }
  } finally {
    await probe.close()
  }
  for (const why of absent) notice(`not probed: ${why}`)
  const total = sessions.reduce((sum, { rate }) => addHitRates(sum, rate), noHitRate)
  return { sessions, total, absent: [...absent] }
}

const HEADS = ['messages', 'probed', 'hit', 'strong', 'moderate', 'weak', 'failed']

function cellsOf({ messages, skipped, hit, strength, failed }: HitRate) {
  const { strong, moderate, weak } = strength
  return [messages, messages - skipped, hit, strong, moderate, weak, failed]
}

/** A table: a line a session, the sum, then the collections. */
function probeStatsText({ sessions, total }: ProbeStats): string {
  if (sessions.length === 0) return 'probe: no session was probed\n'
  const line = (rate: HitRate, name: string) => `${rightCells(cellsOf(rate), WIDTH)}  ${name}`
  return [
    'probe',
    rightCells(HEADS, WIDTH),
    ...sessions.map(({ rate, file, title }) => line(rate, `${file}: ${title}`)),
    line(total, 'all sessions'),
    ...total.collections.map(
      ({ collection, primary, supplemental }) =>
        `${rightCells([primary, supplemental], WIDTH)}  ${collection} (primary, supplemental)`,
    ),
    '',
  ].join('\n')
}
