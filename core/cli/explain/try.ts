import { ScratchKind } from '../../engine/schema/scratch.ts'
import type { Session } from '../../engine/schema/session.ts'
import { NO_TEXTS } from '../../engine/schema/event.ts'
import type { TurnTrace } from '../../engine/schema/trace.ts'
import { loadO200k } from '../../engine/tokens-o200k.ts'
import { readPromptSources } from '../../host/workspace/prompt-files.ts'
import { openWorkspace } from '../../host/workspace/workspace.ts'
import { readResponses } from '../../host/turns/session/answers.ts'
import { createRulesJudge } from '../../host/coach/session/judge.ts'
import { openCoach } from '../../host/coach/session/prompt-files.ts'
import type { SessionReplay } from '../../host/replay/session/replay.ts'
import { type TriedText, tryText } from '../../host/scratch/session/try-text.ts'
import { createTimeLimit } from '../../host/platform/guard/guard.ts'
import { jsonLine } from '../../host/platform/terminal.ts'
import { createBreath } from '../../host/platform/threads/yielding.ts'
import { command } from '../kit/command.ts'
import { HOME } from '../../place.ts'
import { CONFIG, type Given, oneOf, parseCount, parsed, text } from '../kit/options.ts'
import { CommandError, print, valueOrFail } from '../kit/output.ts'
import { numberedFromOne } from '../../host/platform/numbering.ts'
import { openReplayer, ownFormats, readFile } from '../replay/replayer.ts'
import { firstWords } from '../kit/table.ts'

const OPTIONS = {
  after: text('--after <file>', 'transcript that the text comes after (default: an empty session)'),
  turn: parsed(
    '--turn <n>',
    'the text stands in the place of this turn, from 1 (default: behind the last)',
    parseCount,
  ),
  session: parsed('--session <n>', 'which session of the file, from 1', parseCount, 1),
  kind: oneOf('--kind <kind>', 'who wrote it (default: user)', ScratchKind.options),
  ...CONFIG,
}
type TryOptions = Given<typeof OPTIONS>

/** [U166] `try TEXT`: the result of each stage for a text, as the scratch session of the window shows it. */
export const trying = command({
  name: 'try',
  summary: 'say what a text would be classified as, alone or at a place of a session',
  args: [['<text>', 'the message, output or result']],
  options: OPTIONS,
  run: async (options, written) => {
    const replayer = await openReplayer(options)
    const session = await sessionOf(options)
    const replay = await replayer.replay(session)
    const at = placeOf(replay, session, options)
    const tried = await tryText(await around(options, session, replay), at, {
      kind: options.kind ?? 'user',
      text: written,
    })
    const { after = null } = options
    await print(
      options.json === true
        ? `${jsonLine(numberedFromOne({ after, ...summaryOf(tried), trace: tried.trace }))}\n`
        : `${lines(tried).join('\n')}\n`,
    )
  },
})

async function sessionOf({ after, session: number, workspace }: TryOptions): Promise<Session> {
  if (after === undefined) return EMPTY
  const { transcript } = await readFile(after, ownFormats({ workspace }))
  const session = transcript.sessions[number - 1]
  if (session) return session
  const count = transcript.sessions.length
  throw new CommandError({
    what: `there is no session ${number}`,
    where: after,
    do: count === 1 ? 'It has one session' : `It has sessions 1 to ${count}`,
  })
}

const EMPTY: Session = {
  id: 'scratch',
  title: 'Scratch session',
  thread: 'main',
  parent: null,
  startedAt: null,
  cwd: null,
  events: [],
  texts: NO_TEXTS,
}

/** Number of events before the text. */
function placeOf(
  { columns }: SessionReplay,
  session: Session,
  { turn, after }: TryOptions,
): number {
  if (turn === undefined) return session.events.length
  const seq = columns.seq[turn - 1]
  if (seq !== undefined) return seq
  const { turns } = columns
  throw new CommandError({
    what: `there is no turn ${turn}`,
    where: after ?? 'an empty session',
    do: turns === 0 ? 'Name a transcript with --after' : `It has turns 1 to ${turns}`,
  })
}

async function around({ workspace }: TryOptions, session: Session, replay: SessionReplay) {
  const { roots } = openWorkspace(workspace, HOME)
  const limit = createTimeLimit()
  const { signal } = new AbortController()
  const { selfSignal } = replay.compiled.pipeline.preset
  return {
    session,
    replay,
    limit,
    signal,
    sources: readPromptSources(roots),
    estimators: { o200k_base: await loadO200k() },
    responses: await readResponses(session, selfSignal, createBreath(signal)),
    judge: createRulesJudge(valueOrFail(await openCoach(roots)), limit),
  }
}

/** The fields that the window shows first, in one object. */
function summaryOf({ seq, kind, trace, query, prompt, selfSignal, verdict }: TriedText) {
  return {
    seq,
    kind,
    decision: trace && decisionOf(trace),
    query: query?.classification ?? null,
    prompt: prompt && { tokens: prompt.prompt?.tokenEstimate ?? null, error: prompt.error },
    selfSignal: selfSignal?.signal ?? null,
    coach: verdict,
  }
}

function decisionOf({ turn, domains, scored, signature, momentum }: TurnTrace) {
  const { event, rule, reason, before, after } = momentum
  return {
    turn,
    scores: Object.fromEntries(
      domains.filter(({ score }) => score > 0).map(({ domain, score }) => [domain, score]),
    ),
    scored: scored.signature,
    signature,
    momentum: { event, rule, reason, before: before.momentum, after: after.momentum },
  }
}

function lines(tried: TriedText): string[] {
  const { decision, query, prompt, selfSignal, coach } = summaryOf(tried)
  const scores = Object.entries(decision?.scores ?? {}).map(([name, score]) => `${name} ${score}`)
  return [
    ...(decision === null
      ? ['decision   none: under this preset it is no turn']
      : [
          `turn       ${decision.turn + 1}`,
          `scores     ${scores.join(', ') || 'no signal matched'}`,
          `signature  ${decision.signature} (the text alone: ${decision.scored})`,
          `momentum   ${decision.momentum.event}, ${decision.momentum.before} -> ${decision.momentum.after}: ${decision.momentum.reason}`,
        ]),
    ...(query === null ? [] : [`query      ${query.type} (${query.confidence})`]),
    ...(prompt === null
      ? []
      : [`prompt     ${prompt.error?.what ?? `${prompt.tokens ?? 0} tokens`}`]),
    ...(selfSignal === null ? [] : [`says       ${selfSignal.type} (${selfSignal.confidence})`]),
    ...(coach === null ? [] : [`coach      ${coach.type}: ${firstWords(coach.reason, 200)}`]),
  ]
}
