import { hash } from 'node:crypto'
import { traceQuery } from '../../../engine/answer-stage.ts'
import type { StageFacts } from '../../../engine/lab/flips/recorded.ts'
import { askedIn } from '../../../engine/coach/asked.ts'
import type { Coach } from '../../../engine/coach/cues.ts'
import { outputsThatWentOn } from '../../../engine/coach/went-on.ts'
import type { Stage } from '../../../engine/schema/compare.ts'
import { textOf } from '../../../engine/schema/event.ts'
import type { PromptTrace } from '../../../engine/schema/answer-trace.ts'
import { SelfSignalType } from '../../../engine/schema/self-signal.ts'
import { createBreath } from '../../platform/threads/yielding.ts'
import { readResponses } from '../../turns/session/answers.ts'
import { createRulesJudge } from '../../coach/session/judge.ts'
import { isOutput } from '../../coach/session/output.ts'
import {
  type Composing,
  enrichmentOf,
  messagesOf,
  traceMessage,
  variablesOf,
} from '../../turns/session/messages.ts'

type Facts = ReadonlyMap<number, string>

/** Options for reading the stages other than the belief. */
interface Reading {
  readonly signal: AbortSignal
  /** [L53] Reads only recorded stages, in the words of a record. Null: all but verdicts and personas. */
  readonly recorded: StageFacts | null
  /** Answers of stages whose options are those of an earlier reading of the same session. */
  readonly known?: Map<string, Facts> | undefined
  /** [T84] The coach whose rules judge outputs; null or absent: verdicts are not read. */
  readonly coach?: Coach | null | undefined
  /** Requested stages; absent: all. */
  readonly only?: ReadonlySet<Stage> | undefined
}

const PRINT_DIGITS = 6

/** Token count, and a hash prefix that changes with every letter. */
function shownPrompt({ prompt, error }: PromptTrace): string {
  if (prompt === null) return error?.what ?? 'cannot be composed'
  const mark = hash('sha256', prompt.content, 'hex').slice(0, PRINT_DIGITS)
  return `${prompt.tokenEstimate} tokens, text ${mark}`
}

/** Query types and prompts of all messages. Equal prompts are composed once. */
async function ofMessages(
  composing: Composing,
  { signal, recorded, only, known: before }: Reading,
) {
  const query = new Map<number, string>()
  const prompt = new Map<number, string>()
  const known = new Map<string, string>()
  const breath = createBreath(signal)
  const { session, replay } = composing
  const { preset } = replay.compiled.pipeline
  const queryKey = `query ${JSON.stringify(preset.query)}`
  const types = before?.get(queryKey)
  const isPromptWanted = recorded === null && only?.has('prompt') !== false
  for (const message of messagesOf(session)) {
    const { seq, at } = message
    if (recorded?.get('query')?.has(seq) !== false) {
      // Texts are not in memory, so a known query type saves reading the text again.
      const type = types?.get(seq) ?? traceQuery(message, preset.query).classification.type
      query.set(seq, type)
      if (isPromptWanted) {
        const key = JSON.stringify([type, enrichmentOf(replay, seq), variablesOf(session, at)])
        const shown = known.get(key) ?? shownPrompt(traceMessage(message, composing).prompt)
        known.set(key, shown)
        prompt.set(seq, shown)
      }
    }
    await breath()
  }
  before?.set(queryKey, query)
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

/** Messages fetched at a time, because texts of a long session are not in memory. */
const SOME = 256

/** Verdicts of the coach's rules, for outputs with a recorded verdict, or for all. */
async function ofOutputs(
  { session, limit }: Composing,
  coach: Coach,
  { signal, recorded }: Reading,
): Promise<Facts> {
  const wentOn = outputsThatWentOn(session.events)
  const wanted = recorded?.get('verdict')
  const outputs = session.events.filter((event) =>
    wanted === undefined ? isOutput(event, wentOn) : wanted.has(event.seq),
  )
  const judge = createRulesJudge(coach, limit)
  const asked = askedIn(session)
  const facts = new Map<number, string>()
  for (let from = 0; from < outputs.length; from += SOME) {
    const some = outputs.slice(from, from + SOME)
    const verdicts = await judge.judge(
      some.map((event) => ({
        text: textOf(event, session.texts),
        asked: asked(event.seq),
      })),
      signal,
    )
    some.forEach(({ seq }, at) => facts.set(seq, verdicts[at]?.type ?? ''))
  }
  return facts
}

/** [L51] Results of the stages other than the belief for a session under one configuration, by event. */
export async function readStages(composing: Composing, reading: Reading): Promise<StageFacts> {
  const { recorded, only, coach } = reading
  const isWanted = (stage: Stage): boolean =>
    only?.has(stage) !== false && (recorded === null || recorded.has(stage))
  const facts = new Map<Stage, Facts>()
  if (isWanted('query') || (recorded === null && isWanted('prompt'))) {
    const { query, prompt } = await ofMessages(composing, reading)
    if (isWanted('query')) facts.set('query', query)
    if (recorded === null && isWanted('prompt')) facts.set('prompt', prompt)
  }
  if (isWanted('self-signal')) {
    const { selfSignal } = composing.replay.compiled.pipeline.preset
    const key = JSON.stringify(selfSignal)
    const answers = reading.known?.get(key) ?? (await ofResponses(composing, reading))
    reading.known?.set(key, answers)
    facts.set('self-signal', answers)
  }
  if (coach && isWanted('verdict')) facts.set('verdict', await ofOutputs(composing, coach, reading))
  return facts
}
