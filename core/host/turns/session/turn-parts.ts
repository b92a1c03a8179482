import { askedIn } from '../../../engine/coach/asked.ts'
import { buildCoachingMessage, passes } from '../../../engine/coach/message.ts'
import { contextOf } from '../../../engine/coach/plan.ts'
import { outputsThatWentOn } from '../../../engine/coach/went-on.ts'
import { traceResponse } from '../../../engine/answer-stage.ts'
import { initialSelfSignalState } from '../../../engine/self-signal/state.ts'
import { loadO200k } from '../../../engine/tokens-o200k.ts'
import type { CoachContext } from '../../../engine/schema/coach.ts'
import type { Session } from '../../../engine/schema/session.ts'
import { outputAt } from '../../../engine/schema/turn-output.ts'
import { createRulesJudge } from '../../coach/session/judge.ts'
import { type CoachFiles, readCoachFiles } from '../../coach/session/prompt-files.ts'
import { taskOf } from '../../coach/session/task.ts'
import type { TimeLimit } from '../../platform/guard/guard.ts'
import type { SessionReplay } from '../../replay/session/replay.ts'
import { type PromptSources, readPromptSources } from '../../workspace/prompt-files.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { responsesOf } from './answers.ts'
import { type Composing, type Message, messagesOf, traceMessage } from './messages.ts'

/** Which parts are wanted; each is if nothing is said. */
export interface PartsWanted {
  readonly query?: boolean | undefined
  readonly prompt?: boolean | undefined
  readonly selfSignals?: boolean | undefined
  readonly verdicts?: boolean | undefined
}

/** The probe of one session, message by message in order. A null answer: nothing was asked, and `why` says the reason. */
export interface SessionProbing {
  next(message: Message): Promise<unknown>
  why(): string
}

/** The session and files that the parts of a turn are read from. */
interface Place {
  /** Path of the transcript, or of a file in whose folder the plan of a session is looked for. */
  readonly file: string
  readonly session: Session
  readonly replay: SessionReplay
  /** Null: the probe is left out. */
  readonly probing: SessionProbing | null
}

/** Parts of the turns of one session. Turns are asked for or skipped in order: state carries over from one to the next. */
export interface PartsOfTurns {
  /** The parts of a turn, by their names in `replay --json`. */
  next(turn: number): Promise<Readonly<Record<string, unknown>>>
  skip(turn: number): Promise<void>
}

export interface TurnParts {
  /** Why there are no verdicts; null if the coach's rules can be read. */
  readonly problem: string | null
  open(place: Place): Promise<PartsOfTurns>
}

interface Opened {
  readonly wanted: PartsWanted
  readonly workspace: Workspace
  readonly sources: PromptSources
  readonly coach: CoachFiles | string
  readonly limit: TimeLimit
}

/**
 * [I95] Query, prompt, self-signals, verdicts and probe of turns: what `replay --json`, `export --jsonl` and Export say
 * of a turn beside its trace. Of a turn nothing is kept but the states that the next one needs, so that memory does not
 * grow with the output.
 */
export async function openTurnParts(
  workspace: Workspace,
  limit: TimeLimit,
  wanted: PartsWanted = {},
): Promise<TurnParts> {
  const coach = await readCoachFiles(workspace.roots)
  const opened: Opened = {
    wanted,
    workspace,
    limit,
    sources: readPromptSources(workspace.roots),
    coach: coach.ok ? coach.value : coach.error.what,
  }
  return {
    problem: coach.ok ? null : coach.error.what,
    open: (place) => openSession(opened, place),
  }
}

