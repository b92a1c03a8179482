import type { z } from 'zod'

/** Kinds of values as a reader of YAML or JSON calls them. */
const KINDS: Readonly<Record<string, string>> = {
  array: 'a list',
  object: 'an object with named fields',
  record: 'an object with named fields',
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  null: 'null',
}

const kindOf = (name: string): string => KINDS[name] ?? `a value of kind ${name}`

type Issue = z.core.$ZodIssue

type Words = {
  readonly [Code in Issue['code']]?: (issue: Extract<Issue, { readonly code: Code }>) => string
}

const SIZES: Readonly<Record<string, string>> = {
  string: 'characters',
  array: 'entries',
  set: 'entries',
  map: 'entries',
  file: 'bytes',
}

/** `at most 3 entries`, `more than 0`: of numbers the number alone. */
function bound(origin: string, limit: number | bigint, words: string): string {
  const unit = SIZES[origin]
  return unit === undefined ? `must be ${words} ${limit}` : `must have ${words} ${limit} ${unit}`
}

const listed = (values: readonly unknown[]): string =>
  values.map((value) => JSON.stringify(value)).join(', ')

/** Zod's message contains "received undefined" if a required value is missing. */
const isMissing = ({ message }: Issue): boolean => message.includes('received undefined')

const WORDS: Words = {
  invalid_type: (issue) =>
    isMissing(issue)
      ? `is missing: ${kindOf(issue.expected)} belongs here`
      : `must be ${kindOf(issue.expected)}`,
  too_big: ({ origin, maximum, inclusive = true }) =>
    bound(origin, maximum, inclusive ? 'at most' : 'less than'),
  too_small: ({ origin, minimum, inclusive = true }) =>
    bound(origin, minimum, inclusive ? 'at least' : 'more than'),
  not_multiple_of: ({ divisor }) => `must be a multiple of ${divisor}`,
  unrecognized_keys: ({ keys }) =>
    keys.length === 1
      ? `has an unknown field ${listed(keys)}`
      : `has unknown fields ${listed(keys)}`,
  invalid_value: ({ values }) =>
    values.length === 1 ? `must be ${listed(values)}` : `must be one of ${listed(values)}`,
  invalid_format: ({ format }) =>
    format === 'regex'
      ? 'has characters or a form that this field does not take'
      : `must be a valid ${format}`,
  invalid_union: () => 'has none of the forms that this field takes',
  invalid_key: () => 'has a name that this place does not take',
  invalid_element: () => 'has an entry that this list does not take',
}

/** [U174] The error of a value, as a sentence without its subject; the field's name precedes it. */
export function issueWords(issue: Issue): string {
  if (!isOwn(issue)) return issue.message
  // Each entry takes the issue with the same code.
  const words = WORDS[issue.code] as ((issue: Issue) => string) | undefined
  return words?.(issue) ?? issue.message
}

/** A schema that has its own words for a fault keeps them: the library's begin like this. */
function isOwn({ code, message }: Issue): boolean {
  return code !== 'custom' && /^(?:Invalid|Too |Unrecognized|Expected)/u.test(message)
}

/** The field and its error: `domains.0.name is missing: …`. */
export function fieldWords(issue: Issue | undefined, whole: string): string {
  if (issue === undefined) return `${whole} has an unexpected shape`
  const field = issue.path.map(String).join('.')
  const words = issueWords(issue)
  // A schema's own error text is already a full sentence.
  if (!isOwn(issue)) return field === '' ? words : `"${field}": ${words}`
  return `${field === '' ? whole : `"${field}"`} ${words}`
}

/** Everything that is wrong with a value, in one line. */
export function allWords({ issues }: z.ZodError, whole: string): string {
  return issues.map((issue) => fieldWords(issue, whole)).join('; ')
}
