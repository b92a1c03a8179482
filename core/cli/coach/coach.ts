import { basename, join, resolve } from 'node:path'
import { InvalidArgumentError } from 'commander'
import { passes } from '../../engine/coach/message.ts'
import { CoachCost, CoachSettings, type CoachOutput } from '../../engine/schema/coach-wire.ts'
import type { CoachTask } from '../../engine/schema/coach.ts'
import { itemOfCoach, namesCoach } from '../../engine/trust/items.ts'
import type { Session } from '../../engine/schema/session.ts'
import {
  type CoachRequests,
  type SessionWithTask,
  createCoachRequests,
} from '../../host/coach/session/service.ts'
import { estimateOf, runBatch } from '../../host/coach/main/batch.ts'
import { type Ceiling, createCeiling } from '../../host/coach/main/ceiling.ts'
import { type CoachService, createCoachService, labelAt } from '../../host/coach/main/service.ts'
import { outputOf } from '../../host/coach/main/shown.ts'
import { createTimeLimit } from '../../host/platform/guard/guard.ts'
import { openStateStore } from '../../host/settings/main/state-store.ts'
import { openWorkspace } from '../../host/workspace/workspace.ts'
import { openGate } from '../../host/platform/trust/gate.ts'
import { jsonLine, notice, styled } from '../../host/platform/terminal.ts'
import { ownFormats, readFile } from '../replay/replayer.ts'
import { type CoachSums, coachSums, coachTable, estimateLine, foldedLine } from './coach-table.ts'
import { command } from '../kit/command.ts'
import { HOME } from '../../place.ts'
import { type Given, WORKSPACE, flag, parsed, text, oneOf } from '../kit/options.ts'
import { CommandError, createMeter, EXIT, print } from '../kit/output.ts'
import { TRUST } from '../trust/trust-option.ts'
import { placeOf } from '../trust/trusted.ts'
import type { Immutable } from '../../engine/schema/immutable.ts'
import { firstWords } from '../kit/table.ts'
import { verdictBasis } from '../../engine/coach/basis.ts'
import { scoreVerdicts } from '../../engine/coach/score.ts'
import { OUTPUTS, basisLines } from '../../engine/lab/metrics/basis-words.ts'
import { measured } from '../../engine/lab/queue/precision.ts'
import { measuredWords } from '../../engine/lab/queue/words.ts'

const PROVIDERS = CoachSettings.shape.provider.options

/** [V42] A ceiling: a number above 0. */
const amount = (name: string, about: string) =>
  parsed<number>(name, about, (given) => {
    const value = Number(given)
    if (Number.isFinite(value) && value > 0) return value
    throw new InvalidArgumentError(`"${given}" is no number above 0.`)
  })

const OPTIONS = {
  rules: flag('--rules', 'judge by the rules alone; nothing is sent anywhere (default)'),
  model: parsed<string | true>(
    '--model [name]',
    'ask the model of the settings, or this one; the cost is shown first',
    (name) => name,
  ),
  provider: oneOf('--provider <name>', 'API of the model', PROVIDERS),
  baseUrl: text('--base-url <url>', 'address of the model, e.g. http://127.0.0.1:11434/v1'),
  maxCost: amount('--max-cost <dollars>', 'stop before a run would cost more'),
  maxTokensTotal: amount('--max-tokens-total <n>', 'stop before a run would use more tokens'),
  plan: text('--plan <file>', 'plan that the agent works by; its success criteria are read'),
  skill: text('--skill <name>', 'skill that was active'),
  explain: flag('--explain', 'say why, sentence by sentence: act, evidence, and the rule'),
  all: flag('--all', 'list the outputs too after which the agent went on by itself'),
  labels: flag('--labels', 'compare with the labels of the workspace'),
  json: flag('--json', 'JSON lines instead of text'),
  ...TRUST,
  ...WORKSPACE,
}
type CoachOptions = Given<typeof OPTIONS>

/** `coach FILE…`: what every output of an agent is, and what would be sent back. */
export const coach = command({
  name: 'coach',
  summary: 'judge every output of the agent: a table, or with --json one verdict a line',
  args: [['<file...>', 'transcripts, of any known format']],
  options: OPTIONS,
  run: async (options, files) => {
    const opened = await openCoachOf(options)
    const sums: CoachSums = { outputs: 0, back: 0, wentOn: 0, hypothetical: 0 }
    const labelled: Labelled[] = []
    for (const file of files) {
      const { transcript } = await readFile(file, ownFormats(options))
      for (const session of transcript.sessions) {
        const judged = await judgeSession(opened, { file, session }, options)
        sums.outputs += judged.length
        const back = judged.filter((one) => !passes(one.verdict))
        sums.back += back.length
        sums.wentOn += back.filter((one) => one.wentOn).length
        const source = files.length > 1 ? file : session.id
        labelled.push(...labelledOf(judged).map((one) => ({ ...one, source })))
        sums.hypothetical += judged.filter((one) => one.wentOn).length
      }
    }
    await opened.service.settled()
    if (labelled.length > 0 && options.labels === true) {
      const said = basisText(labelled)
      if (options.json === true) notice(said)
      else await print(`${said}\n`)
    }
    const log = `every verdict is logged in ${opened.service.logPath}`
    if (options.json === true) notice(log)
    else await print(`${coachSums(sums)}${log}\n`)
    // [V62] An output that goes back is a finding, unless the agent continued without the user.
    if (sums.back > sums.wentOn) process.exitCode = EXIT.findings
  },
})

