import {
  is,
  isArray,
  isEqual,
  isMap,
  itemsOf,
  missingFault,
  numberOf,
  orderOf,
  sizeOf,
  textOf,
  typeName,
  type Value,
} from './template-values.ts'

type Test = (value: Value, values: readonly Value[]) => boolean

const isText = (value: Value): boolean => typeName(value) === 'str'

function remainder(value: Value, by: number): number {
  const number = numberOf(value)
  if (is.missing(value)) throw missingFault(value)
  if (number === null) throw new Error(`'${typeName(value)}' is no number`)
  return ((number % by) + by) % by
}

/** Python's `islower`: letters with case, all of them of this one. */
function isCase(value: Value, folded: string): boolean {
  const text = textOf(value)
  return text === folded && text.toLowerCase() !== text.toUpperCase()
}

const first = (values: readonly Value[]): Value => values[0] ?? null
const equal: Test = (value, values) => isEqual(value, first(values))
const greater: Test = (value, values) => orderOf(value, first(values)) > 0
const less: Test = (value, values) => orderOf(value, first(values)) < 0

/** Whether `part` is in a text, a list, or among the keys of a dictionary. */
export function isIn(part: Value, whole: Value): boolean {
  if (isText(whole)) {
    if (is.missing(part)) throw missingFault(part)
    if (!isText(part)) throw new Error("'in' of a text needs a text")
    return textOf(whole).includes(textOf(part))
  }
  return itemsOf(whole).some((item) => isEqual(item, part))
}

const TESTS: Readonly<Record<string, Test>> = {
  boolean: (value) => typeof value === 'boolean',
  callable: (value) => is.fn(value),
  defined: (value) => !is.missing(value),
  divisibleby: (value, values) => remainder(value, Number(textOf(first(values)))) === 0,
  eq: equal,
  equalto: equal,
  '==': equal,
  even: (value) => remainder(value, 2) === 0,
  false: (value) => value === false,
  float: (value) => is.float(value),
  ge: (value, values) => orderOf(value, first(values)) >= 0,
  '>=': (value, values) => orderOf(value, first(values)) >= 0,
  greaterthan: greater,
  gt: greater,
  '>': greater,
  in: (value, values) => isIn(value, first(values)),
  integer: (value) => typeof value === 'number',
  iterable: (value) => sizeOf(value) !== null || is.seq(value),
  le: (value, values) => orderOf(value, first(values)) <= 0,
  '<=': (value, values) => orderOf(value, first(values)) <= 0,
  lessthan: less,
  lower: (value) => isCase(value, textOf(value).toLowerCase()),
  lt: less,
  '<': less,
  mapping: isMap,
  ne: (value, values) => !isEqual(value, first(values)),
  '!=': (value, values) => !isEqual(value, first(values)),
  none: (value) => value === null,
  number: (value) => numberOf(value) !== null,
  odd: (value) => remainder(value, 2) === 1,
  sequence: (value) =>
    sizeOf(value) !== null && (!is.seq(value) || value.kind !== 'iterator' || isArray(value)),
  string: isText,
  true: (value) => value === true,
  undefined: (value) => is.missing(value),
  upper: (value) => isCase(value, textOf(value).toUpperCase()),
}

export function testOf(name: string): Test {
  const test = Object.hasOwn(TESTS, name) ? TESTS[name] : undefined
  if (test === undefined) throw new Error(`the test "${name}" is outside of the subset`)
  return test
}
