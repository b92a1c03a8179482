import { jsonIn } from '../shared/call-parts.ts'
import { isList, isObject, own, textAt } from '../shared/guards.ts'
import { firstOf, firstTextOf, type Attributes } from './attributes.ts'
import type { Span } from './record.ts'

/** Scopes of SDKs by which several instrumentations write: they do not tell which one did. */
const SHARED_SCOPE = /^(@?langfuse\b|langsmith$|opentelemetry$)/i

/** [I113] Names that libraries give to the spans of model calls, used if no scope names the library. */
const MODEL_NAMES: ReadonlyArray<readonly [RegExp, string]> = [
  [/^(Async)?(Chat)?(Completions?|Responses?)$/, 'openai'],
  [/^(openai\.|(Azure-)?OpenAI-generation$)/i, 'openai'],
  [/^(anthropic\.|(Async)?Messages(Stream)?$)/i, 'anthropic'],
  [/^a?completion$|^litellm/, 'litellm'],
  [/^(chat|text_completion|generate_content|responses?) \S/, 'gen_ai'],
  [/^ai\.(generate|stream)/, 'vercel'],
  [/^(Azure)?Chat[A-Z]\w*(\.\w+)?$/, 'langchain'],
]

/** The same for runs of tools. */
const TOOL_NAMES: ReadonlyArray<readonly [RegExp, string]> = [
  [/^execute_tool /, 'gen_ai'],
  [/^running tool:? /, 'pydantic'],
  [/^tool\./, 'koog'],
  [/^\S/, 'framework'],
]

/** The instrumentation that wrote a span; null if unknown. */
export function libraryOf({ library, name, role }: Span): string | null {
  if (library !== null && !SHARED_SCOPE.test(library)) return library
  const names = role === 'tool' ? TOOL_NAMES : MODEL_NAMES
  return names.find(([form]) => form.test(name))?.[1] ?? null
}

const ANSWER_ID = /^(?:chatcmpl|resp|msg)[-_][\w-]{4,100}$/
/** Keys under which a provider's response, or LangChain's form of it, may hold the provider's id. */
const WAYS: readonly string[] = [
  'llm_output',
  'generations',
  'message',
  'messages',
  'kwargs',
  'data',
  'response_metadata',
]
const MAX_DEPTH = 8

/** [I113] The id that a provider gave to an answer, in any recorded form of the answer. */
export function answerIdOf(output: unknown, depth = 0): string | null {
  if (depth > MAX_DEPTH) return null
  if (typeof output === 'string') return answerIdOf(jsonIn(output), depth + 1)
  // Several answers came in one response, so the first one's id represents all.
  if (isList(output)) return output.length === 0 ? null : answerIdOf(output[0], depth + 1)
  for (const way of WAYS) {
    const inner = own(output, way)
    const found = isObject(inner) || isList(inner) ? answerIdOf(inner, depth + 1) : null
    if (found !== null) return found
  }
  const id = textAt(output, 'id')
  return id !== null && ANSWER_ID.test(id) ? id : null
}

const ID_KEYS = ['gen_ai.response.id', 'llm.response.id', 'ai.response.id']
const OUTPUT_KEYS = ['output.value', 'traceloop.entity.output', 'langfuse.observation.output']

/** The same from the attributes of a span. */
export function answerIdIn(attributes: Attributes): string | null {
  const id = firstTextOf(attributes, ID_KEYS)
  return id !== null && ANSWER_ID.test(id) ? id : answerIdOf(firstOf(attributes, OUTPUT_KEYS))
}