interface OpenedCoach {
  /** [V42] One for all files of the command. */
  readonly ceiling: () => Ceiling
  readonly requests: CoachRequests
  readonly service: CoachService
}

async function openCoachOf(options: CoachOptions): Promise<OpenedCoach> {
  const workspace = openWorkspace(options.workspace, HOME)
  const stateDir = join(workspace.root, '.turnscope')
  const state = openStateStore(stateDir, notice)
  const { coach: stored } = await state.settings()
  const chosen = withOptions(stored, options)
  // [V36] If the workspace names no model, or the command line gives the address, the operator chose the model.
  const isTyped = (options.baseUrl ?? options.provider) !== undefined || !namesCoach(stored)
  const place = placeOf(options, isTyped ? [itemOfCoach(chosen)] : [])
  let ceiling: Ceiling | null = null
  return {
    ceiling: () => (ceiling ??= createCeiling(chosen)),
    requests: createCoachRequests(workspace, createTimeLimit()),
    service: createCoachService({
      workspace: workspace.root,
      stateDir,
      trust: openGate(place),
      settings: () => Promise.resolve(chosen),
      say: notice,
      clock: () => Date.now(),
    }),
  }
}

/** `--model` turns the model on for this run; nothing is stored. */
function withOptions(stored: CoachSettings, options: CoachOptions): CoachSettings {
  const { model, provider, baseUrl, maxCost, maxTokensTotal } = options
  return {
    ...stored,
    mode: model === undefined ? 'off' : 'model',
    ...(typeof model === 'string' ? { model } : {}),
    ...(provider === undefined ? {} : { provider }),
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(maxCost === undefined ? {} : { maxCost }),
    ...(maxTokensTotal === undefined ? {} : { maxTokens: Math.floor(maxTokensTotal) }),
  }
}

interface Place {
  readonly file: string
  readonly session: Session
}

async function judgeSession(
  { requests, service, ceiling }: OpenedCoach,
  { file, session }: Place,
  options: CoachOptions,
) {
  const { signal } = new AbortController()
  const of = { session, transcript: file, task: taskOf(options) }
  const set = await requests.rows(of, signal)
  sayPlanProblem(set.planProblem, options)
  if (set.basis.problem !== null) notice(set.basis.problem)
  if (options.model !== undefined && options.rules !== true) {
    await askModel(service, { requests, of, set, ceiling: ceiling() })
  } else {
    service.logRules(set.rows, set.basis)
  }
  const labels = options.labels === true ? await service.labels.of(basename(file)) : []
  const seqs = set.rows.map((row) => row.seq)
  const asked = await requests.prepare(of, seqs)
  const { prepared, basis, id } = asked
  const { promptHash } = basis
  const known = await service.known(
    prepared.map(({ content, labelContent, seq }) => {
      const label = labelAt(labels, { session: id, seq, content: labelContent })
      return { content, promptHash, label }
    }),
  )
  // Without --model the rules alone decide, even if a model answered earlier.
  const byRules = options.model === undefined ? { answer: null, failure: null } : {}
  const judged = prepared.map((one, index) => {
    const given = known[index]
    return outputOf(one, given === undefined ? given : { ...given, ...byRules }, asked)
  })
  await show(judged, { file, session }, options)
  return judged
}

/** [V61] A path is relative to the directory in which the command runs. */
function taskOf(options: CoachOptions): CoachTask {
  const { plan = null, skill = null } = options
  const isPath = plan !== null && plan !== '' && !plan.includes('\n')
  return { plan: isPath ? resolve(plan) : plan, skill }
}

/** A plan named on the command line must exist. A plan named in a transcript may be missing. */
function sayPlanProblem(problem: string | null, { plan }: CoachOptions): void {
  if (problem === null) return
  if (plan === undefined) {
    notice(problem)
    return
  }
  throw new CommandError({ what: problem, where: '--plan', do: 'Name a file that can be read' })
}

type Shown = ReadonlyArray<ReturnType<typeof outputOf>>

async function show(judged: Shown, { file, session }: Place, options: CoachOptions) {
  if (options.json === true) {
    for (const one of judged) await print(`${jsonLine(lineOf(one, { file, session }, options))}\n`)
    return
  }
  const table = coachTable(process.stdout.columns > 0 ? process.stdout.columns : 160)
  await print(`${file}: ${session.title}\n${table.head()}\n`)
  const folded = options.all === true ? [] : judged.filter((one) => one.wentOn)
  for (const one of judged) {
    if (folded.includes(one)) continue
    await print(`${table.row(one)}\n`)
    if (options.explain === true) await print(explained(one))
  }
  if (folded.length > 0) await print(foldedLine(folded))
  if (options.labels !== true) return
  await print(agreementLine(judged))
}

