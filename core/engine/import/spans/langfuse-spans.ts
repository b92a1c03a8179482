import { NO_CONTENT, callContent } from '../shared/call-messages.ts'
import { textContent, type EventContent } from '../shared/call-parts.ts'
import { valueIn } from '../shared/call-texts.ts'
import { compact, entryOf, epoch, isList, isObject, own, pick, textAt } from '../shared/guards.ts'
import type { ImportLog } from '../shared/import-log.ts'
import { attributesOf, firstTextOf, type Attributes } from './attributes.ts'
import { isToolMessage, onlySystem, orElse, withSystem, withThoughts } from './beside-messages.ts'
import { tellSpan } from './conventions.ts'
import { answerIdIn, answerIdOf } from './library.ts'
import { EMPTY_SPAN, type SpanRecord } from './record.ts'
import { toolContent } from './tool.ts'
import { langfuseUsage, spanUsage } from './usage.ts'

type Role = SpanRecord['role']

/** [I35] Types of observations. Those not here (SPAN, EVENT, CHAIN, …) surround the others. */
export const ROLES: Readonly<Record<string, Role>> = {
  GENERATION: 'model',
  AGENT: 'agent',
  TOOL: 'tool',
}

/** The trace itself as the outermost span. Its messages are used if no observation has any. */
export function ofTrace(trace: unknown, id: string, group: string | null): SpanRecord {
  const at = epoch(own(trace, 'timestamp'))
  const seconds = own(trace, 'latency')
  const lasted = typeof seconds === 'number' && seconds > 0 ? Math.round(seconds * 1000) : 0
  return {
    ...EMPTY_SPAN,
    id: `trace ${id}`,
    trace: id,
    group,
    name: textAt(trace, 'name') ?? 'trace',
    start: at === null ? null : at - 0.5,
    at,
    endAt: at === null ? null : at + lasted,
    input: callContent(whole(own(trace, 'input')), 'user', () => undefined),
    output: callContent(whole(own(trace, 'output')), 'agent', () => undefined),
    notes: scoresOf(trace),
    facts: factsOf(trace),
  }
}

/** [I35] Values are JSON in strings, JSON in those strings, or plain text; `null` may be a word. */
function whole(value: unknown): unknown {
  if (typeof value !== 'string') return value
  if (value === 'null' || value === 'None' || value === 'undefined') return null
  return valueIn(value) ?? value
}

/** For a call without new messages, LangSmith's exporter writes the name of a field as the content. */
function filledInput(input: unknown): unknown {
  const words = isObject(input) && Object.keys(input).length === 1 ? input['content'] : null
  return words === 'role' ? null : input
}

/** Arguments of a tool as LangSmith's exporter wraps them: `{input: {…}}`. */
function onlyInput(args: unknown): unknown {
  const inner = isObject(args) && Object.keys(args).length === 1 ? args['input'] : undefined
  return isObject(inner) ? inner : args
}

/** An observation as a span. */
export function ofObservation(
  value: unknown,
  groups: ReadonlyMap<string, string>,
  log: ImportLog,
): SpanRecord {
  const metadata = whole(own(value, 'metadata'))
  const attributes = attributesOf(own(metadata, 'attributes'))
  const trace = textAt(value, 'traceId')
  const at = epoch(own(value, 'startTime'))
  const agent = firstTextOf(attributes, ['gen_ai.agent.name', 'agent_name', 'agent.name'])
  const role = roleOf(value, agent !== null)
  const failed = own(value, 'level') === 'ERROR'
  return {
    id: textAt(value, 'id'),
    parent: textAt(value, 'parentObservationId') ?? (trace === null ? null : `trace ${trace}`),
    trace,
    group: trace === null ? null : (groups.get(trace) ?? null),
    name: textAt(value, 'name') ?? 'observation',
    role,
    agent,
    start: at,
    at,
    endAt: epoch(own(value, 'endTime')),
    model: textAt(value, 'model'),
    library: textAt(own(metadata, 'scope'), 'name'),
    answerId: answerIdIn(attributes) ?? answerIdOf(own(value, 'output')),
    error: failed
      ? (textAt(value, 'statusMessage') ?? 'the observation failed without a message')
      : null,
    ...contentIn(value, role, attributes, log),
    notes: scoresOf(value),
    facts: factsOf(value),
    usage: langfuseUsage(value) ?? spanUsage(attributes),
  }
}

/** A span that other frameworks name as a tool's is one: `tool.<name>`, `execute_tool <name>`. */
const TOOL_NAME =
  /^(?:execute_tool |running tool:? |tool\.)(?!.*\.(?:start|finish|success|update)-)/

function roleOf(value: unknown, hasAgent: boolean): Role {
  const type = (textAt(value, 'type') ?? '').toUpperCase()
  const role = entryOf(ROLES, type)
  if (role !== undefined) return role
  const speaks = own(value, 'input') !== null && own(value, 'output') !== null
  const isTool = TOOL_NAME.test(textAt(value, 'name') ?? '')
  return speaks && (isTool || isToolMessage(whole(own(value, 'output'))))
    ? 'tool'
    : hasAgent
      ? 'agent'
      : 'other'
}

function contentIn(
  value: unknown,
  role: Role,
  attributes: Attributes,
  log: ImportLog,
): Pick<SpanRecord, 'input' | 'output'> {
  const input = filledInput(whole(own(value, 'input')))
  const output = whole(own(value, 'output'))
  if (role === 'tool') {
    const name =
      firstTextOf(attributes, ['gen_ai.tool.name']) ??
      (textAt(value, 'name') ?? 'tool').replace(TOOL_NAME, '')
    const callId = firstTextOf(attributes, ['gen_ai.tool.call.id', 'ai.toolCall.id'])
    const args = onlyInput(input)
    return toolContent({ name, callId, args, result: output })
  }
  // Spans around model calls repeat their messages. Only the trace is used as a fallback if the calls have none.
  if (role === 'other')
    return { input: onlySystem(callContent(input, 'user', ignore)), output: NO_CONTENT }
  const skip = (type: string): void => log.skip(type)
  const asked = callContent(input, 'user', skip)
  const answered = callContent(output, 'agent', skip)
  if (role !== 'model') return { input: asked, output: answered }
  const told = tellSpan(textAt(value, 'name') ?? '', attributes, [], ignore)
  const parameters = [own(value, 'modelParameters'), output]
  return {
    input: withSystem(orElse(asked, told.input), [told.input], parameters),
    output: withThoughts(orElse(answered, told.output), told.output),
  }
}

function ignore(): void {
  // Counted when the messages are read.
}

/** Scores and corrections, as judgements. */
function scoresOf(value: unknown): readonly EventContent[] {
  const notes: EventContent[] = []
  for (const key of ['scores', 'corrections']) {
    const list = whole(own(value, key))
    for (const score of isList(list) ? list : []) {
      if (!isObject(score)) continue
      const facts = [
        own(score, 'stringValue') ?? own(score, 'value'),
        own(score, 'comment') ?? own(score, 'longStringValue'),
      ]
      const shown = facts.map(compact).filter((fact) => fact !== '')
      notes.push(textContent('meta', shown.join(' · '), textAt(score, 'name') ?? key))
    }
  }
  return notes
}

const FACTS = [
  'type',
  'level',
  'model',
  'usageDetails',
  'costDetails',
  'promptName',
  'promptVersion',
  'latency',
  'tags',
]

function factsOf(value: unknown): Readonly<Record<string, unknown>> {
  return pick(value, FACTS)
}
