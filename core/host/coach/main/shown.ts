import { columnsOf } from '../../platform/columns.ts'
import {
  type OutputType,
  type Verdict,
  OutputType as Types,
  VerdictFlag,
  VerdictSource,
} from '../../../engine/schema/coach.ts'
import { explainActs } from '../../../engine/coach/acts/words.ts'
import { lintVerdicts } from '../../../engine/coach/lint.ts'
import { buildCoachingMessage, passes } from '../../../engine/coach/message.ts'
import { readModelAnswer } from '../../../engine/coach/model-answer.ts'
import { settleVerdict } from '../../../engine/coach/output.ts'
import {
  CoachColumns,
  type CoachFailure,
  type CoachLabel,
  type CoachOutput,
} from '../../../engine/schema/coach-wire.ts'
import type { Immutable } from '../../../engine/schema/immutable.ts'
import type { StoredAnswer } from './verdict-store.ts'
import type {
  CoachBasis,
  CoachPrepared,
  CoachPreparedSet,
  CoachRow,
} from '../../../wire/internal/coach.ts'

/** Stored data of one output, in addition to the rules' verdict. */
export interface Known {
  /** Answers of models to it, newest first. */
  readonly runs: readonly StoredAnswer[]
  /** The one under the settings and prompt in force. */
  readonly answer: StoredAnswer | null
  readonly source: 'model' | 'cache' | 'recorded'
  readonly failure: CoachFailure | null
  readonly label: CoachLabel | null
}

/** The verdict of a kept answer; null when it holds none. */
export function verdictOf(
  answer: StoredAnswer,
  basis: Pick<CoachBasis, 'minConfidence'>,
  source: Verdict['source'] = 'cache',
): Verdict | null {
  return readModelAnswer(answer.raw, basis, source)
}

/** All verdicts of a session as columns. */
export function coachColumns(
  rows: readonly CoachRow[],
  known: readonly Known[],
  basis: CoachBasis,
): CoachColumns {
  const shown = rows.map((row, index) => rowOf(row, known[index] ?? NOTHING, basis))
  return columnsOf(CoachColumns.keyof().options, shown)
}

const NOTHING: Known = { runs: [], answer: null, source: 'cache', failure: null, label: null }

/** Placeholders for fields that a file does not record with an answer. */
const UNKNOWN = { at: 0, model: 'recorded in the file', provider: '', baseUrl: '', elapsedMs: 0 }
const UNPAID = { inputTokens: null, outputTokens: null, dollars: null }

/** [L60] If no model was called, the answer recorded in the file is used. */
function withRecorded(
  known: Known,
  { recorded, content }: Pick<CoachRow, 'recorded' | 'content'>,
  promptHash: string,
): Known {
  if (recorded.length === 0) return known
  const stored = recorded.map((raw): StoredAnswer => ({
    ...UNKNOWN,
    ...UNPAID,
    content,
    promptHash,
    raw,
  }))
  const runs = [...known.runs, ...stored]
  if (known.answer !== null) return { ...known, runs }
  return { ...known, runs, answer: stored[0] ?? null, source: 'recorded' }
}

function rowOf(row: CoachRow, given: Known, basis: CoachBasis) {
  const known = withRecorded(given, row, basis.promptHash)
  const { runs, answer, source, failure, label } = known
  const read = answer === null || row.gated ? null : verdictOf(answer, basis, source)
  const { type, confidence } = read ?? row
  const others = runs.map((run) => verdictOf(run, basis)?.type)
  const disagrees =
    type !== row.type || others.some((other) => other !== undefined && other !== type)
  return {
    seq: row.seq,
    type: codeOf(type),
    passes: Number(passes({ type })),
    confidence,
    source: VerdictSource.options.indexOf(read?.source ?? 'rules'),
    rules: codeOf(row.type),
    disagrees: Number(disagrees && !row.gated),
    failed: Number(failure !== null),
    label: label === null ? -1 : codeOf(label.type),
    wentOn: Number(row.wentOn),
    gated: Number(row.gated),
    flags: row.flags.reduce((bits, flag) => bits | (1 << VerdictFlag.options.indexOf(flag)), 0),
  }
}

function codeOf(type: OutputType): number {
  return Types.options.indexOf(type)
}

/** One output with all its stored data. If `given` is missing, only the data recorded in the file. */
export function outputOf(
  prepared: CoachPrepared,
  given: Known | undefined,
  { basis, planProblem }: Pick<CoachPreparedSet, 'basis' | 'planProblem'>,
): Immutable<CoachOutput> {
  const { rules, context, request, item, seq, wentOn } = prepared
  const { runs, answer, source, failure, label } = withRecorded(
    given ?? NOTHING,
    prepared,
    basis.promptHash,
  )
  const raw = answer === null ? null : { raw: answer.raw, source }
  const verdict = settleVerdict(rules, raw, basis)
  const others = runs.flatMap((run) => verdictOf(run, basis) ?? [])
  // The verdict in force first, then other runs, newest first.
  const findings = lintVerdicts([verdict, ...others], rules)
  return {
    seq,
    text: item.text,
    verdict,
    rules,
    wentOn,
    explained: rules.acts === undefined ? null : explainActs(item.text, rules.acts),
    message: messageOf(verdict, prepared),
    context: { ...context, planProblem },
    request,
    response: answer?.raw ?? null,
    failure,
    cost: answer,
    findings,
    runs: runs.flatMap((run) => {
      const read = verdictOf(run, basis)
      if (read === null) return []
      const { model, promptHash, at } = run
      return [{ verdict: read, model, promptHash, at }]
    }),
    label,
  }
}

/** [V9] The message that the agent would receive. The worker has already rendered the continuation. */
function messageOf(verdict: Verdict, { rules, continuation }: CoachPrepared): string | null {
  const nothing = { plan: null, skill: null, criteria: [] }
  const plain = { continuation: { skill: {}, anySkill: '', plan: '', plain: continuation } }
  return buildCoachingMessage(verdict, rules, nothing, plain)
}
