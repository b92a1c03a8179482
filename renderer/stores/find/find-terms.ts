import { ownOf } from '../../../core/engine/schema/own.ts'
import { SourceKind } from '../../../core/engine/schema/context.ts'
import { EventKind } from '../../../core/engine/schema/event-kind.ts'
import { OutputType } from '../../../core/engine/schema/coach.ts'
import { QueryType } from '../../../core/engine/schema/query.ts'
import { EVENT_CODES } from '../../../core/engine/schema/replay.ts'
import { SelfSignalType } from '../../../core/engine/schema/self-signal.ts'

/** One filter of the query language, as the find box offers it. */
interface Filter {
  readonly name: string
  readonly about: string
  /** Values that are known beforehand. */
  readonly values: readonly string[]
  /** Written after the name. */
  readonly sign: ':' | '>'
}

/** Filters that the find box completes. The host parses the query and reports errors with their column. */
const FILTERS: readonly Filter[] = [
  filter('role', 'who speaks', ['user', 'agent', 'tool', 'harness', 'system', 'pipeline']),
  filter('domain', 'primary or secondary of the turn', []),
  filter('signal', 'a self-signal, or a domain that a signal matched of', [
    'any',
    ...SelfSignalType.options,
  ]),
  filter('event', 'what momentum did', EVENT_CODES),
  filter('flip', 'the other side says something else', [
    'domain',
    'query',
    'self',
    'prompt',
    'persona',
    'verdict',
    'primary',
    'secondary',
    'signature',
    'enrichment',
    'direct',
    'momentum',
  ]),
  filter('label', 'what labels say of the turn, or the labelled domain', [
    'wrong',
    'right',
    'any',
    'accepted',
    'forbidden',
  ]),
  filter('held', 'momentum kept this domain', ['any']),
  filter('ambiguous', 'the text alone does not decide between domains', ['any']),
  filter('verdict', 'what the coach’s rules say of an output', ['any', ...OutputType.options]),
  filter('query', 'what a message asks for', ['any', ...QueryType.options]),
  filter('persona', 'persona in force by the probe', ['any', 'none']),
  filter('compare', 'domain under the second preset', ['any']),
  filter('tool', 'name of the tool, * for any text', []),
  filter('text', 'a text, also "quoted" or /pattern/', []),
  filter('kind', 'what the record is', EventKind.options),
  filter('error', 'marked as an error', ['yes', 'no']),
  filter('name', 'author, tool or rule of the record', []),
  filter('context', 'kind of source of an injected text', ['any', ...SourceKind.options]),
  filter('skill', 'a loaded skill by its name, * for any text', []),
  filter('injected', 'an injected text by name or path of its source', []),
  {
    ...filter('tokens', 'tokens in the context of the call as recorded, also tokens<150k', []),
    sign: '>',
  },
]

function filter(name: string, about: string, values: readonly string[]): Filter {
  return { name, about, values, sign: ':' }
}

export interface Completion {
  /** Text of the box after completion, with the caret at its end. */
  readonly text: string
  readonly label: string
  readonly about: string
}

/** A value that only the session provides, with its description. */
export interface Value {
  readonly value: string
  readonly about: string
}

const plain = (value: string): Value => ({ value, about: '' })

const LAST_WORD = /(?:^|\s)(-?)([a-z]*)$/u
const LAST_VALUE = /(?:^|\s)-?([a-z]+):((?:[^\s",/]+,)*)([^\s",/]*)$/u
const MOST = 12

/**
 * Completions before the caret: filter names, or values of the filter being typed.
 * @param extra values that only the session provides, by filter, most likely first: domains, tools
 */
export function completions(
  query: string,
  caret: number,
  extra: Readonly<Record<string, readonly Value[]>>,
): readonly Completion[] {
  const head = query.slice(0, caret)
  const tail = query.slice(caret)
  // Inside a quoted text or a pattern nothing is completed.
  if (/^\S/u.test(tail) || (head.match(/"/gu)?.length ?? 0) % 2 === 1) return []
  const value = LAST_VALUE.exec(head)
  const known = FILTERS.find(({ name }) => name === value?.[1])
  if (value && known) {
    const [, , , part = ''] = value
    const base = head.slice(0, head.length - part.length)
    const begun = part.toLowerCase()
    return [...known.values.map(plain), ...(ownOf(extra, known.name) ?? [])]
      .filter(({ value: one }) => one.toLowerCase().startsWith(begun) && one !== part)
      .slice(0, MOST)
      .map(({ value: one, about }) => ({
        text: `${base}${quoted(one)} ${tail.trimStart()}`,
        label: one,
        about,
      }))
  }
  const word = LAST_WORD.exec(head)
  if (!word) return []
  const [, , part = ''] = word
  const base = head.slice(0, head.length - part.length)
  return FILTERS.filter(({ name }) => name.startsWith(part)).map(({ name, about, sign }) => ({
    text: `${base}${name}${sign}${tail}`,
    label: `${name}${sign}`,
    about,
  }))
}

/** True if the query needs the names of the session's tools. */
export function wantsTools(query: string): boolean {
  return /(?:^|\s)-?tool:/u.test(query)
}

function quoted(value: string): string {
  return /[\s",]/u.test(value) ? `"${value.replaceAll(/["\\]/gu, String.raw`\$&`)}"` : value
}

const TERM =
  /(-?)(?:([a-z]+):)?(?:"((?:[^"\\]|\\.)*)"|(\/(?:[^\\/[\n]|\\.|\[[^\]]*\])+\/\w*)|(\S+))/gu
/** A filter without a colon is no text either. */
const COMPARISON = /^tokens[<>]/u
const FILTER_NAMES = new Set(FILTERS.map(({ name }) => name))

/**
 * Texts of a query that are marked in the rows of the list: its plain words and quoted texts. Patterns
 * are run by the host only, which watches their time; its excerpts mark them.
 */
export function needlesOf(query: string): readonly string[] {
  const needles: string[] = []
  for (const [whole, minus, name, inQuotes, regex, bare] of query.matchAll(TERM)) {
    if (minus === '-' || regex !== undefined || COMPARISON.test(whole)) continue
    if (name !== undefined && FILTER_NAMES.has(name)) {
      if (name === 'text')
        needles.push(...(inQuotes === undefined ? (bare ?? '').split(',') : [inQuotes]))
    } else needles.push(inQuotes ?? (name === undefined ? (bare ?? '') : whole))
  }
  return needles.map((one) => one.replaceAll(/\\(["\\])/gu, '$1')).filter((one) => one !== '')
}
