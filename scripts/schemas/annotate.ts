/** Puts the words of a table beside the fields of a JSON Schema. */

/** A beginning that an editor offers in an empty place; `body` may have places to fill in (`$1`). */
interface Snippet {
  readonly label: string
  readonly description: string
  readonly body: unknown
}

/** Description of one field. A bare string is its text. */
export type Word =
  | string
  | {
      /** May be omitted only if it is not a field itself, such as an item of a list. */
      readonly text?: string
      /** Meaning of each value of an enumeration. */
      readonly values?: Readonly<Record<string, string>>
      readonly examples?: readonly unknown[]
      /** Value of the field if it is omitted. */
      readonly default?: unknown
      readonly snippets?: readonly Snippet[]
      /** Accepted values, if zod reads the field by code and cannot express them. */
      readonly schema?: Json
      /** Additional checks made by code, added to the schema. */
      readonly also?: Json
    }

/**
 * Words by the path of a field: `domains[].signals[].weight`; `[]` is an item of a list, `{}` a member under any
 * name, '' the file itself. Fields of alternatives that have the same name share one.
 */
export type Words = Readonly<Record<string, Word>>

type Json = Readonly<Record<string, unknown>>

export interface Annotated {
  readonly schema: Json
  /** Paths of fields, and of values of enumerations, of which nothing is said. */
  readonly missing: readonly string[]
  /** Paths of the table that no field has. */
  readonly unused: readonly string[]
}

const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** [F185] The schema with descriptions, values, examples and snippets added, and the list of missing descriptions. */
export function annotate(schema: Json, words: Words): Annotated {
  const missing = new Set<string>()
  const used = new Set<string>()
  const at = (node: unknown, path: string, isField: boolean): unknown => {
    if (!isJson(node)) return node
    const word = words[path]
    if (word !== undefined) used.add(path)
    if (isField && word === undefined && typeof node['description'] !== 'string') missing.add(path)
    const told = isField ? toldOf(node, word) : {}
    const { schema: instead, values, also = {} } = typeof word === 'object' ? word : {}
    const inside = instead ?? within(node, path)
    return { ...valuesIn(inside, values, path), ...also, ...told }
  }
  const within = (node: Json, path: string): Json => {
    const parts: Record<string, unknown> = { ...node }
    for (const key of ['anyOf', 'oneOf', 'allOf'] as const) {
      const list = node[key]
      if (Array.isArray(list)) parts[key] = list.map((each) => at(each, path, false))
    }
    const { properties, items, additionalProperties, prefixItems } = node
    const under = path === '' ? '' : `${path}.`
    if (isJson(properties)) {
      const fields = Object.entries(properties).map(([name, field]) => {
        return [name, at(field, `${under}${name}`, true)]
      })
      parts['properties'] = Object.fromEntries(fields)
    }
    if (isJson(items)) parts['items'] = at(items, `${path}[]`, false)
    if (Array.isArray(prefixItems))
      parts['prefixItems'] = prefixItems.map((each) => at(each, `${path}[]`, false))
    if (isJson(additionalProperties) && Object.keys(additionalProperties).length > 0)
      parts['additionalProperties'] = at(additionalProperties, `${path}{}`, false)
    return parts
  }
  const valuesIn = (
    node: Json,
    values: Readonly<Record<string, string>> | undefined,
    path: string,
  ): Json => {
    const list = node['enum']
    if (!Array.isArray(list)) return node
    const named = list.map((value) => values?.[String(value)])
    for (const [index, text] of named.entries())
      if (text === undefined) missing.add(`${path} = ${String(list[index])}`)
    return values === undefined
      ? node
      : { ...node, enumDescriptions: named.map((text) => text ?? '') }
  }
  const annotated = at(schema, '', true)
  return {
    schema: isJson(annotated) ? annotated : {},
    missing: [...missing],
    unused: Object.keys(words).filter((path) => !used.has(path)),
  }
}

/** Annotations of a field. */
function toldOf(node: Json, word: Word | undefined): Json {
  if (word === undefined) return {}
  if (typeof word === 'string') return { description: word }
  const { text, examples, snippets } = word
  return {
    ...(text === undefined ? {} : { description: text }),
    ...('default' in word && !('default' in node) ? { default: word.default } : {}),
    ...(examples === undefined ? {} : { examples }),
    ...(snippets === undefined ? {} : { defaultSnippets: snippets }),
  }
}
