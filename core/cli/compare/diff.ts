import type { FlipReport, CorpusFlip } from '../../engine/schema/lab.ts'
import { flipReport } from '../../host/flips/lab/flip-report.ts'
import { jsonLine, notice, styled } from '../../host/platform/terminal.ts'
import { command } from '../kit/command.ts'
import { sayCutOffs } from '../kit/cut-offs.ts'
import { openLab, openLabCorpus, type LabCorpus } from '../lab/lab-corpus.ts'
import type { ResolvedSide } from '../../host/drafts/sides.ts'
import { metricsText } from '../lab/lab-prose.ts'
import { parseSide } from '../lab/lab-side.ts'
import { LINKS, type Linker, openLinker, placeInCorpus } from '../kit/links.ts'
import { type PlacedStageFlip, type StageDiff, stageDiff } from './diff-stages.ts'
import { diffObserved, stageText } from './observed.ts'
import { CONFIG, type Given, LABELS, configOf, flag, text } from '../kit/options.ts'
import { CommandError, EXIT, print } from '../kit/output.ts'
import { TRUST } from '../trust/trust-option.ts'
import { numberedFromOne } from '../../host/platform/numbering.ts'
import { rightCell } from '../kit/table.ts'

const OPTIONS = {
  base: text('--base <side>', 'preset, domain file (name or path), git revision, or draft'),
  head: text(
    '--head <side>',
    'the other side; preset:X, domains:X and rev:X say which kind is meant',
  ),
  observed: flag('--observed', 'instead: what the files recorded when they ran, against --preset'),
  probe: flag('--probe', 'for personas: probe with an embedder outside this machine too'),
  noProbe: flag('--no-probe', 'do not compare personas'),
  samples: flag('--samples', 'for personas: ask the sample collections too'),
  ...LABELS,
  ...LINKS,
  ...TRUST,
  ...CONFIG,
}

/** `diff --base A --head B FILE…`: every turn that two configurations decide differently. */
export const diff = command({
  name: 'diff',
  summary: 'list turns that two configurations decide differently: exit code 1 if there are any',
  args: [['<file...>', 'sessions, or folders of them']],
  options: OPTIONS,
  run: runDiff,
})

const NO_SIDES = {
  what: 'two sides are needed',
  where: 'diff',
  do: 'Name them with --base and --head, or compare with what ran: --observed',
}

async function runDiff(options: Given<typeof OPTIONS>, files: readonly string[]): Promise<void> {
  if (options.observed === true) {
    await diffObserved(options, files)
    return
  }
  const { base: one, head: other } = options
  if (one === undefined || other === undefined) throw new CommandError(NO_SIDES)
  const lab = await openLab(options)
  const config = configOf(options)
  const sideOf = async (name: string) => {
    const side = await parseSide(lab, name, config)
    return { side, resolved: await lab.resolve(side) }
  }
  const sides = { base: await sideOf(one), head: await sideOf(other) }
  const base = sides.base.resolved
  const side = sides.head.resolved
  const corpus = await openLabCorpus({ ...lab, side }, files, options.labels ?? [])
  const { read, work, waiting, errors } = corpus
  const { classify } = read
  // All of them: a list that ends somewhere would not be a diff.
  const most = read.corpus.turns
  const cutOffs = async (each: ResolvedSide) =>
    sayCutOffs(await work.score(each.compiled.pipeline, waiting), each, work)
  const cutInBase = await cutOffs(base)
  const isJson = options.json === true
  const link = await openLinker(options)
  const list = createFlipList(corpus, isJson, link)
  const comparison = { work, read, classify, compileMs: 0, most }
  const report = await flipReport(comparison, { base, side }, { ...waiting, ...list.early })
  const isCut = [...cutInBase, ...(await cutOffs(side))].length > 0
  for (const name of report.otherKinds)
    notice(otherKindsText(name === 'base' ? '--base' : '--head'))
  await list.rest(report)
  const found = await stageDiff({ lab, corpus, wanted: options }, sides, report.total)
  const stages = await printStages(found.flips, isJson ? null : link)
  await (isJson ? printJsonSums : printSums)(report, stages, found.uncompared)
  for (const error of errors) notice(error)
  // [T62] If a pattern was cut off, the list of flips may be incomplete.
  if (errors.length > 0 || isCut) process.exitCode = EXIT.usage
  else if (report.total + stages.size > 0) process.exitCode = EXIT.findings
}

/**
 * [L51] Prints the differences in other stages, after the turns.
 * @param link null: lines of JSON
 */
async function printStages(
  flips: AsyncIterable<PlacedStageFlip>,
  link: Linker | null,
): Promise<StageCounts> {
  const counts = new Map<string, number>()
  for await (const { inFile, ...flip } of flips) {
    counts.set(flip.stage, (counts.get(flip.stage) ?? 0) + 1)
    const line =
      link === null
        ? jsonLine({ type: 'stage', ...flip })
        : stageText(flip, (text) =>
            link({ file: flip.file, session: inFile, event: flip.seq }, text),
          )
    await print(`${line}\n`)
  }
  return counts
}

