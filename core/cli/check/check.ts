import { relative } from 'node:path'
import { InvalidArgumentError } from 'commander'
import { writeReports } from './reports.ts'
import { counted } from '../../engine/result.ts'
import { countAmbiguous } from '../../engine/lab/metrics/abstain.ts'
import type { FlipReport } from '../../engine/schema/lab.ts'
import type { LabMetrics } from '../../engine/schema/metrics.ts'
import {
  type CheckedMinimum,
  type CheckedTurn,
  checkMinimums,
  checkTurns,
  tooManyFlips,
} from '../../host/check/lab/check-report.ts'
import { flipReport, metricsOf } from '../../host/flips/lab/flip-report.ts'
import type { JUnitCase } from '../../host/check/lab/junit.ts'
import type { SarifResult } from '../../host/check/lab/sarif.ts'
import { numberedFromOne } from '../../host/platform/numbering.ts'
import { jsonLine, notice } from '../../host/platform/terminal.ts'
import { command } from '../kit/command.ts'
import { sayCutOffs } from '../kit/cut-offs.ts'
import { openLab, openLabCorpus, type Lab, type LabCorpus } from '../lab/lab-corpus.ts'
import { metricsText } from '../lab/lab-prose.ts'
import { parseSide } from '../lab/lab-side.ts'
import { LINKS, openLinker, type Linker, placeInCorpus } from '../kit/links.ts'
import {
  CONFIG,
  type Given,
  LABELS,
  REPORTS,
  configOf,
  parseShare,
  parseWhole,
  parsed,
  text,
} from '../kit/options.ts'
import { CommandError, EXIT, print } from '../kit/output.ts'
import { TRUST } from '../trust/trust-option.ts'
import { wrongWords } from '../../engine/lab/why/why-wrong.ts'

const OPTIONS = {
  ...LABELS,
  minStrict: parsed(
    '--min-strict <share>',
    'least share of turns with exactly their label',
    parseShare,
  ),
  minAlternatives: parsed(
    '--min-alternatives <share>',
    'least share of turns with their label or an accepted alternative',
    parseShare,
  ),
  minF1: parsed('--min-f1 <domain=share>', 'least F1 of a domain (several times)', parseF1),
  base: text('--base <side>', 'compare with a preset, domain file or git revision, as in diff'),
  maxFlips: parsed(
    '--max-flips <count>',
    'how many turns may flip against --base at most',
    parseWhole,
  ),
  ...LINKS,
  ...TRUST,
  ...CONFIG,
  ...REPORTS,
}
type CheckOptions = Given<typeof OPTIONS>

/** `check [FILE…] --labels …`: are labelled turns decided as their labels say? */
export const check = command({
  name: 'check',
  summary: 'compare a configuration with labels: exit code 1 if a labelled turn is wrong',
  args: [['[file...]', 'sessions, or folders of them; labels beside them are read']],
  options: OPTIONS,
  run: runCheck,
})

/** `DOMAIN=0.7`, several times. */
function parseF1(
  value: string,
  before: ReadonlyMap<string, number> = new Map(),
): ReadonlyMap<string, number> {
  const at = value.lastIndexOf('=')
  if (at < 1) throw new InvalidArgumentError('Write it as DOMAIN=0.7.')
  return new Map([...before, [value.slice(0, at), parseShare(value.slice(at + 1))]])
}

/** All that a check found; terminal, files and JSON say the same. */
interface CheckResult {
  readonly turns: number
  readonly metrics: LabMetrics | null
  /** [B24] Turns marked ambiguous; null: the preset names no margin. */
  readonly ambiguous: number | null
  readonly checked: readonly CheckedTurn[]
  readonly minimums: readonly CheckedMinimum[]
  readonly flips: Pick<FlipReport, 'total' | 'direct' | 'momentum'> | null
  readonly tooManyFlips: string | null
  readonly errors: readonly string[]
  /**
   * [T62] Patterns that were cut off. They also count as errors, because it is unknown whether they would have matched.
   */
  readonly cutOffs: readonly string[]
  readonly domainFile: string
}

