import { join } from 'node:path'
import { z } from 'zod'
import type { TurnscopeContract } from '../../../wire/contract.ts'
import { SHIPPED_SOURCE, verdictBasis } from '../../../engine/coach/basis.ts'
import { scoreVerdicts } from '../../../engine/coach/score.ts'
import { settleVerdict } from '../../../engine/coach/output.ts'
import type { CoachEstimate, CoachFailure, CoachLabRow } from '../../../engine/schema/coach-wire.ts'
import { type Verdict, OutputType } from '../../../engine/schema/coach.ts'
import { RpcError, type Output } from '../../../wire/rpc.ts'
import { askBatch, estimateFor } from './batch.ts'
import { createCeiling } from './ceiling.ts'
import type { CoachDraft } from '../../../wire/coach.ts'
import { NO_DRAFT } from '../../../wire/defaults.ts'
import type { CoachService } from './service.ts'
import { verdictOf } from './shown.ts'
import type { CoachItem, CoachPreparedSet } from '../../../wire/internal/coach.ts'
import { readText } from '../../platform/files/regular-file.ts'

type Step = Output<TurnscopeContract, 'coach.lab'>

/** The lab's input. */
export interface LabScope {
  readonly draft: CoachDraft
  /** One output instead of the labelled ones. */
  readonly text: string | null
  /** Name of the transcript whose labels count; null = all, and the shipped ones. */
  readonly only: string | null
  readonly shipped: string
  readonly items: (items: readonly CoachItem[], draft: CoachDraft) => Promise<CoachPreparedSet>
}

interface LabRun extends LabScope {
  readonly use: 'rules' | 'model'
}

/** `coach.labEstimate`: estimated requests and cost of the lab on a model. Rejects if the draft is broken. */
export async function estimateLab(coach: CoachService, lab: LabScope): Promise<CoachEstimate> {
  const outputs = await outputsOf(coach, lab)
  const { basis, prepared } = await lab.items(itemsOf(outputs), lab.draft)
  const asked = prepared.map(({ content, request }) => {
    const { gated, tokens } = request
    return { content, gated, tokens }
  })
  return estimateFor(coach, basis, asked)
}

function itemsOf(outputs: readonly LabelledOutput[]): readonly CoachItem[] {
  return outputs.map(({ text, plan, skill, criteria = [], asked = null }) => ({
    text,
    plan,
    skill,
    criteria,
    asked,
  }))
}

/** `coach.lab`: every labelled output under the draft, beside the files on disk. */
export async function* runLab(
  coach: CoachService,
  lab: LabRun,
  signal: AbortSignal,
): AsyncGenerator<Step, void> {
  const outputs = await outputsOf(coach, lab)
  const items = itemsOf(outputs)
  const disk = await lab.items(items, NO_DRAFT)
  const drafted = await underDraft(lab, items)
  if ('problem' in drafted) {
    const nothing = { rows: [], before: null, against: 'disk' as const, changed: 0, failure: null }
    const unscored = { score: scoreVerdicts([]), basis: verdictBasis([]) }
    yield { kind: 'result', ...nothing, ...unscored, problem: drafted.problem }
    return
  }
  const failure = lab.use === 'model' ? yield* askAll(coach, drafted, signal) : null
  const after = await verdictsOf(coach, drafted, lab.use)
  const { system, rules } = lab.draft
  const earlier = lab.use === 'model' && system === null && rules === null
  const before = earlier ? await earlierOf(coach, disk) : await verdictsOf(coach, disk, lab.use)
  const { problem } = drafted.basis
  const against = earlier ? 'earlier' : 'disk'
  yield resultOf(outputs, { before, after }, { failure, problem, against })
}

async function outputsOf(coach: CoachService, lab: LabScope): Promise<readonly LabelledOutput[]> {
  const { text, only } = lab
  if (text !== null) {
    const nothing = { seq: null, label: null, plan: null, skill: null }
    return [{ from: 'session', source: 'text', id: 'text', text, ...nothing }]
  }
  const labels = only === null ? await ofAll(coach) : await ofTranscript(coach, only)
  const own = labels.map(({ source, session, seq, type, text: output, ...task }) => {
    const { plan, skill, criteria = [], asked = null } = task
    const said = { text: output, plan, skill, criteria, asked }
    return { from: 'session' as const, source, id: session, seq, label: type, ...said }
  })
  return only === null ? [...own, ...(await readShipped(lab.shipped))] : own
}

async function ofAll({ labels }: CoachService) {
  return (await labels.all()).map((label) => ({ ...label, source: label.transcript }))
}

/** [L91] Labels of one transcript are parted by its sessions. */
async function ofTranscript({ labels }: CoachService, name: string) {
  return (await labels.of(name)).map((label) => ({ ...label, source: label.session }))
}

async function underDraft(
  { items, draft }: LabScope,
  given: readonly CoachItem[],
): Promise<CoachPreparedSet | { readonly problem: string }> {
  try {
    return await items(given, draft)
  } catch (error) {
    if (error instanceof RpcError && error.code === 'REFUSED') return { problem: error.message }
    throw error
  }
}