async function openSession(opened: Opened, place: Place): Promise<PartsOfTurns> {
  const { wanted } = opened
  const { session, replay, probing } = place
  const prompts = await promptsOf(opened, place)
  const messages = queueOf(messagesOf(session))
  const signals = wanted.selfSignals === false ? null : selfSignalsOf(place)
  const judged = wanted.verdicts === false ? null : await verdictsOf(opened, place)
  const { seq: turns } = replay.columns
  const outputs = session.events.filter(({ kind }) => kind === 'agent').map(({ seq }) => seq)
  /** The output of a turn ends where the next turn begins. */
  const endOf = (turn: number) => turns[turn + 1] ?? session.events.length

  /** A message that is no turn is probed too: it updates the probe's cache and persona. */
  async function upTo(seq: number) {
    let last: { readonly message: Message; readonly probe: unknown } | null = null
    for (const message of messages.before(seq + 1)) {
      const probe = (await probing?.next(message)) ?? null
      last = { message, probe }
    }
    return last
  }

  return {
    next: async (turn) => {
      const seq = turns[turn] ?? -1
      const absent: Record<string, string> = {}
      const parts: Record<string, unknown> = {}
      const last = await upTo(seq)
      const own = last?.message.seq === seq ? last : null
      const put = (name: string, value: unknown, why: string) => {
        parts[name] = value ?? null
        if (parts[name] === null) absent[name] = why
      }
      const found = own === null ? null : prompts(own.message)
      if (wanted.query !== false) put('query', found?.query, NO_MESSAGE)
      if (wanted.prompt !== false) put('prompt', found?.prompt, NO_MESSAGE)
      if (probing) put('probe', own?.probe, own === null ? NO_MESSAGE : probing.why())
      const output = outputAt(outputs, turns, seq)
      const isOwn = output !== null && output.seq >= seq && output.seq < endOf(turn)
      put('output', isOwn ? output.seq : null, NO_OUTPUT)
      if (signals) parts['self_signals'] = signals.next(endOf(turn))
      if (judged) put('verdicts', await judged.next(endOf(turn)), NO_RULES)
      return { ...parts, absent }
    },
    skip: async (turn) => {
      await upTo(turns[turn] ?? -1)
      signals?.next(endOf(turn))
      judged?.skip(endOf(turn))
    },
  }
}

const NO_MESSAGE = 'this turn is no message of a person'
const NO_RULES = 'the coach’s rules cannot be read'
const NO_OUTPUT = 'the agent says nothing before the next turn'

/** Removes and returns the front items of a list that come before an event. */
function queueOf<T extends { readonly seq: number }>(all: readonly T[]) {
  let at = 0
  return {
    before: (end: number): readonly T[] => {
      const from = at
      while (at < all.length && (all[at]?.seq ?? end) < end) at += 1
      return all.slice(from, at)
    },
  }
}

async function promptsOf({ sources, limit, wanted }: Opened, { session, replay }: Place) {
  const { preset } = replay.compiled.pipeline
  const estimators =
    preset.prompt.estimator === 'o200k_base' ? { o200k_base: await loadO200k() } : {}
  const composing: Composing = { session, replay, sources, estimators, limit }
  return (message: Message) => {
    if (wanted.query === false && wanted.prompt === false) return null
    const { query, prompt } = traceMessage(message, composing)
    const { classification, hasContext } = query
    return { query: { ...classification, hasContext }, prompt }
  }
}

function selfSignalsOf({ session, replay }: Place) {
  const options = replay.compiled.pipeline.preset.selfSignal
  const responses = queueOf(responsesOf(session))
  let state = initialSelfSignalState
  return {
    next: (end: number) =>
      responses.before(end).map((response) => {
        const trace = traceResponse(response, state, options)
        state = trace.after
        return trace
      }),
  }
}

/** [V9] By the rules alone: nothing is sent anywhere. */
async function verdictsOf({ coach: files, workspace, limit }: Opened, place: Place) {
  if (typeof files === 'string') return { next: () => Promise.resolve(null), skip: () => undefined }
  const { coach } = files
  const where = { task: undefined, transcript: place.file, workspace: workspace.root }
  const { plan, skill, criteria } = await taskOf(place.session, where)
  const context: CoachContext = contextOf(plan, skill, criteria)
  const wentOn = outputsThatWentOn(place.session.events)
  const judge = createRulesJudge(coach, limit)
  const { signal } = new AbortController()
  const said = responsesOf(place.session).filter(
    ({ seq }) => place.session.events[seq]?.blank !== true || !wentOn.has(seq),
  )
  const outputs = queueOf(said)
  const asked = askedIn(place.session)
  const next = async (end: number) => {
    const some = outputs.before(end)
    const verdicts = await judge.judge(
      some.map(({ seq, text }) => ({
        text,
        asked: asked(seq),
      })),
      signal,
    )
    return verdicts.map(({ marks: _, acts, ...verdict }, index) => ({
      seq: some[index]?.seq,
      ...verdict,
      rule: acts?.rule,
      passes: passes(verdict),
      went_on: wentOn.has(some[index]?.seq ?? -1),
      message: buildCoachingMessage({ ...verdict, marks: [] }, null, context, coach.rules),
    }))
  }
  return { next, skip: (end: number) => void outputs.before(end) }
}