async function runCheck(options: CheckOptions, files: readonly string[]): Promise<void> {
  if (files.length === 0 && options.labels === undefined) {
    const what = 'there is nothing to check'
    throw new CommandError({
      what,
      where: 'check',
      do: 'Name sessions, or give --labels with a file of cases',
    })
  }
  if (options.maxFlips !== undefined && options.base === undefined) {
    throw new CommandError({
      what: '--max-flips needs --base',
      where: 'check',
      do: 'Add --base with the configuration to compare with',
    })
  }
  const lab = await openLab(options)
  const corpus = await openLabCorpus(lab, files, options.labels ?? [])
  const result = await checkCorpus(lab, corpus, options)
  const { errors } = result
  const cases = casesOf(result)
  const results = findingsOf(result)
  await writeReports(options, { name: 'check', cases, rules: RULES, results, errors })
  const link = await openLinker(options)
  await print(
    options.json === true
      ? `${jsonLine(numberedFromOne(result))}\n`
      : textOf(result, linkedTurns(corpus, result.checked, link)),
  )
  // Cut-offs were reported when they happened.
  for (const error of errors) if (!result.cutOffs.includes(error)) notice(error)
  process.exitCode = exitOf(result)
}

async function checkCorpus(
  lab: Lab,
  { read, work, waiting, errors }: LabCorpus,
  options: CheckOptions,
): Promise<CheckResult> {
  const { side } = lab
  const scored = await work.score(side.compiled.pipeline, waiting)
  const metrics = metricsOf(scored, read)
  const base =
    options.base === undefined
      ? null
      : await lab.resolve(await parseSide(lab, options.base, configOf(options)))
  const before = base === null ? null : await work.score(base.compiled.pipeline, waiting)
  const cutOffs = [
    ...sayCutOffs(scored, side, work),
    ...(base === null || before === null ? [] : sayCutOffs(before, base, work)),
  ]
  const report =
    base === null
      ? null
      : await flipReport(
          { work, read, classify: read.classify, compileMs: 0 },
          { base, side },
          waiting,
        )
  const none = read.labels.size === 0 ? ['no labelled turn was found'] : []
  return {
    ambiguous: countAmbiguous(scored),
    turns: read.corpus.turns,
    metrics,
    checked: checkTurns(read, scored, side),
    minimums: checkMinimums(metrics, {
      strict: options.minStrict ?? null,
      alternatives: options.minAlternatives ?? null,
      f1: options.minF1 ?? new Map(),
    }),
    flips:
      report === null
        ? null
        : { total: report.total, direct: report.direct, momentum: report.momentum },
    tooManyFlips: tooManyFlips(report, options.maxFlips ?? null),
    errors: [...errors, ...none, ...cutOffs],
    cutOffs,
    domainFile: side.files.domains.file.path,
  }
}

/**
 * [T47] An input that could not be used weighs more than findings: the answer is not complete. Where
 * minimum metrics are given they decide, and wrong turns are listed only.
 */
function exitOf({ checked, minimums, tooManyFlips: flips, errors }: CheckResult): number {
  if (errors.length > 0) return EXIT.usage
  const bad =
    minimums.length > 0
      ? minimums.some(({ missed }) => missed)
      : checked.some(({ wrong }) => wrong !== null)
  return bad || flips !== null ? EXIT.findings : EXIT.ok
}

function minimumWords({ name, least, value, of }: CheckedMinimum): string {
  return `${name} is ${value === null ? 'unknown' : value.toFixed(3)} (n = ${of}), at least ${least} was asked for`
}

function placeOf(domainFile: string, line: number | null): string {
  const shown = relative(process.cwd(), domainFile)
  const path = shown.startsWith('..') ? domainFile : shown
  return line === null ? path : `${path}:${line}`
}

