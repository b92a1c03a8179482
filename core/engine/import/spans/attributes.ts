import { jsonIn } from '../shared/call-parts.ts'
import { asText, isList, isObject, numberIn, own, textAt } from '../shared/guards.ts'

/** Attributes of a span by key, decoded. */
export type Attributes = ReadonlyMap<string, unknown>

const MAX_DEPTH = 20

/** OTLP writes attributes as a list of key and typed value; everybody else as an object. */
export function attributesOf(value: unknown): Map<string, unknown> {
  const found = new Map<string, unknown>()
  if (isList(value)) {
    for (const item of value) {
      const key = own(item, 'key')
      if (typeof key === 'string') found.set(key, anyValue(own(item, 'value'), 0))
    }
  } else if (isObject(value)) {
    for (const key of Object.keys(value)) found.set(key, value[key])
  }
  return found
}

/** [I33] `{stringValue}`, `{intValue: "1"}` (a string in JSON), `{arrayValue: {values}}` and the others. */
export function anyValue(value: unknown, depth: number): unknown {
  if (!isObject(value) || depth > MAX_DEPTH) return value
  for (const [camel, snake] of SIMPLE) {
    const simple = value[camel] ?? value[snake]
    if (simple !== undefined) return camel === 'intValue' ? whole(simple) : simple
  }
  const list = own(value['arrayValue'] ?? value['array_value'], 'values')
  if (isList(list)) return list.map((item) => anyValue(item, depth + 1))
  const pairs = own(value['kvlistValue'] ?? value['kvlist_value'], 'values')
  if (!isList(pairs)) return undefined
  const entries = pairs.map((pair): [string, unknown] => {
    return [textAt(pair, 'key') ?? '', anyValue(own(pair, 'value'), depth + 1)]
  })
  return Object.fromEntries(entries)
}

const SIMPLE: ReadonlyArray<readonly [string, string]> = [
  ['stringValue', 'string_value'],
  ['intValue', 'int_value'],
  ['doubleValue', 'double_value'],
  ['boolValue', 'bool_value'],
  ['bytesValue', 'bytes_value'],
]

function whole(value: unknown): unknown {
  const number = numberIn(value)
  return Number.isSafeInteger(number) ? number : value
}

/** The first of some keys that has a value. */
export function firstOf(attributes: Attributes, keys: readonly string[]): unknown {
  for (const key of keys) {
    const value = attributes.get(key)
    if (value !== undefined && value !== null && value !== '') return value
  }
  return undefined
}

/** The first of some keys that has a text. */
export function firstTextOf(attributes: Attributes, keys: readonly string[]): string | null {
  for (const key of keys) {
    const value = asText(attributes.get(key))
    if (value !== null) return value
  }
  return null
}

/** A tree of attributes whose keys are paths, as in `llm.input_messages.0.message.role`. */
type Tree = Map<string, Tree | Leaf>
interface Leaf {
  readonly value: unknown
}

/** Items under `prefix.N.`, in the order of N, as nested objects; null when there are none. */
export function itemsUnder(attributes: Attributes, prefix: string): readonly unknown[] | null {
  const tree: Tree = new Map()
  for (const [key, value] of attributes) {
    if (!key.startsWith(prefix)) continue
    const path = key.slice(prefix.length).split('.', MAX_DEPTH)
    if (/^\d+$/.test(path[0] ?? '')) plant(tree, path, value)
  }
  return tree.size === 0 ? null : listOfTree(tree)
}

function plant(tree: Tree, path: readonly string[], value: unknown): void {
  let at = tree
  for (const step of path.slice(0, -1)) {
    const next = at.get(step)
    if (next instanceof Map) at = next
    else {
      const made: Tree = new Map()
      at.set(step, made)
      at = made
    }
  }
  const last = path.at(-1) ?? ''
  if (!(at.get(last) instanceof Map)) at.set(last, { value })
}

function listOfTree(tree: Tree): readonly unknown[] {
  const entries = [...tree].toSorted(([a], [b]) => Number(a) - Number(b))
  return entries.map(([, node]) => valueOfNode(node))
}

function valueOfNode(node: Tree | Leaf): unknown {
  if (!(node instanceof Map)) return node.value
  if ([...node.keys()].every((key) => /^\d+$/.test(key))) return listOfTree(node)
  return Object.fromEntries([...node].map(([key, inner]) => [key, valueOfNode(inner)]))
}

/** OpenInference wraps each thing once more: `{message: {contents: [{message_content: {…}}]}}`. */
export function openInferenceMessage(item: unknown): unknown {
  const message = own(item, 'message')
  const contents = own(message, 'contents')
  const calls = own(message, 'tool_calls')
  const inner = (list: unknown, key: string): readonly unknown[] | undefined =>
    isList(list) ? list.map((entry) => own(entry, key)) : undefined
  const legacy = textAt(message, 'function_call_name')
  const parts = inner(contents, 'message_content')?.map(imagePart)
  const toolCalls = inner(calls, 'tool_call')
  return {
    role: textAt(message, 'role') ?? 'assistant',
    content: parts ?? own(message, 'content'),
    tool_calls: toolCalls,
    tool_call_id: own(message, 'tool_call_id'),
    name: own(message, 'name'),
    ...(legacy === null
      ? {}
      : {
          function_call: { name: legacy, arguments: own(message, 'function_call_arguments_json') },
        }),
  }
}

function imagePart(part: unknown): unknown {
  const url = own(own(own(part, 'image'), 'image'), 'url')
  return url === undefined ? part : { type: 'image', image: url }
}

/** Traceloop: role, content (perhaps a JSON list of parts), tool calls with `name` and `arguments`. */
export function traceloopMessage(item: unknown, role: string): unknown {
  const content = own(item, 'content')
  const parts = typeof content === 'string' ? jsonIn(content) : content
  const isParts = isList(parts) && parts.some((part) => textAt(part, 'type') !== null)
  return {
    role: textAt(item, 'role') ?? role,
    content: isParts ? parts : content,
    tool_calls: own(item, 'tool_calls'),
    tool_call_id: own(item, 'tool_call_id'),
  }
}
