import type { Span } from './record.ts'

/** Nesting of the spans of a trace. A walk upwards ends at a cycle or a missing parent. */
export interface Family {
  readonly parentOf: (span: Span) => Span | null
  /** The sub-agent's span that a span belongs to; null if it belongs to none. */
  readonly subAgentOf: (span: Span) => Span | null
  /** The name of the outermost agent around a span. */
  readonly topAgentOf: (span: Span) => string | null
  /** The nearest model call around a span, with no agent and no tool between. */
  readonly modelAround: (span: Span) => Span | null
  /** Says the same for spans of the same agent in the same tool's run. */
  readonly sideOf: (span: Span) => string
  /** True for a tool span inside one of the same tool. */
  readonly isSameTool: (span: Span) => boolean
  /** True for the outermost agent, or for the outermost span if there is no agent. */
  readonly isTop: (span: Span) => boolean
}

/** Ancestors of a span, including itself. */
interface Above {
  /** The nearest agent, and the one around that. */
  readonly agent: Span | null
  readonly outer: Span | null
  readonly sub: Span | null
  readonly top: Span | null
  readonly model: Span | null
  readonly tool: Span | null
  /** The nearest tool of the same agent. */
  readonly ownTool: Span | null
}

const NOTHING: Above = {
  agent: null,
  outer: null,
  sub: null,
  top: null,
  model: null,
  tool: null,
  ownTool: null,
}

export function createFamily(spans: readonly Span[]): Family {
  const byId = new Map(spans.map((span) => [span.id, span]))
  const parentOf = (span: Span): Span | null => {
    const parent = span.parent === null ? undefined : byId.get(span.parent)
    return parent === undefined || parent === span ? null : parent
  }
  const merged = sameAgents(spans, parentOf)
  const above = eachAbove(spans, parentOf, merged)
  const of = (span: Span | null): Above => (span === null ? NOTHING : (above.get(span) ?? NOTHING))
  const hasAgent = spans.some((span) => span.role === 'agent')
  return {
    parentOf,
    subAgentOf: (span) => of(span).sub,
    topAgentOf: (span) => {
      const { top } = of(span)
      return top === null ? span.agent : top.agent
    },
    modelAround: (span) => of(parentOf(span)).model,
    sideOf(span) {
      const { agent, tool } = of(parentOf(span))
      return `${agent?.id ?? ''}\0${tool?.id ?? ''}`
    },
    isSameTool: (span) => of(parentOf(span)).ownTool?.name === span.name,
    isTop: (span) =>
      hasAgent ? span.role === 'agent' && !merged.has(span) : parentOf(span) === null,
  }
}

type ParentOf = (span: Span) => Span | null

/**
 * Agent spans that repeat their outer agent: of the same name, or the only agent inside one that makes no calls itself
 * (Koog: an agent and its run).
 */
function sameAgents(spans: readonly Span[], parentOf: ParentOf): ReadonlySet<Span> {
  const above = eachAbove(spans, parentOf, new Set())
  const of = (span: Span): Above => above.get(span) ?? NOTHING
  const callers = new Set<Span>()
  const inner = new Map<Span, number>()
  for (const span of spans) {
    const { agent, outer } = of(span)
    if (span.role === 'agent' && outer !== null) inner.set(outer, (inner.get(outer) ?? 0) + 1)
    if (span.role === 'model' && agent !== null) callers.add(agent)
  }
  const isSame = (span: Span): boolean => {
    const { outer, tool } = of(span)
    if (span.role !== 'agent' || outer === null || tool !== of(outer).tool) return false
    if (span.agent !== null && span.agent === outer.agent) return true
    return !callers.has(outer) && inner.get(outer) === 1
  }
  return new Set(spans.filter(isSame))
}

/** Walks up from every span once. Caches intermediate results, so that the whole walk takes linear time. */
function eachAbove(
  spans: readonly Span[],
  parentOf: ParentOf,
  merged: ReadonlySet<Span>,
): ReadonlyMap<Span, Above> {
  const above = new Map<Span, Above>()
  for (const start of spans) {
    const path: Span[] = []
    const onPath = new Set<Span>()
    let at: Span | null = start
    while (at !== null && !above.has(at) && !onPath.has(at)) {
      path.push(at)
      onPath.add(at)
      at = parentOf(at)
    }
    let found = at === null ? NOTHING : (above.get(at) ?? NOTHING)
    for (const span of path.reverse()) {
      found = step(span, found, merged)
      above.set(span, found)
    }
  }
  return above
}

function step(span: Span, found: Above, merged: ReadonlySet<Span>): Above {
  if (span.role === 'model') return { ...found, model: span }
  if (span.role === 'tool') return { ...found, tool: span, ownTool: span, model: null }
  if (span.role !== 'agent' || merged.has(span)) return found
  const { agent } = found
  // A model call around an agent is not a call around that agent's calls.
  if (agent === null) return { ...found, agent: span, top: span, model: null, ownTool: null }
  return { ...found, agent: span, outer: agent, sub: span, model: null, ownTool: null }
}
