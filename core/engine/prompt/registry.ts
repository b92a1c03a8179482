import type { PromptSegment } from '../schema/prompt.ts'
import type { QueryType } from '../schema/query.ts'

function always(id: string, file: string, priority: number, estimate: number): PromptSegment {
  return segment(id, file, { priority, conditions: [], required: true, estimate })
}

function only(
  id: string,
  file: string,
  conditions: readonly QueryType[],
  estimate: number,
): PromptSegment {
  return segment(id, file, { priority: 10, conditions, required: false, estimate })
}

function segment(
  id: string,
  file: string,
  rest: {
    readonly priority: number
    readonly conditions: readonly QueryType[]
    readonly required: boolean
    readonly estimate: number
  },
): PromptSegment {
  const { estimate, ...others } = rest
  return { id, file_path: `oracle/${file}.md`, ...others, token_estimate: estimate }
}

/** The seven segments of oracle-agent T010. [P5] conditions are sorted. */
export const SEGMENT_REGISTRY: readonly PromptSegment[] = [
  always('base', 'base', 0, 400),
  always('signals', 'signals', 1, 800),
  always('tools', 'tools-reference', 2, 600),
  only('code', 'code-analysis', ['code'], 300),
  only('docs', 'documentation', ['action', 'documentation'], 250),
  only('research', 'research', ['research'], 250),
  only('conversation', 'conversation', ['conversational'], 150),
]

/** No conditions = for every type. */
export function isForType(segment: PromptSegment, type: QueryType): boolean {
  return segment.conditions.length === 0 || segment.conditions.includes(type)
}

/** [P5] The registry's data about each segment, by priority. Conditions are sorted; `always` if there are none. */
export function segmentInfo(registry: readonly PromptSegment[]): ReadonlyArray<{
  readonly [K in keyof PromptSegment]: K extends 'conditions' ? readonly string[] : PromptSegment[K]
}> {
  return [...registry]
    .sort((a, b) => a.priority - b.priority)
    .map((segment) => ({
      ...segment,
      conditions: segment.conditions.length > 0 ? [...segment.conditions].sort() : ['always'],
    }))
}
