import { isAbsolute, resolve, join } from 'node:path'
import { InvalidArgumentError } from 'commander'
import { createStepBuilder } from '../../host/bundle/session/build-step.ts'
import { writeReports } from '../check/reports.ts'
import { counted } from '../../engine/result.ts'
import { LINT_TEXTS, type LintFinding } from '../../engine/schema/lab.ts'
import type { Reach } from '../../engine/schema/reach.ts'
import { lintFiles, lintScored } from '../../host/corpus/lab/lint-report.ts'
import { reachSteps } from '../../host/drafts/reach-steps.ts'
import type { ResolvedSide } from '../../host/drafts/sides.ts'
import { command } from '../kit/command.ts'
import { sayCutOffs } from '../kit/cut-offs.ts'
import { openLab, openLabCorpus } from '../lab/lab-corpus.ts'
import { CONFIG, type Given, LABELS, REPORTS, flag, parseFolder, parsed } from '../kit/options.ts'
import { EXIT, print, valueOrFail } from '../kit/output.ts'
import { recommendedBundle } from '../../engine/bundle/options.ts'
import type { Preset } from '../../engine/schema/preset.ts'
import { lintDispatch } from '../../host/bundle/session/lint.ts'
import { loadStepLibrary } from '../../host/bundle/session/step-library.ts'
import { loadTokenizers } from '../../host/bundle/session/tokenizers.ts'
import type { Workspace } from '../../host/workspace/workspace.ts'
import { jsonLine, notice } from '../../host/platform/terminal.ts'
import {
  LESSON_RULES,
  type Lesson,
  lessonPlace,
  lintSegments,
  lintSelfSignals,
  lintStepResults,
  type LintedSession,
} from './lint-sessions.ts'
import { LINKS, type LinkTo, openLinker } from '../kit/links.ts'
import { workspaceFormats } from '../../host/transcripts/own-formats.ts'
import { readFile } from '../replay/replayer.ts'
import { lintVerdicts } from '../../engine/coach/lint.ts'
import { verdictOf } from '../../host/coach/main/shown.ts'
import { openVerdictStore } from '../../host/coach/main/verdict-store.ts'
import { createCoachRequests } from '../../host/coach/session/service.ts'
import { createTimeLimit } from '../../host/platform/guard/guard.ts'
import { readModelAnswer } from '../../engine/coach/model-answer.ts'

const DISPATCH = 'dispatch'
const RULES = [
  ...LINT_TEXTS,
  [DISPATCH, 'A prompt of a pipeline step was not made by the bundle factory.'],
  ...LESSON_RULES,
] as const
type RuleName = (typeof RULES)[number][0]
const RULE_NAMES = RULES.map(([name]) => name)

function parseRule(name: string, before: readonly RuleName[] = []): readonly RuleName[] {
  const rule = RULE_NAMES.find((each) => each === name)
  if (rule !== undefined) return [...before, rule]
  throw new InvalidArgumentError(`The rules are: ${RULE_NAMES.join(', ')}.`)
}

const OPTIONS = {
  ...LABELS,
  root: parsed(
    '--root <dir>',
    'folder where paths of pipeline steps start (default: as recorded)',
    parseFolder,
  ),
  rule: parsed('--rule <name>', 'only this rule (several times)', parseRule),
  witnesses: flag(
    '--witnesses',
    'for every signal, domain, tie-break, gate and rule of momentum: messages that reach it, the proof that none do, or that it is not decided',
  ),
  strict: flag('--strict', 'warnings count as errors'),
  ...LINKS,
  ...CONFIG,
  ...REPORTS,
}
type LintOptions = Given<typeof OPTIONS>

/** One finding of any rule, as the terminal and the report files show it. */
interface Shown {
  readonly rule: RuleName
  readonly severity: LintFinding['severity']
  readonly file: string
  /** Path of the file; null if no file can be named. */
  readonly path: string | null
  readonly line: number | null
  readonly column: number | null
  /** [F189] The place that the window opens; null if the lesson belongs to no event of a session. */
  readonly at: LinkTo | null
  readonly text: string
  readonly identity: string
  /** As it is printed with --json. */
  readonly json: object
}

/** `lint [FILE…]`: reports problems of a configuration, alone and over sessions. */
export const lint = command({
  name: 'lint',
  summary: 'find signals, domains and gates that do not do what they should',
  args: [
    ['[file...]', 'sessions or folders of them; without any, only the configuration is checked'],
  ],
  options: OPTIONS,
  run: runLint,
})

