import { textContent, type EventContent } from '../shared/call-parts.ts'
import { compact, entryOf, epoch, isList, isObject, own, textAt } from '../shared/guards.ts'
import { fromPool, type Attachments } from './attachments.ts'

/** A model call or a tool's run of a sample. */
export interface Call {
  readonly event: unknown
  readonly at: number | null
  readonly endAt: number | null
  /** Resolved messages that a model got; none for a tool. */
  readonly input: readonly unknown[]
}

/** The work of one agent: the sample's own solver, or a sub-agent. */
export interface Actor {
  readonly key: string
  readonly name: string
  readonly parent: Actor | null
  readonly models: Call[]
  readonly tools: Call[]
}

/** Something to be shown beside the messages. */
export interface Note {
  readonly content: EventContent
  readonly at: number | null
}

/** [I30] The events of a sample, sorted out. */
export interface SampleEvents {
  readonly main: Actor
  readonly actors: readonly Actor[]
  readonly notes: readonly Note[]
  readonly startedAt: number | null
  readonly isCompacted: boolean
  /** Times of the compactions that put a summary in place of messages. */
  readonly summaries: readonly number[]
  /** Whether the sample received typed input while it ran. */
  readonly hasInput: boolean
}

interface Scope {
  readonly type: string
  readonly name: string
  readonly parent: string | null
}

interface Sorting {
  readonly scopes: Map<string, Scope>
  readonly actors: Map<string, Actor>
  readonly main: Actor
  readonly notes: Note[]
  readonly pool: readonly unknown[]
  readonly attachments: Attachments
  readonly skip: (type: string) => void
  /** Open steps of logs that have no spans. */
  readonly steps: Scope[]
  startedAt: number | null
  isCompacted: boolean
  hasInput: boolean
  readonly summaries: number[]
}

const MAX_DEPTH = 50

export function sortEvents(
  events: readonly unknown[],
  pool: readonly unknown[],
  attachments: Attachments,
  skip: (type: string) => void,
): SampleEvents {
  const main: Actor = { key: '', name: 'main', parent: null, models: [], tools: [] }
  const sorting: Sorting = {
    scopes: new Map(),
    actors: new Map(),
    main,
    notes: [],
    pool,
    attachments,
    skip,
    steps: [],
    startedAt: null,
    isCompacted: false,
    hasInput: false,
    summaries: [],
  }
  for (const event of events) takeScope(event, sorting)
  for (const event of events) takeEvent(event, main, sorting, 0)
  const { notes, actors, startedAt, isCompacted, hasInput, summaries } = sorting
  return { main, actors: [...actors.values()], notes, startedAt, isCompacted, hasInput, summaries }
}

function takeScope(event: unknown, { scopes }: Sorting): void {
  const id = textAt(event, 'id')
  if (own(event, 'event') !== 'span_begin' || id === null) return
  const parent = textAt(event, 'parent_id')
  scopes.set(id, {
    type: textAt(event, 'type') ?? '',
    name: textAt(event, 'name') ?? '',
    parent,
  })
}

type Take = (event: unknown, actor: Actor, sorting: Sorting, depth: number) => void

/** [I30] Handlers by kind of event. Other kinds are counted. */
const TAKE: Readonly<Record<string, Take>> = {
  step: takeStep,
  model: takeModel,
  tool: takeTool,
  compaction(event, _, sorting) {
    sorting.isCompacted = true
    const at = epoch(own(event, 'timestamp'))
    if (own(event, 'type') === 'summary' && at !== null) sorting.summaries.push(at)
    note(event, sorting, 'compaction', ['type', 'tokens_before', 'tokens_after'])
  },
  input(_event, _actor, sorting) {
    sorting.hasInput = true
    sorting.skip('event/input')
  },
  info: (event, _, sorting) => note(event, sorting, textAt(event, 'source') ?? 'info', ['data']),
  approval: (event, _, sorting) => note(event, sorting, 'approval', ['decision', 'explanation']),
  score_edit: (event, _, sorting) => note(event, sorting, 'score edit', ['score_name', 'edit']),
  sample_limit: (event, _, sorting) => note(event, sorting, 'limit', ['type', 'message']),
  error: (event, _, sorting) => {
    const message = textAt(own(event, 'error'), 'message') ?? 'an error without a message'
    pushNote(event, sorting, textContent('system', message, 'error', true))
  },
  interrupt: (event, _, sorting) => {
    const why = textAt(event, 'reason', 'message') ?? 'interrupted'
    pushNote(event, sorting, textContent('interruption', why, null))
  },
}

function takeEvent(event: unknown, actor: Actor, sorting: Sorting, depth: number): void {
  const kind = textAt(event, 'event')
  if (kind === null) {
    sorting.skip('event without a kind')
    return
  }
  const at = epoch(own(event, 'timestamp'))
  if (at !== null) sorting.startedAt ??= at
  const take = entryOf(TAKE, kind)
  if (take === undefined) sorting.skip(`event/${kind}`)
  else take(event, actor, sorting, depth)
}

