import { askedIn } from '../../engine/coach/asked.ts'
import { buildCoachingMessage, passes } from '../../engine/coach/message.ts'
import { contextOf } from '../../engine/coach/plan.ts'
import { outputsThatWentOn } from '../../engine/coach/went-on.ts'
import { traceResponse } from '../../engine/answer-stage.ts'
import { initialSelfSignalState } from '../../engine/self-signal/state.ts'
import { loadO200k } from '../../engine/tokens-o200k.ts'
import type { CoachContext } from '../../engine/schema/coach.ts'
import type { Session } from '../../engine/schema/session.ts'
import { type PromptSources, readPromptSources } from '../../host/workspace/prompt-files.ts'
import type { Workspace } from '../../host/workspace/workspace.ts'
import { responsesOf } from '../../host/turns/session/answers.ts'
import { createRulesJudge } from '../../host/coach/session/judge.ts'
import { type CoachFiles, readCoachFiles } from '../../host/coach/session/prompt-files.ts'
import { taskOf } from '../../host/coach/session/task.ts'
import {
  type Composing,
  type Message,
  messagesOf,
  traceMessage,
} from '../../host/turns/session/messages.ts'
import type { SessionReplay } from '../../host/replay/session/replay.ts'
import { createTimeLimit, type TimeLimit } from '../../host/platform/guard/guard.ts'
import { notice } from '../../host/platform/terminal.ts'
import { flag } from '../kit/options.ts'
import { type ReplayProbe, openReplayProbe } from './replay-probe.ts'

/** [I95] The parts of a line in addition to the trace, with the option that omits each. */
export const PARTS = {
  query: flag('--no-query', 'with --json: leave out the type of query of each message'),
  prompt: flag('--no-prompt', 'with --json: leave out the composed prompt of each message'),
  selfSignals: flag('--no-self-signals', 'with --json: leave out what responses say of themselves'),
  verdicts: flag('--no-verdicts', 'with --json: leave out what the coach’s rules say of outputs'),
  probe: flag('--probe', 'with --json: probe with an embedder outside this machine too'),
  noProbe: flag('--no-probe', 'with --json: leave out what the probe finds'),
  samples: flag('--samples', 'with --json: ask the sample collections too'),
}
type Wanted = { readonly [K in keyof typeof PARTS]?: boolean | undefined }

/** The session and files that the parts of a line are read from. */
interface Place {
  readonly file: string
  readonly session: Session
  readonly replay: SessionReplay
}

/** The parts of one line: of the event `seq`, and of the agent's output up to the event before `end`. */
type PartsOfTurn = (seq: number, end: number) => Promise<Readonly<Record<string, unknown>>>

export interface ReplayParts {
  /** Turns must be requested in order, because state carries over from one to the next. */
  open(place: Place): Promise<PartsOfTurn>
  close(): Promise<void>
}

interface Opened {
  readonly wanted: Wanted
  readonly workspace: Workspace
  readonly sources: PromptSources
  readonly coach: CoachFiles | string
  readonly probe: ReplayProbe | null
  readonly limit: TimeLimit
}

/**
 * [I95] Query, prompt, self-signals, probe and verdicts for the lines of `replay --json`. Nothing is kept
 * of a line but the states that the next one needs, so that memory does not grow with the output.
 */
export async function openParts(
  workspace: Workspace,
  wanted: Wanted & { readonly preset: string },
): Promise<ReplayParts> {
  const coach = await readCoachFiles(workspace.roots)
  const opened: Opened = {
    wanted,
    workspace,
    limit: createTimeLimit(),
    sources: readPromptSources(workspace.roots),
    coach: coach.ok ? coach.value : coach.error.what,
    probe: wanted.probe === false ? null : await openReplayProbe(workspace, wanted),
  }
  if (!coach.ok && wanted.verdicts !== false) notice(`no verdicts: ${coach.error.what}`)
  return {
    open: (place) => openSession(opened, place),
    close: async () => opened.probe?.close(),
  }
}

async function openSession(opened: Opened, place: Place): Promise<PartsOfTurn> {
  const { wanted } = opened
  const prompts = await promptsOf(opened, place)
  const probing = opened.probe?.session(place.file)
  const messages = queueOf(messagesOf(place.session))
  const signals = wanted.selfSignals === false ? null : selfSignalsOf(place)
  const judged = wanted.verdicts === false ? null : await verdictsOf(opened, place)
  return async (seq, end) => {
    const absent: Record<string, string> = {}
    const parts: Record<string, unknown> = {}
    let message: Message | null = null
    for (const each of messages.before(seq + 1)) {
      // A message that is not a turn is still probed, because it updates the cache and the persona.
      parts['probe'] = await probing?.next(each)
      if (each.seq === seq) message = each
    }
    const put = (name: string, value: unknown, why: string) => {
      parts[name] = value ?? null
      if (parts[name] === null) absent[name] = why
    }
    const found = message === null ? null : prompts(message)
    if (wanted.query !== false) put('query', found?.query, NO_MESSAGE)
    if (wanted.prompt !== false) put('prompt', found?.prompt, NO_MESSAGE)
    if (probing) put('probe', message && parts['probe'], message ? probing.why() : NO_MESSAGE)
    if (signals) parts['self_signals'] = signals(end)
    if (judged) put('verdicts', await judged(end), NO_RULES)
    return { ...parts, absent }
  }
}

const NO_MESSAGE = 'this turn is no message of a person'
const NO_RULES = 'the coach’s rules cannot be read'

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
  return (end: number) =>
    responses.before(end).map((response) => {
      const trace = traceResponse(response, state, options)
      state = trace.after
      return trace
    })
}

/** [V9] By the rules alone: nothing is sent anywhere. */
async function verdictsOf({ coach: files, workspace, limit }: Opened, place: Place) {
  if (typeof files === 'string') return () => Promise.resolve(null)
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
  return async (end: number) => {
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
}