async function runLint(options: LintOptions, files: readonly string[]): Promise<void> {
  const lab = await openLab(options)
  const { side, workspace } = lab
  // The guard of step prompts needs no scores, and no labels.
  const onlySteps = options.rule?.every((rule) => rule === DISPATCH) === true
  if (options.witnesses === true) await writeWitnesses(side, options.json === true)
  const findings = onlySteps ? [] : [...(await lintFiles(side, workspace))]
  const errors: string[] = []
  let unreadable: readonly string[] = []
  let paths = files
  if (!onlySteps && (files.length > 0 || options.labels !== undefined)) {
    const corpus = await openLabCorpus(lab, files, options.labels ?? [])
    const { read, work, waiting } = corpus
    const scored = await work.score(side.compiled.pipeline, waiting)
    errors.push(...sayCutOffs(scored, side, work))
    findings.push(...(await lintScored(side, scored, read, { work, waiting })))
    errors.push(...corpus.errors)
    unreadable = corpus.errors
    paths = read.files.map(({ path }) => path)
  }
  const preset = side.files.preset.value
  const found = await lintSteps(paths, workspace, { preset, root: options.root ?? null })
  const lessons = onlySteps ? [] : [...lintSegments(workspace.roots), ...found.lessons]
  const steps = [...found.dispatch.map(stepShown), ...lessons.map(lessonShown)]
  const all = [...findings.map((each) => findingShown(each, side)), ...steps]
  const wanted = all.filter(({ rule }) => options.rule === undefined || options.rule.includes(rule))
  await write(wanted, errors, options)
  for (const error of unreadable) notice(error)
  if (wanted.length > 0) notice(counted(wanted.length, 'finding'))
  process.exitCode = exitOf(wanted, errors, options.strict === true)
}

/** [K21] Each with its messages in order, the proof, or that nothing is known. */
async function writeWitnesses(side: ResolvedSide, json: boolean): Promise<void> {
  let all: readonly Reach[] = []
  const steps = reachSteps(side, (found) => (all = found))
  while (steps.next().done !== true);
  for (const one of all) {
    const told = {
      reached: one.witness.map((text) => jsonLine(text)).join(' → '),
      never: `never: ${one.why}${one.off ? ' (off)' : ''}`,
      undecided: `not decided: ${one.why}`,
    }[one.status]
    const line = json ? jsonLine({ type: 'reach', ...one }) : `${one.kind} ${one.name}: ${told}`
    await print(`${line}\n`)
  }
}

/** [T48] Findings of severity error end with 1, with --strict those of severity warning too. */
function exitOf(findings: readonly Shown[], errors: readonly string[], strict: boolean): number {
  if (errors.length > 0) return EXIT.usage
  const bad = findings.some(
    ({ severity }) => severity === 'error' || (strict && severity === 'warning'),
  )
  return bad ? EXIT.findings : EXIT.ok
}

function findingShown(finding: LintFinding, { files }: ResolvedSide): Shown {
  const { rule, severity, file, line, column, what, domain, id, signal, pattern } = finding
  const known = [files.domains, files.preset, files.profile]
  const path = known.find((each) => each?.file.shown === file)?.file.path ?? null
  const name = signal === null ? domain : `${domain ?? ''}/${id ?? String(signal + 1)}`
  const text = `${name === null ? '' : `${name}: `}${what} ${finding.do}`.trim()
  const identity = [file, domain, id ?? pattern ?? '', pattern ?? what].join('\n')
  return { rule, severity, file, path, line, column, at: null, text, identity, json: finding }
}

/** Lessons are shown, and nothing is broken by them. */
function lessonShown({ rule, file, session, line, at, text }: Lesson): Shown {
  return {
    rule,
    severity: 'info',
    file,
    line,
    column: null,
    at,
    text,
    path: isAbsolute(file) ? file : resolve(file),
    identity: [file, session ?? '', rule, text].join('\n'),
    json: { rule, severity: 'info', file, session, line, what: text },
  }
}

type Step = StepFinding