function note(event: unknown, sorting: Sorting, name: string, keys: readonly string[]): void {
  const facts = keys.map((key) => compact(sorting.attachments.resolve(own(event, key))))
  const shown = facts.filter((fact) => fact !== '').join(' · ')
  pushNote(event, sorting, textContent('meta', shown, name))
}

function pushNote(event: unknown, sorting: Sorting, note: EventContent): void {
  sorting.notes.push({ content: note, at: epoch(own(event, 'timestamp')) })
}

function takeStep(event: unknown, _actor: Actor, sorting: Sorting): void {
  sorting.skip('event/step')
  const type = textAt(event, 'type') ?? ''
  if (own(event, 'action') === 'begin')
    sorting.steps.push({ type, name: textAt(event, 'name') ?? '', parent: null })
  else sorting.steps.pop()
}

function takeModel(event: unknown, actor: Actor, sorting: Sorting): void {
  const owner = ownerOf(event, actor, sorting)
  if (owner === null) {
    sorting.skip('model call of a scorer')
    return
  }
  const direct = own(event, 'input')
  const isPooled = own(event, 'input_refs') !== undefined && own(event, 'input_refs') !== null
  const input = isPooled ? fromPool(own(event, 'input_refs'), sorting.pool) : direct
  const resolved = isList(input) ? input.map(sorting.attachments.resolve) : []
  owner.models.push({ event, input: resolved, ...timesOf(event) })
}

function takeTool(event: unknown, actor: Actor, sorting: Sorting, depth: number): void {
  const owner = ownerOf(event, actor, sorting)
  if (owner === null) return
  owner.tools.push({ event, input: [], ...timesOf(event) })
  const inner = own(event, 'events')
  if (!isList(inner) || inner.length === 0) return
  if (depth >= MAX_DEPTH) {
    sorting.skip('events nested too deeply')
    return
  }
  const name = textAt(event, 'agent', 'function') ?? 'tool'
  const sub: Actor = {
    key: `tool ${sorting.actors.size}`,
    name,
    parent: owner,
    models: [],
    tools: [],
  }
  for (const each of inner) takeScope(each, sorting)
  for (const each of inner) takeEvent(each, sub, sorting, depth + 1)
  if (sub.models.length > 0) sorting.actors.set(sub.key, sub)
  else owner.tools.push(...sub.tools)
}

function timesOf(event: unknown): { readonly at: number | null; readonly endAt: number | null } {
  return { at: epoch(own(event, 'timestamp')), endAt: epoch(own(event, 'completed')) }
}

/**
 * Whose event this is; null for a scorer's. A sub-agent is a span of type `agent` inside another one
 * or inside a tool's; the outermost agent span is the sample's own solver.
 */
function ownerOf(event: unknown, actor: Actor, sorting: Sorting): Actor | null {
  if (actor !== sorting.main) return actor
  if (sorting.steps.some(({ type }) => type === 'scorer')) return null
  const chain = chainOf(textAt(event, 'span_id'), sorting)
  if (chain.some(([, { type }]) => type === 'scorer' || type === 'scorers')) return null
  const isOuter = (type: string): boolean =>
    type === 'agent' || type === 'tool' || type === 'handoff'
  for (const [n, [id, scope]] of chain.entries()) {
    if (scope.type !== 'agent' || !chain.slice(n + 1).some(([, { type }]) => isOuter(type)))
      continue
    return actorOf(id, scope.name, sorting)
  }
  return sorting.main
}

function actorOf(id: string, name: string, sorting: Sorting): Actor {
  const known = sorting.actors.get(id)
  if (known !== undefined) return known
  const parent = ownerOf({ span_id: sorting.scopes.get(id)?.parent }, sorting.main, sorting)
  const made: Actor = { key: id, name: name === '' ? 'agent' : name, parent, models: [], tools: [] }
  sorting.actors.set(id, made)
  return made
}

/** Spans around an event, the nearest first; none if the parent links form a cycle. */
function chainOf(
  start: string | null,
  { scopes }: Sorting,
): ReadonlyArray<readonly [string, Scope]> {
  const chain = new Map<string, Scope>()
  let id = start
  while (id !== null && chain.size < MAX_DEPTH) {
    const scope = scopes.get(id)
    if (scope === undefined) break
    if (chain.has(id)) return []
    chain.set(id, scope)
    id = scope.parent
  }
  return [...chain]
}

/** The message that a model call made, with its id. */
export function answerOf(event: unknown): unknown {
  const choices = own(own(event, 'output'), 'choices')
  const first: unknown = isList(choices) ? choices[0] : undefined
  const message = own(first, 'message')
  return isObject(message) ? message : null
}
