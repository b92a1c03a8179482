import type { SourceRef } from '../../schema/event.ts'
import { draft, type EventDraft, type Origin } from '../shared/drafts.ts'
import { asText, compact, isList, listAt, own, textAt } from '../shared/guards.ts'
import { matchCalls } from './calls.ts'
import { noteOf, type TurnReport } from './notes.ts'
import { markdown, referenceName } from './texts.ts'

/** A sub-agent of a request. */
export interface AgentThread {
  readonly id: string
  /** Id of the call that started it; null if no part shows one. */
  readonly startedBy: string | null
  readonly events: EventDraft[]
}

interface Answer {
  readonly events: readonly EventDraft[]
  readonly agents: readonly AgentThread[]
}

interface Thread {
  readonly events: EventDraft[]
  /** Pieces of the text that is being put together. */
  readonly text: string[]
  readonly thought: string[]
  place: SourceRef | null
}

function isTool(part: unknown): boolean {
  const kind = own(part, 'kind')
  return kind === 'toolInvocationSerialized' || kind === 'toolInvocation'
}

/** [I120] The parts of an answer as events, in order; those of its sub-agents apart. */
export function answerOf(request: unknown, origin: Origin, report: TurnReport): Answer {
  const given = own(request, 'response')
  const written = isList(given) ? given : given === undefined || given === null ? [] : [given]
  const result = own(request, 'result')
  const owners = ownersOf(written)
  const parts = written.length > 0 ? written : roundTexts(result)
  const mine = parts.filter((part) => isTool(part) && !owners.of.has(part))
  const calls = matchCalls(mine, result, report.placeOf(result, origin.source))
  const lastTool = mine.at(-1)
  const main = threadOf([])
  const threads = new Map<string, Thread>()
  if (calls.unclear > 0) report.skip('toolCallRounds/toolCalls beside other parts')

  const inThread = (part: unknown): Thread => {
    const agent = owners.of.get(part)
    if (agent === undefined) return main
    const there = threads.get(agent)
    if (there !== undefined) return there
    const starter = owners.starters.get(agent)
    const prompt = textAt(own(starter, 'toolSpecificData'), 'prompt')
    const made = threadOf(prompt === null ? [] : [draft('subagent_prompt', prompt, origin)])
    threads.set(agent, made)
    return made
  }
  if (mine.length === 0) main.events.push(...calls.rest(origin))
  for (const part of parts) {
    const source = report.placeOf(part, origin.source)
    const thread = inThread(part)
    if (isTool(part)) {
      flush(thread, origin)
      const own = thread === main ? calls : matchCalls([part], null)
      thread.events.push(...own.events(part, { ...origin, source }))
      if (part === lastTool) main.events.push(...calls.rest(origin))
    } else takePart(part, thread, { ...origin, source }, report)
  }
  flush(main, origin)
  for (const thread of threads.values()) flush(thread, origin)
  const agents = [...threads].map(([id, { events }]) => {
    const starter = owners.starters.get(id)
    const call = starter === undefined ? undefined : calls.events(starter, origin)[0]
    return { id, startedBy: call?.callId ?? null, events }
  })
  return { events: main.events, agents }
}

/** The model's text in each round, for an answer whose parts were not kept. */
function roundTexts(result: unknown): readonly unknown[] {
  return listAt(own(result, 'metadata'), 'toolCallRounds').flatMap((round) => {
    const thinking = textAt(own(round, 'thinking'), 'text')
    const said = textAt(round, 'response')
    return [
      ...(thinking === null ? [] : [{ kind: 'thinking', value: thinking }]),
      ...(said === null ? [] : [{ value: said }]),
    ]
  })
}

function threadOf(events: EventDraft[]): Thread {
  return { events, text: [], thought: [], place: null }
}

/** Writes the text or thought in progress. */
function flush(thread: Thread, origin: Origin): void {
  const at = { ...origin, source: thread.place ?? origin.source }
  const thought = thread.thought.splice(0).join('')
  const said = thread.text.splice(0).join('')
  if (thought.trim() !== '') thread.events.push(draft('reasoning', thought, at))
  if (said.trim() !== '') thread.events.push(draft('agent', said, at))
  thread.place = null
}

function takePart(part: unknown, thread: Thread, origin: Origin, report: TurnReport): void {
  const kind = textAt(part, 'kind')
  const thought = kind === 'thinking' ? thoughtIn(part) : null
  const said = thought === null ? saidIn(part, kind) : null
  if (thought === null && said === null) {
    const note = noteOf(part, kind, origin, report)
    if (note === null) return
    flush(thread, origin)
    thread.events.push(note)
    return
  }
  const [own, other] =
    thought === null ? [thread.text, thread.thought] : [thread.thought, thread.text]
  if (other.length > 0) flush(thread, origin)
  own.push(thought ?? said ?? '')
  thread.place ??= origin.source
}

function thoughtIn(part: unknown): string {
  const value = own(part, 'value')
  if (isList(value)) return value.map(compact).join('')
  return asText(value) ?? textAt(part, 'text') ?? ''
}

/** A piece of the answer's text; null for every other part. */
function saidIn(part: unknown, kind: string | null): string | null {
  if (typeof part === 'string') return part
  if (kind === null) return typeof own(part, 'value') === 'string' ? markdown(part) : null
  if (kind === 'markdownContent' || kind === 'markdownVuln')
    return markdown(own(part, 'content') ?? own(part, 'value'))
  return kind === 'inlineReference' ? referenceName(part) : null
}

interface Owners {
  /** The sub-agent that a part belongs to; parts of the chat itself are not here. */
  readonly of: ReadonlyMap<unknown, string>
  /** The part whose call started a sub-agent. */
  readonly starters: ReadonlyMap<string, unknown>
}

/** A sub-agent's parts name its id, which is that of the call that started it; older ones say only that they are one's. */
function ownersOf(parts: readonly unknown[]): Owners {
  const of = new Map<unknown, string>()
  const starters = new Map<string, unknown>()
  let latest: string | null = null
  for (const part of parts) {
    const id = textAt(part, 'toolCallId')
    const given = textAt(part, 'subAgentInvocationId')
    const starts =
      own(own(part, 'toolSpecificData'), 'kind') === 'subagent' ||
      own(part, 'toolId') === 'runSubagent'
    if (starts) {
      latest = given ?? id
      if (id !== null) starters.set(id, part)
      if (given !== null && !starters.has(given)) starters.set(given, part)
      continue
    }
    const older = own(part, 'fromSubAgent') === true ? latest : null
    const agent = given ?? older
    if (agent !== null && agent !== id) of.set(part, agent)
  }
  return { of, starters }
}
