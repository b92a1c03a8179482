import { type JsonNode, readJson } from '../python-json.ts'
import { float } from './template-values.ts'

/**
 * [F215] The object under a name of a line of JSON, as Python's `json` reads it: keys in their order also if they are
 * digits, `1.0` a float. Whole numbers beyond 2^53 stay such numbers, which a template that uses one refuses.
 * @returns null if the line or the name has no such object
 */
export function exactContext(line: string, name: string): Readonly<Record<string, unknown>> | null {
  const { node } = readJson(line)
  const own = node?.kind === 'object' ? node.entries.get(name) : undefined
  if (own?.kind !== 'object') return null
  return Object.fromEntries([...own.entries].map(([key, value]) => [key, exactOf(value)]))
}

function exactOf(node: JsonNode): unknown {
  if (node.kind === 'null') return null
  if (node.kind === 'float') return float(node.value)
  if (node.kind === 'int') return Number(node.value)
  if (node.kind === 'list') return node.items.map(exactOf)
  if (node.kind === 'object')
    return new Map([...node.entries].map(([key, value]) => [key, exactOf(value)]))
  return node.value
}
