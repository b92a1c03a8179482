import { type Problem, type Result, allOk, err, mapOk, ok } from '../result.ts'
import { STAGES } from '../schema/compare.ts'
import { SourceKind } from '../schema/context.ts'
import { type EventKind, EventKind as KINDS } from '../schema/event-kind.ts'
import { EVENT_CODES } from '../schema/replay.ts'
import { nearestWord } from './nearest.ts'
import { patternOf } from './pattern.ts'
import {
  type Bound,
  type Condition,
  type Glob,
  KNOWN_FIELDS,
  type KnownField,
  type Pattern,
  type Value,
} from './query.ts'
import { type RawValue, queryProblem } from './tokens.ts'

/** [F6] Speakers as sets of event kinds. */
const ROLES: ReadonlyMap<string, readonly EventKind[]> = new Map([
  ['user', ['user']],
  ['agent', ['agent', 'reasoning']],
  ['assistant', ['agent', 'reasoning']],
  ['tool', ['tool_call', 'tool_result']],
  [
    'harness',
    ['injected', 'command', 'summary', 'interruption', 'subagent_prompt', 'notification'],
  ],
  ['system', ['system', 'meta']],
  ['pipeline', ['step']],
])
const KIND_NAMES: ReadonlyMap<string, readonly EventKind[]> = new Map(
  KINDS.options.map((kind) => [kind, [kind]]),
)
/** [X16] Kinds of sources as they are named in exports, also with a hyphen; `any` is each of them. */
const SOURCES: ReadonlyMap<string, readonly SourceKind[]> = new Map<string, readonly SourceKind[]>([
  ['any', SourceKind.options],
  ...SourceKind.options.map((kind): [string, readonly SourceKind[]] => [kind, [kind]]),
  ['skill-list', ['skill_list']],
])
const YES_NO: ReadonlyMap<string, boolean> = new Map([
  ['yes', true],
  ['true', true],
  ['no', false],
  ['false', false],
])
/** [F7] Momentum events by code, and by the words of the vocabulary. */
const EVENTS: ReadonlyMap<string, string> = new Map([
  ...EVENT_CODES.map((code) => [code, code] as const),
  ['accepted', 'accept'],
  ['held', 'hold'],
  ['resisted', 'resist'],
  ['widened', 'widen'],
  ['broken', 'break'],
])
/** [F7] `any`, `yes` and `domain` are every flip of a turn; others are its fields and causes, or other stages. */
const FLIPS: ReadonlyMap<string, string> = new Map(
  ['any', 'primary', 'secondary', 'signature', 'enrichment', 'direct', 'momentum', ...STAGES]
    .map((name): [string, string] => [name, name])
    .concat([
      ['yes', 'any'],
      ['domain', 'any'],
      // [F77] As the filter is named in speech; the stage is `self-signal`.
      ['self', 'self-signal'],
    ]),
)

type Read = (values: readonly RawValue[]) => Result<Condition>

/** [F5] The filters by name. */
export const FILTERS: ReadonlyMap<string, Read> = new Map<string, Read>([
  ['role', (values) => kinds('role', values, ROLES)],
  ['kind', (values) => kinds('kind', values, KIND_NAMES)],
  ['tool', (values) => names(values, true)],
  ['name', (values) => names(values, false)],
  ['text', texts],
  ['error', errors],
  ['context', sources],
  ['skill', skills],
  ['injected', injected],
  ['tokens', bounds],
  ['domain', (values) => later('domain', values)],
  ['signal', (values) => later('signal', values)],
  ['event', (values) => listed('event', values, EVENTS)],
  ['flip', (values) => listed('flip', values, FLIPS)],
  ...KNOWN_FIELDS.map((field): [string, Read] => [field, (values) => later(field, values)]),
])

/** The values of a closed list, by name; an unknown one names the nearest. */
function known<T>(
  filter: string,
  values: readonly RawValue[],
  table: ReadonlyMap<string, T>,
): Result<ReadonlyArray<{ readonly value: T; readonly column: number }>> {
  return allOk(values, ({ text, column }) => {
    const value = table.get(text.toLowerCase())
    return value === undefined
      ? err(unknownValue(filter, { text, column }, table.keys()))
      : ok({ value, column })
  })
}

