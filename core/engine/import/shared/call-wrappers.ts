import { asText, isList, isObject, own, textAt } from './guards.ts'

type Wrapper = (value: unknown) => readonly unknown[]

/**
 * [I32] Keys that hold messages in requests and responses. Each reader also adds related fields, such as the system
 * prompt.
 */
const WRAPPERS: ReadonlyArray<readonly [string, Wrapper]> = [
  ['messages', (value) => [...systemOf(value), own(value, 'messages')]],
  ['contents', (value) => [...systemOf(value), ...geminiContents(own(value, 'contents'))]],
  [
    'choices',
    (value) =>
      listOf(own(value, 'choices')).map(
        (choice) => own(choice, 'message') ?? agentText(own(choice, 'text')),
      ),
  ],
  [
    'generations',
    (value) =>
      listOf(own(value, 'generations'))
        .flat(1)
        .map((item) => own(item, 'message') ?? agentText(own(item, 'text'))),
  ],
  ['candidates', (value) => listOf(own(value, 'candidates')).map((item) => own(item, 'content'))],
  ['message', (value) => [own(value, 'message')]],
  ['new_message', (value) => [own(value, 'new_message')]],
  ['output', (value) => [own(value, 'output')]],
  ['content', (value) => [own(value, 'content')]],
]

function listOf(value: unknown): readonly unknown[] {
  return isList(value) ? value : []
}

function agentText(value: unknown): unknown {
  return asText(value) === null ? null : { role: 'assistant', content: value }
}

/** The system prompt beside the messages: Anthropic, Vercel (`system`), Gemini, Responses API. */
function systemOf(value: unknown): readonly unknown[] {
  const config = own(value, 'config')
  const system =
    own(value, 'system') ??
    own(value, 'instructions') ??
    own(value, 'system_instruction') ??
    own(value, 'systemInstruction') ??
    own(config, 'system_instruction') ??
    own(config, 'systemInstruction')
  const content = own(system, 'parts') ?? system
  return content === undefined || content === null ? [] : [{ role: 'system', content }]
}

/** The values inside a wrapper, or null. `prompt` and `input` may also be a plain text of the user. */
export function wrapperOf(
  value: unknown,
  holdsMessage: (item: unknown) => boolean,
): readonly unknown[] | null {
  for (const [key, unwrap] of WRAPPERS) {
    const inner = own(value, key)
    if (!isObject(inner) && !isList(inner) && (key !== 'contents' || asText(inner) === null))
      continue
    const values = unwrap(value).filter((item) => item !== null && item !== undefined)
    if (values.some((item) => holdsMessage(item))) return values
  }
  for (const key of ['prompt', 'input']) {
    const prompt = own(value, key)
    if (isList(prompt) && holdsMessage(prompt)) return [...systemOf(value), prompt]
    const isRequest = key === 'prompt' || own(value, 'model') !== undefined
    if (asText(prompt) !== null && isRequest) return [...systemOf(value), userText(prompt)]
  }
  return argsOf(value, holdsMessage)
}

/** [I114] Arguments of the function that was called, as Python's decorators log them. */
function argsOf(
  value: unknown,
  holdsMessage: (item: unknown) => boolean,
): readonly unknown[] | null {
  const args = own(value, 'args')
  if (!isObject(value) || !isList(args)) return null
  if (Object.keys(value).some((key) => key !== 'args' && key !== 'kwargs')) return null
  const all = [...args, own(value, 'kwargs')]
  if (all.some((item) => item !== undefined && holdsMessage(item))) return all
  const texts = args.filter((item) => asText(item) !== null)
  return texts.length === 0 || texts.length < args.length ? null : [userText(texts.join('\n'))]
}

function userText(content: unknown): unknown {
  return { role: 'user', content }
}

/** [I114] Gemini: one text, or texts and parts whose role may be missing, which is then the user's. */
function geminiContents(contents: unknown): readonly unknown[] {
  if (asText(contents) !== null) return [userText(contents)]
  return (isList(contents) ? contents : [contents]).map((item) => {
    const isBare = isObject(item) && isList(item['parts']) && textAt(item, 'role') === null
    if (isBare) return { ...item, role: 'user' }
    return asText(item) === null ? item : userText(item)
  })
}
