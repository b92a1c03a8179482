import type { PromptSegment } from '../schema/prompt.ts'
import type { QueryType } from '../schema/query.ts'
import { isForType } from './registry.ts'

/** Text that another stage puts into the prompt. It is not a template. */
export interface AddedSegment {
  readonly id: string
  readonly text: string
  readonly priority: number
}

/** A segment that is considered for this message. */
export interface Candidate {
  readonly segment: PromptSegment
  readonly origin: 'registry' | 'extra' | 'added'
  /** Text of an added segment; null = read the file. */
  readonly text: string | null
}

interface Selection {
  /** By priority; of one priority in the order of the registry, then extra, then added. */
  readonly candidates: readonly Candidate[]
  readonly notForType: readonly PromptSegment[]
  readonly unknown: readonly string[]
}

function addedCandidate(added: AddedSegment): Candidate {
  const { id, priority, text } = added
  return {
    origin: 'added',
    text,
    segment: { id, file_path: '', priority, conditions: [], required: false, token_estimate: 0 },
  }
}

/** Segments for a type, those requested by id, and those that other stages add (T010 steps 1 and 2). */
export function selectSegments(
  registry: readonly PromptSegment[],
  type: QueryType,
  extra: readonly string[],
  added: readonly AddedSegment[],
): Selection {
  const byId = new Map(registry.map((segment) => [segment.id, segment]))
  const chosen = new Map<string, Candidate>()
  for (const segment of byId.values())
    if (isForType(segment, type))
      chosen.set(segment.id, { segment, origin: 'registry', text: null })
  const unknown: string[] = []
  for (const id of extra) {
    const segment = byId.get(id)
    if (segment === undefined) unknown.push(id)
    else if (!chosen.has(id)) chosen.set(id, { segment, origin: 'extra', text: null })
  }
  const candidates = [...chosen.values(), ...added.map(addedCandidate)]
  return {
    candidates: candidates.sort((a, b) => a.segment.priority - b.segment.priority),
    notForType: [...byId.values()].filter((segment) => !chosen.has(segment.id)),
    unknown,
  }
}
