import { hash } from 'node:crypto'
import { traceQuery } from '../../engine/answer-stage.ts'
import type { StageFacts } from '../../engine/lab/recorded.ts'
import type { StageFlip } from '../../engine/schema/compare.ts'
import { textOf } from '../../engine/schema/event.ts'
import type { PromptTrace } from '../../engine/schema/answer-trace.ts'
import { SelfSignalType } from '../../engine/schema/self-signal.ts'

import { valueOrRefuse } from '../shared/refusal.ts'
import { createBreath } from '../shared/yielding.ts'
import { readResponses } from './answers.ts'
import { createRulesJudge } from './coach/judge.ts'
import { readCoachFiles } from './coach/prompt-files.ts'
import { type Composing, enrichmentOf, messagesOf, traceMessage, variablesOf } from './messages.ts'

type Stage = StageFlip['stage']
type Facts = ReadonlyMap<number, string>

/** What is looked at of the stages beside the belief. */
interface Reading {
  readonly roots: readonly string[]
  readonly signal: AbortSignal
  /** [L53] Only what was recorded is asked for, in the words of a record; null: all but verdicts and personas. */
  readonly recorded: StageFacts | null
  /** Answers of stages whose options are those of an earlier reading of the same session. */
  readonly known?: Map<string, Facts>
}

const PRINT_DIGITS = 6

/** Tokens, and a mark that differs where a single letter does. */
function shownPrompt({ prompt, error }: PromptTrace): string {
  if (prompt === null) return error?.what ?? 'cannot be composed'
  const mark = hash('sha256', prompt.content, 'hex').slice(0, PRINT_DIGITS)
  return `${prompt.tokenEstimate} tokens, text ${mark}`
}

/** Query types and prompts of all messages. Equal prompts are composed once. */
async function ofMessages(composing: Composing, { signal, recorded }: Reading) {
  const query = new Map<number, string>()
  const prompt = new Map<number, string>()
  const known = new Map<string, string>()
  const breath = createBreath(signal)
  const { session, replay } = composing
  const { preset } = replay.compiled.pipeline
  for (const message of messagesOf(session)) {
    const { seq, at } = message
    if (recorded?.get('query')?.has(seq) !== false) {
      const { type } = traceQuery(message, preset.query).classification
      query.set(seq, type)
      const key = JSON.stringify([type, enrichmentOf(replay, seq), variablesOf(session, at)])
      if (recorded === null) {
        const shown = known.get(key) ?? shownPrompt(traceMessage(message, composing).prompt)
        known.set(key, shown)
        prompt.set(seq, shown)
      }
    }
    await breath()
  }
  return { query, prompt }
}

async function ofResponses(
  { session, replay }: Composing,
  { signal, recorded }: Reading,
): Promise<Facts> {
  const { selfSignal } = replay.compiled.pipeline.preset
  const { columns } = await readResponses(session, selfSignal, createBreath(signal))
  return new Map(
    columns.seq.map((seq, at): [number, string] => {
      const type = SelfSignalType.options[columns.type[at] ?? -1]
      const confidence = recorded === null ? ` ${columns.confidence[at] ?? 0}` : ''
      return [seq, type === undefined ? 'none' : `${type}${confidence}`]
    }),
  )
}

/** What the coach's rules say of the outputs whose verdict was recorded. */
async function ofOutputs(
  { session, limit }: Composing,
  { roots, signal, recorded }: Reading,
): Promise<Facts> {
  const seqs = [...(recorded?.get('verdict')?.keys() ?? [])]
  const { coach } = valueOrRefuse(await readCoachFiles(roots))
  const judge = createRulesJudge(coach, limit)
  const texts = seqs.map((seq) => {
    const event = session.events[seq]
    return event === undefined ? '' : textOf(event, session.texts)
  })
  const verdicts = await judge.judge(texts, signal)
  return new Map(seqs.map((seq, at) => [seq, verdicts[at]?.type ?? '']))
}

/** [L51] What the stages beside the belief say of a session under one configuration, by event. */
export async function readStages(composing: Composing, reading: Reading): Promise<StageFacts> {
  const { recorded } = reading
  const isWanted = (stage: Stage): boolean => recorded === null || recorded.has(stage)
  const facts = new Map<Stage, Facts>()
  if (isWanted('query')) {
    const { query, prompt } = await ofMessages(composing, reading)
    facts.set('query', query)
    if (recorded === null) facts.set('prompt', prompt)
  }
  if (isWanted('self-signal')) {
    const { selfSignal } = composing.replay.compiled.pipeline.preset
    const key = JSON.stringify(selfSignal)
    const answers = reading.known?.get(key) ?? (await ofResponses(composing, reading))
    reading.known?.set(key, answers)
    facts.set('self-signal', answers)
  }
  if (recorded?.has('verdict') === true) facts.set('verdict', await ofOutputs(composing, reading))
  return facts
}