function textOf(result: CheckResult, turn: TurnWords): string {
  const wrong = result.checked
    .filter((each) => each.wrong !== null)
    .map(
      (each) =>
        `${placeOf(result.domainFile, each.line)}: ${each.wrong ?? ''}: ${wordsOf(each, turn)}`,
    )
  const missed = result.minimums
    .filter((each) => each.missed)
    .map((each) => `minimum missed: ${minimumWords(each)}`)
  const { flips, metrics, ambiguous, turns } = result
  const lines = [
    ...(metrics === null ? [] : [metricsText(metrics)]),
    ...(ambiguous === null ? [] : [`ambiguous          ${ambiguous} of ${turns} turns (B20)`]),
    ...(flips === null
      ? []
      : [
          `flips              ${flips.total} of ${result.turns}: ${flips.direct} direct, ${flips.momentum} by momentum`,
        ]),
    ...wrong,
    ...missed,
    ...(result.tooManyFlips === null ? [] : [result.tooManyFlips]),
    ...(result.checked.length === 0 ? [] : [summaryOf(result)]),
  ]
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`
}

/** The last line: whether it passes, and why not. */
function summaryOf(result: CheckResult): string {
  const { checked, minimums, tooManyFlips } = result
  const wrong = checked.filter((each) => each.wrong !== null)
  const forbidden = wrong.filter((each) => each.wrong === 'forbidden-domain').length
  const missed = minimums.filter((each) => each.missed).length
  const parts = [
    `${wrong.length} of ${counted(checked.length, 'labelled turn')} wrong${forbidden === 0 ? '' : `, ${forbidden} of them by a domain that the label forbids`}`,
    ...(minimums.length === 0
      ? []
      : [`${missed} of ${counted(minimums.length, 'minimum', 'minimums')} missed`]),
    ...(tooManyFlips === null ? [] : ['too many flips']),
  ]
  return `${exitOf(result) === EXIT.ok ? 'passed' : 'failed'}: ${parts.join('; ')}`
}

function casesOf({ checked, minimums, tooManyFlips: flips }: CheckResult): readonly JUnitCase[] {
  const turns = checked.map((each): JUnitCase => {
    const name = `${each.session}, turn ${each.turn + 1}: ${each.expected}`
    const fails = each.wrong !== null && minimums.length === 0
    return { suite: each.file, isFile: true, name, failure: fails ? wordsOf(each) : null }
  })
  const limits = minimums.map((each): JUnitCase => {
    const failure = each.missed ? minimumWords(each) : null
    return { suite: 'minimums', name: `${each.name} ≥ ${each.least}`, failure }
  })
  const flipped = flips === null ? [] : [{ suite: 'minimums', name: 'flips', failure: flips }]
  return [...turns, ...limits, ...flipped]
}

const RULES = [
  { id: 'wrong-primary', text: 'A labelled turn got another primary domain than its label says.' },
  { id: 'forbidden-domain', text: 'A labelled turn got a domain that its label forbids.' },
  { id: 'minimum', text: 'A metric over labels is below the minimum that was asked for.' },
  { id: 'flips', text: 'More turns flip than may.' },
] as const

function findingsOf({
  checked,
  minimums,
  tooManyFlips: flips,
  domainFile: file,
}: CheckResult): readonly SarifResult[] {
  const turns = checked.flatMap((each): SarifResult[] => {
    const { wrong, line, column } = each
    if (wrong === null) return []
    const identity = `${each.sha256} ${each.expected}`
    // Turns that do not decide the result become notes, not errors.
    const level = minimums.length > 0 ? 'note' : 'error'
    return [{ rule: wrong, level, text: wordsOf(each), file, line, column, identity }]
  })
  const whole = (rule: string, text: string, identity: string): SarifResult => {
    return { rule, level: 'error', text, file, line: null, column: null, identity }
  }
  const missed = minimums.filter((each) => each.missed)
  return [
    ...turns,
    ...missed.map((each) => whole('minimum', minimumWords(each), each.name)),
    ...(flips === null ? [] : [whole('flips', flips, 'flips')]),
  ]
}

/** The number of a turn, which may be a link. */
type TurnWords = (each: CheckedTurn) => string

const turnWords: TurnWords = ({ turn }) => `turn ${turn + 1}`

/** [F189] Renders turn numbers as links. Checked turns are in the order of the labeled turns. */
function linkedTurns(
  { read }: LabCorpus,
  checked: readonly CheckedTurn[],
  link: Linker,
): TurnWords {
  const turns = [...read.labels.keys()].toSorted((a, b) => a - b)
  const places = new Map(
    checked.map((each, at) => {
      const session = read.corpus.sessionOf(turns[at] ?? -1)
      return [each, placeInCorpus(read, session, each.seq)]
    }),
  )
  return (each) => link(places.get(each) ?? null, turnWords(each))
}

/** The decision for a labeled turn, and its reason. `turn` renders the turn number. */
function wordsOf(each: CheckedTurn, turn: TurnWords = turnWords): string {
  return `${each.session}, ${turn(each)} ${verdictWords(each)}`
}

function verdictWords({
  seq,
  expected,
  accepted,
  primary,
  secondary,
  wrong,
  because,
  why,
  fires,
}: CheckedTurn): string {
  const other = accepted.length === 0 ? '' : ` (or ${accepted.join(', ')})`
  const pair = secondary === null ? primary : `${primary} + ${secondary}`
  // [K12] Of skills all that fire count.
  const got = fires === null ? pair : fires.join(', ')
  const reason = [...because, wrongWords(expected, why)].join('; ')
  const bad = wrong === 'forbidden-domain' ? ', which the label forbids' : ''
  return `(event ${seq + 1}): expected ${expected}${other}, got ${got}${bad} (${reason})`
}