async function* askAll(
  coach: CoachService,
  { prepared, basis }: CoachPreparedSet,
  signal: AbortSignal,
): AsyncGenerator<Step, CoachFailure | null> {
  const open = prepared.filter((one) => !one.request.gated)
  const prepare = (seq: number) => {
    const found = prepared[seq]
    return found ? Promise.resolve(found) : Promise.reject(new Error(`no output ${seq}`))
  }
  const places = open.map((one) => one.seq)
  const ceiling = createCeiling(await coach.settings())
  if (ceiling.problem !== null) return ceiling.problem
  const steps = askBatch(coach.asker, places, prepare, { signal, ceiling })
  let done = 0
  for (;;) {
    const next = await steps.next()
    if (next.done === true) return next.value
    const { prepared: one, asked } = next.value
    if (!asked.ok && asked.error.kind === 'ceiling') continue
    coach.logAsked(one, asked, basis)
    done += 1
    yield { kind: 'progress', phase: 'judging', done, total: places.length }
  }
}

/** Verdicts of the models, or of the rules if no answer is stored. */
async function verdictsOf(
  coach: CoachService,
  { prepared, basis }: CoachPreparedSet,
  use: LabRun['use'],
): Promise<readonly Verdict[]> {
  if (use === 'rules') return prepared.map((one) => one.rules)
  const { promptHash } = basis
  const known = await coach.asker.known(prepared.map(({ content }) => ({ content, promptHash })))
  return prepared.map(({ rules }, index) => {
    const answer = known[index] ?? null
    if (answer === null) return rules
    return settleVerdict(rules, { raw: answer.raw, source: coach.asker.sourceOf(answer) }, basis)
  })
}

/** The last verdict of a model under a prompt other than the one on disk; null if none exists. */
function earlierOf(
  coach: CoachService,
  { prepared, basis }: CoachPreparedSet,
): Promise<ReadonlyArray<Verdict | null>> {
  return Promise.all(
    prepared.map(async ({ content }) => {
      const runs = await coach.store.runs(content)
      const run = runs.find(({ promptHash }) => promptHash !== basis.promptHash)
      return run === undefined ? null : verdictOf(run, basis)
    }),
  )
}

const PREVIEW = 300

interface Judged {
  readonly before: ReadonlyArray<Verdict | null>
  readonly after: readonly Verdict[]
}

function resultOf(
  outputs: readonly LabelledOutput[],
  { before, after }: Judged,
  said: Pick<Extract<Step, { kind: 'result' }>, 'failure' | 'problem' | 'against'>,
): Step {
  const rows = outputs.flatMap(({ from, id, seq, label, text }, index): CoachLabRow[] => {
    const old = before[index] ?? null
    const verdict = after[index]
    if (!verdict) return []
    const { type, source, confidence, coaching_message: coaching } = verdict
    const shown = old && { type: old.type, source: old.source }
    const preview = text.slice(0, PREVIEW)
    const now = { type, source, confidence }
    return [{ from, id, seq, preview, label, before: shown, after: now, coaching }]
  })
  const judged = (of: ReadonlyArray<Verdict | null>) =>
    outputs.flatMap(({ label, source }, index) => {
      const verdict = of[index]
      return label === null || !verdict ? [] : [{ source, label, verdict: verdict.type }]
    })
  return {
    kind: 'result',
    rows,
    score: scoreVerdicts(judged(after)),
    basis: verdictBasis(judged(after)),
    before: scoreVerdicts(judged(before)),
    changed: rows.filter((row) => row.before !== null && row.before.type !== row.after.type).length,
    ...said,
  }
}

/** A labelled output that comes along with Turnscope. */
const ShippedRow = z.looseObject({
  id: z.string(),
  text: z.string(),
  type: OutputType,
  plan: z.string().nullish(),
  skill: z.string().nullish(),
})

interface LabelledOutput {
  readonly from: 'session' | 'shipped'
  /** [L91] Value by which figures split the labels: for example the session or transcript. */
  readonly source: string
  readonly id: string
  readonly seq: number | null
  readonly label: OutputType | null
  readonly text: string
  readonly plan: string | null
  readonly skill: string | null
  readonly criteria?: readonly string[]
  /** [V78] The user message before it. */
  readonly asked?: string | null
}

/** The half to tune with. The other half measures and must not be looked at (fixtures/coach). */
const SHIPPED = 'fixtures/coach/written.train.jsonl'

async function readShipped(root: string): Promise<readonly LabelledOutput[]> {
  const text = await readText(join(root, SHIPPED)).catch(() => '')
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const row = ShippedRow.parse(JSON.parse(line))
      const { id, type: label, plan = null, skill = null } = row
      const from = { from: 'shipped' as const, source: SHIPPED_SOURCE }
      return { ...from, id, seq: null, label, text: row.text, plan, skill }
    })
}