function stepShown({ file, session, sourceLine, at, finding }: Step): Shown {
  const { rule, message, ...rest } = finding
  return {
    rule: DISPATCH,
    severity: 'error',
    file,
    line: sourceLine,
    column: null,
    at,
    path: isAbsolute(file) ? file : resolve(file),
    text: `${rule}: ${message}`,
    identity: [file, session, rule, message].join('\n'),
    json: { file, session, sourceLine, rule, message, ...rest },
  }
}

async function write(
  findings: readonly Shown[],
  errors: readonly string[],
  options: LintOptions,
): Promise<void> {
  const link = await openLinker(options)
  for (const { file, line, at, rule, severity, text: what, json } of findings) {
    const place = link(at, line === null ? file : `${file}:${line}`)
    const words = rule === DISPATCH ? what : `${severity} ${rule}: ${what}`
    await print(options.json === true ? `${jsonLine(json)}\n` : `${place}: ${words}\n`)
  }
  await writeReports(options, {
    name: 'lint',
    errors,
    cases: findings.map(({ file, line, rule, severity, text: failure }) => ({
      suite: file,
      name: `${rule}${line === null ? '' : ` line ${line}`}`,
      failure: severity === 'info' ? null : failure,
    })),
    rules: RULES.map(([id, text]) => ({ id, text })),
    results: findings.map(({ severity, path, ...finding }) => ({
      ...finding,
      level: LEVELS[severity],
      file: path,
    })),
  })
}

const LEVELS = { error: 'error', warning: 'warning', info: 'note' } as const

/** A prompt that the dispatch guard objects to. */
interface StepFinding {
  readonly file: string
  readonly session: string
  readonly sourceLine: number
  readonly at: LinkTo
  readonly finding: ReturnType<typeof lintDispatch>[number]
}

/** Prompts of pipeline steps in sessions that were not made by the bundle factory. */
async function lintSteps(
  files: readonly string[],
  workspace: Workspace,
  { preset, root: given }: { readonly preset: Preset; readonly root: string | null },
): Promise<{ readonly dispatch: readonly StepFinding[]; readonly lessons: readonly Lesson[] }> {
  if (files.length === 0) return { dispatch: [], lessons: [] }
  const library = valueOrFail(loadStepLibrary(workspace.roots))
  const tokenizers = await loadTokenizers()
  const build = createStepBuilder({
    library,
    tokenizers,
    budgets: null,
    estimator: null,
    named: given,
    now: () => 0,
    options: preset.bundle ?? recommendedBundle,
    roots: workspace.roots,
  })
  const found: StepFinding[] = []
  const lessons: Lesson[] = []
  const lintVerdicts = createVerdictLint(workspace)
  for (const file of files) {
    const { transcript } = await readFile(file, workspaceFormats(workspace))
    for (const [index, session] of transcript.sessions.entries()) {
      const linted = { file, index, session }
      lessons.push(...lintSelfSignals(linted, preset))
      lessons.push(...(await lintVerdicts(linted)))
      lessons.push(...lintStepResults(linted, build))
      for (const finding of lintDispatch(session, build)) {
        const { line, at } = lessonPlace(linted, finding.seq)
        found.push({ file, session: session.id, sourceLine: line ?? 0, at, finding })
      }
    }
  }
  return { dispatch: found, lessons }
}

/** Lint of the verdicts of one session. */
type LintVerdicts = (of: LintedSession) => Promise<readonly Lesson[]>

/**
 * [L40] [L37] Verdicts of models that the workspace keeps, and those that the file itself recorded. The rules'
 * own verdict is no run; that it differs is no finding here.
 */
function createVerdictLint(workspace: Workspace): LintVerdicts {
  const requests = createCoachRequests(workspace, createTimeLimit())
  const store = openVerdictStore(join(workspace.root, '.turnscope'), notice)
  const { signal } = new AbortController()

  return async (of) => {
    const { file, session } = of
    const { basis, rows } = await requests.rows(
      { session, transcript: file, task: undefined },
      signal,
    )
    const lessons: Lesson[] = []
    for (const { seq, content, recorded } of rows) {
      const kept = (await store.runs(content)).flatMap((run) => verdictOf(run, basis) ?? [])
      const own = recorded.flatMap((raw) => readModelAnswer(raw, basis, 'recorded') ?? [])
      for (const { kind, what } of lintVerdicts([...kept, ...own], null)) {
        lessons.push({ ...lessonPlace(of, seq), rule: 'verdict', text: `${kind}: ${what}` })
      }
    }
    return lessons
  }
}