/** Flips by stage; only stages that have some. */
type StageCounts = ReadonlyMap<string, number>

type Uncompared = StageDiff['uncompared']

async function printJsonSums(
  report: FlipReport,
  counts: StageCounts,
  absent: Uncompared,
): Promise<void> {
  const stages = Object.fromEntries(counts)
  const uncompared = Object.fromEntries(absent)
  // One line each above, and times differ from run to run.
  const summary = {
    type: 'summary',
    ...report,
    stages,
    uncompared,
    flips: undefined,
    soFar: undefined,
    elapsed: undefined,
  }
  await print(`${jsonLine(summary)}\n`)
}

async function printSums(
  report: FlipReport,
  stages: StageCounts,
  uncompared: Uncompared,
): Promise<void> {
  const { total, turns, direct, momentum, fixed, broken, before, after, ambiguous } = report
  if (before !== null && after !== null)
    await print(`base\n${metricsText(before)}\n\nhead\n${metricsText(after)}\n\n`)
  if (stages.size > 0)
    await print(
      `events of other stages flip too: ${[...stages].map(([stage, count]) => `${count} of ${stage}`).join(', ')}\n`,
    )
  const { base, side } = ambiguous
  if (base !== null || side !== null)
    await print(`ambiguous turns: ${base ?? 'no margin'} in base, ${side ?? 'no margin'} in head\n`)
  for (const [stage, why] of uncompared) await print(`not compared: ${stage} (${why})\n`)
  // The last line is the answer in short.
  await print(
    `${total} of ${turns} turns flip: ${direct} direct, ${momentum} by momentum; ${fixed} fixed, ${broken} broken by labels\n`,
  )
}

/** [L38] Compared are the turns of --head: a preset that classifies more has turns that are not among them. */
function otherKindsText(side: string): string {
  return `${side} classifies other kinds of events than the turns compared here: turns that only it has, and what momentum makes of them, are left out; "replay" shows them`
}

/** [L106] The list of flips: its beginning is written while the rest is still compared. */
function createFlipList(corpus: LabCorpus, isJson: boolean, link: Linker) {
  const write = isJson ? printJson : textPrinter(link)
  const { onProgress } = corpus.waiting
  let isBegun = false
  let written: Promise<number> = Promise.resolve(0)
  const writeOn = (report: FlipReport): Promise<number> =>
    (written = written.then(async (from) => {
      await write(corpus, report, from)
      return report.flips.length
    }))
  return {
    early: {
      onProgress: (done: number, total: number): void => {
        // A progress display would mix with the printed lines.
        if (!isBegun) onProgress?.(done, total)
      },
      onFirst: (report: FlipReport): void => {
        onProgress?.(1, 1)
        isBegun = true
        // The caller that awaits `rest` receives the failure.
        writeOn(report).catch(() => undefined)
      },
    },
    rest: writeOn,
  }
}

async function printJson({ read }: LabCorpus, report: FlipReport, from: number): Promise<void> {
  for (const flip of report.flips.slice(from)) {
    const { path = null, id = '' } = read.origins[flip.session] ?? {}
    await print(
      `${jsonLine(numberedFromOne({ type: 'flip', file: path, sessionId: id, ...flip }))}\n`,
    )
  }
}

const textPrinter =
  (link: Linker) =>
  async ({ read }: LabCorpus, report: FlipReport, from: number): Promise<void> => {
    let session = report.flips[from - 1]?.session ?? -1
    for (const flip of report.flips.slice(from)) {
      if (flip.session !== session) {
        const origin = read.origins[flip.session]
        await print(`${styled('bold', `${origin?.path ?? ''}  ${origin?.title ?? ''}`)}\n`)
      }
      session = flip.session
      const turn = link(placeInCorpus(read, flip.session, flip.seq), String(flip.turn + 1))
      await print(`${flipText(flip, turn)}\n`)
    }
  }

const pair = ({ primary, secondary }: CorpusFlip['before']) =>
  secondary === null ? primary : `${primary} + ${secondary}`

/** @param shown number of the turn, which may be a link */
function flipText(flip: CorpusFlip, shown: string): string {
  const { turn, cause, since, before, after, gained, lost, verdict, fields } = flip
  const why = cause === 'direct' ? 'direct' : `by momentum since turn ${since + 1}`
  const signals = [...gained.map((name) => `+${name}`), ...lost.map((name) => `-${name}`)]
  const change =
    pair(before) === pair(after)
      ? `${pair(before)} (${fields.join(', ')})`
      : `${pair(before)} → ${pair(after)}`
  const label = verdict === null ? [] : [verdict.replace('_', ' ')]
  return [`${rightCell(String(turn + 1), 6, shown)}  ${change}`, why, ...signals, ...label].join(
    '  ',
  )
}
