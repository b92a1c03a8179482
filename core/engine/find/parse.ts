import { type Result, allOk, err, mapOk, ok } from '../result.ts'
import { type Stage, STAGES } from '../schema/compare.ts'
import { FILTERS } from './filters.ts'
import { nearestWord } from './nearest.ts'
import { patternOf } from './pattern.ts'
import { type Condition, KNOWN_FIELDS, type Query, type Term } from './query.ts'
import { type RawTerm, queryProblem, readTerms } from './tokens.ts'

/**
 * Parses a query [F1 to F8]: words, "quoted text", /regular expressions/ and filters, all of which
 * must hold; `-` before one excludes. A failure names the column and says what to do.
 */
export function parseQuery(text: string): Result<Query> {
  const raw = readTerms(text, isFilter)
  if (!raw.ok) return raw
  if (raw.value.length === 0) {
    return err(
      queryProblem('the query is empty', 1, 'Write a word, "a text", /a pattern/ or kind:user'),
    )
  }
  const terms = allOk(raw.value, (each) =>
    mapOk(conditionOf(each), (condition): Term => ({ negated: each.negated, condition })),
  )
  return mapOk(terms, (all) => ({
    terms: all.toSorted((a, b) => cost(a) - cost(b)),
    needsReplay: all.some(({ condition }) => REPLAY_FIELDS.has(condition.field)),
    needsCompare: all.some(({ condition: { field } }) => field === 'flip' || field === 'compare'),
    asks: new Set(KNOWN_FIELDS.filter((field) => all.some((one) => one.condition.field === field))),
    stages: new Set(all.flatMap(({ condition }) => stagesOf(condition))),
  }))
}

const REPLAY_FIELDS: ReadonlySet<Condition['field']> = new Set([
  ...(['domain', 'signal', 'event', 'flip'] as const),
  ...KNOWN_FIELDS,
])

function stagesOf(condition: Condition): readonly Stage[] {
  if (condition.field !== 'flip') return []
  return STAGES.filter((stage) => condition.values.some(({ text }) => text === stage))
}

/** [F77] A filter that says enough without a value. */
const PLAIN_FLIP = 'flip:'

function conditionOf({ filter, values }: RawTerm): Result<Condition> {
  const read = filter === null ? undefined : FILTERS.get(filter)
  if (read !== undefined) return read(values)
  const [value] = values
  if (value?.form === 'bare' && value.text === PLAIN_FLIP)
    return ok({ field: 'flip', values: [{ text: 'any', column: value.column }] })
  if (value === undefined || value.text === '') {
    return err(
      queryProblem('the text is empty', value?.column ?? 1, 'Write something between the quotes'),
    )
  }
  return mapOk(patternOf(value), (pattern) => ({ field: 'text', any: [pattern] }))
}

/** [F71] An unknown filter is an error. As plain text it would silently find nothing. */
function isFilter(name: string, column: number): Result<boolean> {
  if (FILTERS.has(name)) return ok(true)
  // The letter of a drive.
  if (name.length === 1) return ok(false)
  const near = name.length < 3 ? null : nearestWord(name, FILTERS.keys())
  const advice =
    near === null
      ? `Put the text in quotes, or choose of: ${[...FILTERS.keys()].join(', ')}`
      : `Write ${near}: if that is what you mean, or put the text in quotes`
  return err(queryProblem(`there is no filter "${name}:"`, column, advice))
}

/** Fields of the event first, then the replay's, then the text. */
function cost({ condition }: Term): number {
  return COSTS[condition.field] ?? 2
}

const COSTS: Readonly<Partial<Record<Condition['field'], number>>> = {
  kind: 0,
  error: 0,
  context: 0,
  tokens: 0,
  name: 1,
  skill: 1,
  injected: 1,
  text: 3,
}