/** Says which values a filter has, and which was probably meant. */
export function unknownValue(
  filter: string,
  { text, column }: Value,
  table: Iterable<string>,
): Problem {
  const all = [...table]
  const near = nearestWord(text, all)
  const choose = all.length === 0 ? 'There are none here' : `Choose of: ${all.join(', ')}`
  const advice = near === null ? choose : `Did you mean ${filter}:${near}? ${choose}`
  return queryProblem(`${filter} has no value "${text.slice(0, 60)}"`, column, advice)
}

function kinds(
  filter: string,
  values: readonly RawValue[],
  table: ReadonlyMap<string, readonly EventKind[]>,
): Result<Condition> {
  return mapOk(known(filter, values, table), (found) => ({
    field: 'kind',
    kinds: new Set(found.flatMap(({ value }) => value)),
  }))
}

function errors(values: readonly RawValue[]): Result<Condition> {
  return mapOk(known('error', values, YES_NO), (found) => ({
    field: 'error',
    values: new Set(found.map(({ value }) => value)),
  }))
}

/** [F8] Matches whole names, ignoring case; `*` matches any text. A regular expression is used unchanged. */
function names(values: readonly RawValue[], toolsOnly: boolean): Result<Condition> {
  return mapOk(globs(values), (any) => ({ field: 'name', toolsOnly, any }))
}

function globs(values: readonly RawValue[]): Result<ReadonlyArray<Glob | Pattern>> {
  return allOk(values, (value): Result<Glob | Pattern> =>
    value.form === 'regex' ? patternOf(value) : ok({ parts: value.text.toLowerCase().split('*') }),
  )
}

/** [X16] Injected texts by the kind of their source. */
function sources(values: readonly RawValue[]): Result<Condition> {
  return mapOk(known('context', values, SOURCES), (found) => ({
    field: 'context',
    kinds: new Set(found.flatMap(({ value }) => value)),
  }))
}

/** [X16] Texts of skills by the name of the skill. */
function skills(values: readonly RawValue[]): Result<Condition> {
  return mapOk(globs(values), (any) => ({ field: 'skill', any }))
}

/** [X16] Injected texts by a part of their source's name or path. */
function injected(values: readonly RawValue[]): Result<Condition> {
  return mapOk(allOk(values, patternOf), (any) => ({ field: 'injected', any }))
}

/** Digits of a limit are few, so that it is an exact number. */
const BOUND = /^([<>])(\d{1,12}|\d{1,3}(?:_\d{3}){1,3})(k|m)?$/iu
const UNITS: ReadonlyMap<string, number> = new Map([
  ['k', 1000],
  ['m', 1_000_000],
])

/** [X17] Tokens in the context of the event's call, on one side of a limit. */
function bounds(values: readonly RawValue[]): Result<Condition> {
  const any = allOk(values, ({ text, column }): Result<Bound> => {
    const [, than, digits, unit] = BOUND.exec(text) ?? []
    if (digits === undefined || (than !== '>' && than !== '<')) {
      const what = `"${text.slice(0, 60)}" is no limit of tokens`
      return err(queryProblem(what, column, 'Write tokens>150000, tokens>150k or tokens<1000'))
    }
    const factor = UNITS.get(unit?.toLowerCase() ?? '') ?? 1
    return ok({ than, tokens: Number(digits.replaceAll('_', '')) * factor })
  })
  return mapOk(any, (found) => ({ field: 'tokens', any: found }))
}

function texts(values: readonly RawValue[]): Result<Condition> {
  return mapOk(allOk(values, patternOf), (any) => ({ field: 'text', any }))
}

/** Values that only the replay's configuration knows: checked when the query meets it. */
function later(
  field: 'domain' | 'signal' | KnownField,
  values: readonly RawValue[],
): Result<Condition> {
  return ok({ field, values: values.map(({ text, column }) => ({ text, column })) })
}

function listed(
  field: 'event' | 'flip',
  values: readonly RawValue[],
  table: ReadonlyMap<string, string>,
): Result<Condition> {
  return mapOk(known(field, values, table), (found) => ({
    field,
    values: found.map(({ value, column }) => ({ text: value, column })),
  }))
}
