import type { EventMap, FormatMap } from '../../schema/format-map.ts'
import { parsePath, type MapPath } from '../../schema/map-path.ts'
import { isList } from '../shared/guards.ts'
import { valuesAt, type Budget, type Found, type Places, type Spot } from './values.ts'

/** A field of a mapping: the paths of which the first that finds something counts. */
export interface Field {
  /** Path of the field in the mapping: `events.0.text`. */
  readonly field: string
  readonly paths: readonly MapPath[]
}

type FieldName =
  'role' | 'text' | 'time' | 'tool' | 'arguments' | 'result' | 'error' | 'call' | 'name' | 'model'

/** One entry of `events`, ready to be used. */
export interface EventRule extends Readonly<Record<FieldName, Field | null>> {
  readonly each: Field | null
  readonly kind: EventMap['kind']
}

/** A mapping with its paths parsed. */
export interface CompiledMap {
  readonly map: FormatMap
  readonly records: Field
  readonly session: Field | null
  readonly parent: Field | null
  readonly title: Field | null
  readonly events: readonly EventRule[]
  readonly match: ReadonlyArray<{
    readonly field: Field
    readonly equals: readonly unknown[] | null
  }>
}

/** Parses the paths of a mapping, which its schema has checked. */
export function compileMap(map: FormatMap): CompiledMap {
  const { records, session, parent, title, events, match = [] } = map
  return {
    map,
    records: fieldOf('records', [records]),
    session: optional('session', session),
    parent: optional('parent', parent),
    title: optional('title', title),
    events: events.map(ruleOf),
    match: match.map(({ path, equals = null }, at) => ({
      field: fieldOf(`match.${at}.path`, [path]),
      equals,
    })),
  }
}

function ruleOf(event: EventMap, at: number): EventRule {
  const of = (name: FieldName) => optional(`events.${at}.${name}`, event[name])
  return {
    role: of('role'),
    text: of('text'),
    time: of('time'),
    tool: of('tool'),
    arguments: of('arguments'),
    result: of('result'),
    error: of('error'),
    call: of('call'),
    name: of('name'),
    model: of('model'),
    each: optional(`events.${at}.each`, event.each === undefined ? undefined : [event.each]),
    kind: event.kind,
  }
}

function optional(field: string, paths: readonly string[] | undefined): Field | null {
  return paths === undefined ? null : fieldOf(field, paths)
}

function fieldOf(field: string, texts: readonly string[]): Field {
  const paths = texts.flatMap((text) => {
    const path = parsePath(text)
    return path.ok ? [path.value] : []
  })
  return { field, paths }
}

/** Values of the first path that finds any. Null, '' and an empty list count as not found. */
export function foundBy({ paths }: Field, places: Places, budget: Budget): Found {
  let first: Found | null = null
  let isEmpty = false
  for (const path of paths) {
    const found = valuesAt(path, places, budget)
    if (found.spots.some(({ value }) => says(value))) return found
    isEmpty ||= found.isEmpty || found.spots.length > 0
    first ??= found
  }
  return { spots: [], isEmpty, why: () => whyEmpty(first) }
}

function whyEmpty(found: Found | null): string {
  if (found === null) return ''
  return found.spots.length === 0 ? found.why() : 'what it finds is empty'
}

function says(value: unknown): boolean {
  return (
    value !== null && value !== undefined && value !== '' && !(isList(value) && value.length === 0)
  )
}

/** [I140] Whether a line, item or document shows the format. */
export function isMatch({ match }: CompiledMap, root: Spot, budget: Budget): boolean {
  if (match.length === 0) return false
  return match.every(({ field, equals }) =>
    field.paths.some((path) => {
      const { spots } = valuesAt(path, { root, here: root }, budget)
      return equals === null ? spots.length > 0 : spots.some(({ value }) => equals.includes(value))
    }),
  )
}
