import type { z } from 'zod'
import { traceResponse } from '../../../engine/answer-stage.ts'
import { type DiffPart, ResponseColumns } from '../../../engine/schema/answer-columns.ts'
import type { PromptTrace } from '../../../engine/schema/answer-trace.ts'
import type { ReplayConfig } from '../../../engine/schema/replay.ts'
import type { Session } from '../../../engine/schema/session.ts'
import { loadO200k } from '../../../engine/tokens-o200k.ts'
import type { Handlers, Output } from '../../../wire/rpc.ts'
import { columnsOf } from '../../platform/columns.ts'
import type { TimeLimit } from '../../platform/guard/guard.ts'
import { refusal, valueOrRefuse } from '../../platform/threads/refusal.ts'
import { type Composing, type Message, messagesOf, traceMessage } from './messages.ts'
import { readPromptSources } from '../../workspace/prompt-files.ts'
import { diffTexts } from '../../platform/text-diff.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import type { SessionContract } from '../../../wire/threads.ts'
import type { SessionService } from '../../sessions/session/service.ts'
import { createAnswerService } from './answers.ts'
import { composeInPlayground } from './playground.ts'
import { isTextless, refuseTextless } from '../../replay/session/textless.ts'

type Methods = 'session.answers' | 'session.response' | 'session.prompt' | 'playground.compose'
type PromptMethod = SessionContract['session.prompt']

/** Self-signals, queries and prompts of opened sessions, and the playground. */
export function createAnswerHandlers(
  service: SessionService,
  workspace: Workspace,
  limit: TimeLimit,
): Pick<Handlers<SessionContract>, Methods> {
  const answers = createAnswerService(service, workspace.roots, limit)
  return {
    'session.answers': async (input, context) => {
      const { key } = await service.compiled(input.config)
      if (isTextless(service.session(input))) return { key, ...NO_ANSWERS }
      const { columns } = await answers.responses(input, context)
      return { key, responses: columns, queries: await answers.queries(input, context) }
    },
    'session.response': async (input, context) => {
      refuseTextless(service.session(input), 'what a response says of itself')
      const { bySeq } = await answers.responses(input, context)
      const found = bySeq.get(input.seq)
      if (!found) throw notOne('response of the agent', input.seq)
      const { selfSignal } = (await service.compiled(input.config)).pipeline.preset
      const { response, before } = found
      return { text: response.text, trace: traceResponse(response, before, selfSignal) }
    },
    'session.prompt': (input, context) => {
      refuseTextless(service.session(input), 'a prompt')
      return answerPrompt(input, messageAt(service.session(input), input.seq), async (config) => ({
        ...(await answers.composing({ ...input, config }, context)),
        estimators: { o200k_base: await loadO200k() },
      }))
    },
    'playground.compose': async (draft) => {
      const { value: preset } = valueOrRefuse(await workspace.preset(draft.preset))
      return composeInPlayground(draft, {
        preset,
        files: readPromptSources(workspace.roots).files,
        estimators: { o200k_base: await loadO200k() },
        limit,
      })
    },
  }
}

/** [U121] Of a session without texts nothing is read: dots are no answers. */
const NO_ANSWERS = {
  responses: columnsOf(ResponseColumns.keyof().options, []),
  queries: { ...columnsOf(['seq', 'type', 'confidence', 'tokens'], []), budget: 0 },
}

/** A message, its prompt, and what differs from the message before and under another configuration. */
async function answerPrompt(
  input: z.output<PromptMethod['in']>,
  { message, previous }: Place,
  under: (config: ReplayConfig) => Promise<Composing>,
): Promise<Output<SessionContract, 'session.prompt'>> {
  const base = await under(input.config)
  const { compare, blocks } = input
  const answer = traceMessage(message, base, blocks.message)
  const before =
    previous && diffPrompts(traceMessage(previous, base, blocks.previous).prompt, answer.prompt)
  const other =
    compare &&
    diffPrompts(answer.prompt, traceMessage(message, await under(compare), blocks.compare).prompt)
  return {
    ...answer,
    previous: previous && before && { seq: previous.seq, diff: before },
    compare: compare && other && { preset: compare.preset, diff: other },
  }
}

interface Place {
  readonly message: Message
  readonly previous: Message | null
}

/** The user message at or before an event, and the one before that. */
function messageAt(session: Session, seq: number): Place {
  const messages = messagesOf(session, seq + 1)
  const message = messages.at(-1)
  if (!message || seq >= session.events.length) throw notOne('message of a person', seq)
  return { message, previous: messages.at(-2) ?? null }
}

function notOne(what: string, seq: number) {
  return refusal({
    what: `event ${seq} is no ${what}`,
    where: 'this session',
    do: 'Choose another event',
  })
}

/** Null when one of them could not be composed: its trace says why. */
function diffPrompts(before: PromptTrace, after: PromptTrace): readonly DiffPart[] | null {
  if (before.prompt === null || after.prompt === null) return null
  return diffTexts(before.prompt.content, after.prompt.content)
}