function lineOf(one: Shown[number], { file, session }: Place, { explain }: CoachOptions) {
  const { seq, verdict, rules, wentOn, message, failure, cost, findings, label } = one
  const { type, confidence, reason, coaching_message, flags, source } = verdict
  return {
    file,
    session: session.id,
    seq,
    type,
    confidence,
    reason,
    coaching_message,
    message,
    passes: passes(verdict),
    went_on: wentOn,
    flags,
    source,
    rules: rules.type,
    ...explainedAs(one, explain === true),
    findings,
    label,
    failure,
    cost: cost && CoachCost.parse(cost),
  }
}

async function askModel(
  service: CoachService,
  {
    requests,
    of,
    set,
    ceiling,
  }: Pick<OpenedCoach, 'requests'> & {
    readonly ceiling: Ceiling
    readonly of: SessionWithTask
    readonly set: Awaited<ReturnType<CoachRequests['rows']>>
  },
): Promise<void> {
  const estimate = await estimateOf(service, set, null)
  if (estimate.problem !== null) {
    const { what, do: advice } = estimate.problem
    const how = 'settings of the workbench, or --model NAME --provider P --base-url URL'
    throw new CommandError({ what, where: '--model', do: `${advice} (${how})` })
  }
  notice(estimateLine(estimate))
  const stop = new AbortController()
  const interrupt = () => stop.abort()
  process.once('SIGINT', interrupt)
  const prepare = async (seq: number) => {
    const [prepared] = (await requests.prepare(of, [seq])).prepared
    if (prepared === undefined) throw new Error('nothing was prepared')
    return prepared
  }
  const meter = createMeter()
  for await (const step of runBatch(service, { set, seqs: null, prepare, ceiling }, stop.signal)) {
    if (step.kind === 'progress') meter.show(`${step.done} of ${step.total} outputs`)
    if (step.kind !== 'done') continue
    meter.clear()
    const { calls, cached, failed, dollars, failure } = step
    const paid = dollars === null ? '' : `, ${dollars.toFixed(4)} dollars`
    const ended = failure === null ? '' : `; ended early: ${failure.what}. ${failure.do}`
    notice(`${calls} calls, ${cached} from the cache, ${failed} failed${paid}${ended}`)
  }
  process.off('SIGINT', interrupt)
}

type Explained = Pick<Immutable<CoachOutput>, 'explained' | 'rules' | 'verdict'>

const LONGEST = 72

/** [V81] Why the rules judged so: the rule in plain words, then each sentence with its act and evidence. */
function explained({ explained: told, verdict }: Explained): string {
  if (told === null) return ''
  const { rule, why, model, more } = told
  const sentences = told.sentences.map(({ text, words, evidence, decided }) => {
    const shown = evidence === '' ? '' : `; ${evidence}`
    const line = `  ${decided ? '>' : ' '} ${firstWords(text, LONGEST)}  [${words}${shown}]`
    return decided ? styled('bold', line) : line
  })
  const rest = more === 0 ? [] : [`    … ${more} more sentences`]
  const unasked = verdict.source === 'rules' && model !== null ? [`  ${model}`] : []
  return [`  ${why} (${rule})`, ...sentences, ...rest, ...unasked, ''].join('\n')
}

/** [V81] The same for programs: always the rule, and the sentences only if requested. */
function explainedAs({ explained: told, rules }: Explained, isWhole: boolean) {
  const rule = told?.rule ?? null
  if (!isWhole || told === null) return { rule }
  const sentences = told.sentences.map((sentence, at) => {
    const { span, how, cue, proofs } = rules.acts?.sentences[at] ?? {}
    return { ...sentence, span, how, cue, proofs }
  })
  return { rule, why: told.why, model: told.model, sentences, more: told.more }
}

type Judged = Pick<Immutable<CoachOutput>, 'label' | 'verdict'>

/** A labeled output with its verdict and source. The source is the file, or the session if there is only one file. */
type Labelled = Parameters<typeof verdictBasis>[0][number]

/** The outputs that have a label. */
function labelledOf(judged: readonly Judged[]): ReadonlyArray<Omit<Labelled, 'source'>> {
  return judged.flatMap(({ label, verdict }) =>
    label === null ? [] : [{ label: label.type, verdict: verdict.type }],
  )
}

/** [V22] [L100] Agreement of a session's verdicts with its labels, with the same words for a share as everywhere. */
function agreementLine(judged: readonly Judged[]): string {
  const { type, rejectsPassed, questionsContinued } = scoreVerdicts(labelledOf(judged))
  const harm = `rejects passed ${rejectsPassed.hits}/${rejectsPassed.of}, questions continued ${questionsContinued.hits}/${questionsContinued.of}`
  const agreed = measuredWords(measured(type.hits, type.of))
  return `labels: ${type.hits}/${type.of} agree, ${agreed}; ${harm}\n`
}

/** [L100] The basis of the label figures, for all files together. */
export function basisText(labelled: readonly Labelled[]): string {
  const lines = basisLines(verdictBasis(labelled), OUTPUTS)
  return ['labels of all files:', ...lines.map((line) => `  ${line}`)].join('\n')
}
