import type { SourceRef } from '../../schema/event.ts'
import { draft, type EventDraft, type Origin } from '../shared/drafts.ts'
import { asText, epoch, isObject, listAt, own, textAt } from '../shared/guards.ts'
import { typedAs, userTextEvents } from '../shared/user-text.ts'
import { answerOf, type AgentThread } from './answer.ts'
import type { TurnReport } from './notes.ts'
import { pathOf, renderedText } from './texts.ts'

/** A request and its answer. */
export interface Turn {
  readonly events: readonly EventDraft[]
  readonly agents: readonly AgentThread[]
  /** It was taken back: the chat went on without it. */
  readonly left: boolean
}

/** [I120] Events of a request: the context sent with the user's text, that text, and the answer's parts in order. */
export function turnOf(request: unknown, ref: SourceRef, report: TurnReport): Turn {
  const model = textAt(request, 'modelId')?.replace(/^copilot\//, '') ?? null
  const at = epoch(own(request, 'timestamp'))
  const asked: Origin = { at, model: null, source: ref }
  const answer = answerOf(request, { at: null, model, source: ref }, report)
  const resultPlace = report.placeOf(own(request, 'result'), ref)
  const events = [
    ...askedEvents(request, asked, resultPlace),
    ...answer.events,
    ...endEvents(request, resultPlace, model),
  ]
  for (const key of ['followups', 'codeCitations', 'editedFileEvents', 'contentReferences'])
    if (listAt(request, key).length > 0) report.skip(`request/${key}`)
  const removed = own(request, 'shouldBeRemovedOnSend')
  const left = own(request, 'isHidden') === true || removed === true || isObject(removed)
  return { events: atTheEnd(events, request, at), agents: answer.agents, left }
}

/** The last event of an answer has the time at which it was complete; the others have none. */
function atTheEnd(
  events: readonly EventDraft[],
  request: unknown,
  at: number | null,
): readonly EventDraft[] {
  const last = events.at(-1)
  const elapsed = own(own(own(request, 'result'), 'timings'), 'totalElapsed')
  const ended =
    epoch(own(own(request, 'modelState'), 'completedAt')) ??
    (at !== null && typeof elapsed === 'number' && elapsed >= 0 ? epoch(at + elapsed) : null)
  if (last?.at !== null || ended === null) return events
  return events.with(-1, draft(last.kind, last, { ...last, at: ended }, last))
}

function askedEvents(request: unknown, origin: Origin, rendered: SourceRef): readonly EventDraft[] {
  const events: EventDraft[] = []
  const metadata = own(own(request, 'result'), 'metadata')
  for (const [key, name] of RENDERED) {
    const text = renderedText(own(metadata, key))
    if (text !== '') events.push(draft('injected', text, { ...origin, source: rendered }, { name }))
  }
  const message = own(request, 'message')
  const parts = listAt(message, 'parts').map((part) => textAt(part, 'text') ?? '')
  const text = asText(message) ?? textAt(message, 'text') ?? parts.join('')
  const attached = listAt(own(request, 'variableData'), 'variables').map(attachmentText)
  const lines = attached.filter((line) => line !== '')
  if (lines.length > 0)
    events.push(draft('injected', lines.join('\n'), origin, { name: 'attachments' }))
  const bySystem = own(request, 'isSystemInitiated') === true
  if (text.trim() !== '')
    events.push(...userTextEvents(text, origin, typedAs(bySystem ? 'injected' : 'user')))
  return events
}

const RENDERED = [
  ['renderedGlobalContext', 'global-context'],
  ['renderedUserMessage', 'context'],
] as const

/** An attachment of a message: its text if present, else its name. */
function attachmentText(variable: unknown): string {
  const value = own(variable, 'value')
  const kind = textAt(variable, 'kind') ?? 'attachment'
  if (kind !== 'image' && typeof value === 'string' && value.trim() !== '') return value
  const name = asText(pathOf(value)) ?? textAt(variable, 'name', 'id')
  return name === null ? '' : `[${kind} ${name.slice(0, 300)}]`
}

/** Events for the end of the answer. */
function endEvents(
  request: unknown,
  source: SourceRef,
  model: string | null,
): readonly EventDraft[] {
  const origin: Origin = { at: null, model, source }
  const details = own(own(request, 'result'), 'errorDetails')
  const canceled =
    own(request, 'isCanceled') === true || own(own(request, 'modelState'), 'value') === 2
  if (canceled) return [draft('interruption', textAt(details, 'message') ?? 'Canceled', origin)]
  const error = textAt(details, 'message')
  return error === null ? [] : [draft('system', error, origin, { name: 'error', isError: true })]
}
