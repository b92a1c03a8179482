import { callTokens } from '../context/call-tokens.ts'
import { shownName, sourceLabel, sourceOf } from '../context/source.ts'
import { type Result, allOk, err, mapOk, ok } from '../result.ts'
import type { ContextSource } from '../schema/context.ts'
import type { SessionEvent } from '../schema/event.ts'
import { type ReplayColumns, EVENT_CODES } from '../schema/replay.ts'
import { type SelfSignalOptions, SelfSignalType } from '../schema/self-signal.ts'
import { parseSelfSignal } from '../self-signal/response.ts'
import { unknownValue } from './filters.ts'
import { type FlipFacts, flipTest } from './flips.ts'
import { queryProblem } from './tokens.ts'
import type { KnownFacts } from './filter-values.ts'
import type { Condition, Glob, KnownField, Query, ReplayField, Value } from './query.ts'

/** Replay results for the events of a session. */
export interface ReplayFacts extends FlipFacts {
  readonly columns: ReplayColumns
  readonly selfSignal: SelfSignalOptions
  /** [F70] Only the facts that the query needs. */
  readonly known: KnownFacts
}

/** The fields of an event that a query may read, besides its text. */
export type Findable = Pick<SessionEvent, 'seq' | 'kind' | 'name' | 'isError' | 'from'>

/** Everything that a query is matched against, besides each event. */
export interface Around {
  /** Required if the query `needsReplay`. */
  readonly facts: ReplayFacts | null
  /** All events of the session: a call belongs to several of them. */
  readonly events: ReadonlyArray<Pick<SessionEvent, 'kind' | 'call'>>
}

/** An event is found when both hold. Each reads the event's text at most once. */
export interface Matcher {
  /** Takes time linear in the text. */
  readonly quick: Test
  /** Runs regular expressions that the operator wrote, which may never finish. Null if there are none. */
  readonly slow: Test | null
}

export type Test = (event: Findable, text: () => string) => boolean

/**
 * Compiles a query over the events of one session. Returns an error without the facts that it needs, and for values
 * that this replay does not know.
 */
export function createMatcher(query: Query, around: Around): Result<Matcher> {
  const quick: Test[] = []
  const slow: Test[] = []
  for (const { negated, condition } of query.terms) {
    const test = testOf(condition, around)
    if (!test.ok) return test
    const { value } = test
    const tests = isForeign(condition) ? slow : quick
    tests.push(negated ? (event, text) => !value(event, text) : value)
  }
  return ok({ quick: allOf(quick), slow: slow.length === 0 ? null : allOf(slow) })
}

function allOf(tests: readonly Test[]): Test {
  return (event, fetch) => {
    let read: string | null = null
    const text = () => (read ??= fetch())
    return tests.every((test) => test(event, text))
  }
}

function isForeign(condition: Condition): boolean {
  if (!('any' in condition)) return false
  return condition.any.some((each) => 'foreign' in each && each.foreign)
}

function testOf(condition: Condition, { facts, events }: Around): Result<Test> {
  if (isOfFacts(condition))
    return facts === null ? err(noReplay(condition)) : factTest(condition, facts)
  switch (condition.field) {
    case 'kind':
      return ok((event) => condition.kinds.has(event.kind))
    case 'error':
      return ok((event) => condition.values.has(event.isError))
    case 'name':
      return ok((event) => isNamed(event, condition))
    case 'context':
      return ok(ofSource(({ kind }) => condition.kinds.has(kind)))
    case 'skill':
      return ok(
        ofSource(
          ({ kind, name }) => kind === 'skill' && name !== null && hasName(name, condition.any),
        ),
      )
    case 'injected':
      return ok(ofSource((source) => isSourceLike(source, condition)))
    case 'tokens':
      return ok(tokensTest(condition, events))
    case 'text':
      return ok((_, text) => condition.any.some(({ regexp }) => regexp.test(text())))
  }
}

/** [X16] A test of an injected event's source. */
function ofSource(test: (source: ContextSource) => boolean): Test {
  return (event) => event.kind === 'injected' && test(sourceOf(event))
}

function isSourceLike(
  source: ContextSource,
  { any }: Extract<Condition, { readonly field: 'injected' }>,
): boolean {
  const names = [sourceLabel(source), source.path ?? '']
  return any.some(({ regexp }) => names.some((name) => regexp.test(name)))
}

/** [X17] An event without a recorded call is on neither side of a limit. */
function tokensTest(
  { any }: Extract<Condition, { readonly field: 'tokens' }>,
  events: Around['events'],
): Test {
  const all = callTokens(events)
  return ({ seq }) => {
    const own = all[seq] ?? NaN
    return any.some(({ than, tokens }) => (than === '>' ? own > tokens : own < tokens))
  }
}

type OfFacts = Extract<Condition, { readonly field: ReplayField | KnownField }>

function isOfFacts(condition: Condition): condition is OfFacts {
  return isReplayField(condition.field) || Object.hasOwn(SOURCES, condition.field)
}

function factTest({ field, values }: OfFacts, facts: ReplayFacts): Result<Test> {
  return isReplayField(field) ? REPLAY_TESTS[field](values, facts) : knownTest(field, values, facts)
}

function isReplayField(field: Condition['field']): field is ReplayField {
  return Object.hasOwn(REPLAY_TESTS, field)
}

function isNamed(
  event: Findable,
  { toolsOnly, any }: Extract<Condition, { readonly field: 'name' }>,
): boolean {
  const { name, kind } = event
  if (toolsOnly && kind !== 'tool_call' && kind !== 'tool_result') return false
  // [X1] An injected text is found by its source too, as it is shown.
  const shown = kind === 'injected' ? shownName(event) : null
  return [name, shown].some((one) => one !== null && hasName(one, any))
}

function hasName(
  name: string,
  any: Extract<Condition, { readonly field: 'name' }>['any'],
): boolean {
  const small = name.toLowerCase()
  return any.some((each) => ('parts' in each ? isLike(small, each) : each.regexp.test(name)))
}

/** The first place of each part in turn, so that no pattern of `*` takes more than one pass. */
function isLike(name: string, { parts }: Glob): boolean {
  const [head = '', ...rest] = parts
  const tail = rest.pop()
  if (tail === undefined) return name === head
  if (!name.startsWith(head)) return false
  let at = head.length
  for (const part of rest) {
    const found = name.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return name.length - tail.length >= at && name.endsWith(tail)
}

function noReplay({ field, values }: OfFacts) {
  const column = values[0]?.column ?? 1
  return queryProblem(
    `${field}: asks a replay, and there is none`,
    column,
    'Choose a configuration',
  )
}

/** The source of each filter's values, in words for the operator. */
const SOURCES: Readonly<Record<KnownField, readonly [asks: string, advice: string]>> = {
  label: ['labels', 'Label turns of this session'],
  verdict: ['the coach', 'Open the session in the window, or name a transcript'],
  held: ['momentum', 'Choose a configuration'],
  ambiguous: ['a margin', 'Set abstainMargin in the preset'],
  persona: ['the probe', 'Look in one session of the window: a folder is not probed'],
  query: ['messages of persons', 'Choose a configuration'],
  compare: ['a comparison', 'Choose a second configuration'],
}

/** [F70] A value that nothing here has is said, with those there are. */
function knownTest(
  field: KnownField,
  values: readonly Value[],
  { known }: ReplayFacts,
): Result<Test> {
  const words = known[field]
  if (words === undefined) {
    const [asks, advice] = SOURCES[field]
    const column = values[0]?.column ?? 1
    return err(queryProblem(`${field}: asks ${asks}, which is not here`, column, advice))
  }
  const small = new Set(words.values.map((word) => word.toLowerCase()))
  const wanted = allOk(values, (value) => {
    const word = value.text.toLowerCase()
    return small.has(word) ? ok(word) : err(unknownValue(field, value, words.values))
  })
  return mapOk(wanted, (found) => {
    const all = new Set(found)
    return ({ seq }) => words.bySeq.get(seq)?.some((word) => all.has(word.toLowerCase())) === true
  })
}

type ReplayTest = (values: readonly Value[], facts: ReplayFacts) => Result<Test>

const REPLAY_TESTS: Readonly<Record<ReplayField, ReplayTest>> = {
  domain: (values, facts) => {
    const { primary, secondary } = facts.columns
    return mapOk(domainNumbers('domain', values, facts.columns, []), (wanted) =>
      onTurn(facts, (turn) => wanted.has(primary[turn] ?? -1) || wanted.has(secondary[turn] ?? -1)),
    )
  },
  signal: signalTest,
  event: (values, facts) => {
    const codes = new Set(values.map(({ text }) => EVENT_CODES.findIndex((code) => code === text)))
    return ok(onTurn(facts, (turn) => codes.has(facts.columns.event[turn] ?? -1)))
  },
  flip: flipTest,
}

/** An event that is no turn has no domain, no event and no flip. */
function onTurn({ turnOf }: ReplayFacts, test: (turn: number) => boolean): Test {
  return ({ seq }) => {
    const turn = turnOf.get(seq)
    return turn !== undefined && test(turn)
  }
}

function domainNumbers(
  field: ReplayField,
  values: readonly Value[],
  { domains }: ReplayColumns,
  others: readonly string[],
): Result<ReadonlySet<number>> {
  const numbers = allOk(values, (value) => {
    const wanted = value.text.toLowerCase()
    const number = domains.findIndex((name) => name.toLowerCase() === wanted)
    return number < 0 ? err(unknownValue(field, value, [...others, ...domains])) : ok(number)
  })
  return mapOk(numbers, (found) => new Set(found))
}

/** [F7] A self-signal by type (`any`: one at all), or a turn on which signals of a domain matched. */
function signalTest(values: readonly Value[], facts: ReplayFacts): Result<Test> {
  const types: readonly string[] = ['any', ...SelfSignalType.options]
  const isType = ({ text }: Value) => types.includes(text.toLowerCase())
  const wanted = new Set(values.filter(isType).map(({ text }) => text.toLowerCase()))
  const others = values.filter((value) => !isType(value))
  return mapOk(domainNumbers('signal', others, facts.columns, types), (scored) => {
    const matched = onTurn(facts, (turn) => hasScore(facts.columns, turn, scored))
    return (event, text) => {
      if (scored.size > 0 && matched(event, text)) return true
      if (wanted.size === 0 || event.kind !== 'agent') return false
      const type = parseSelfSignal(text(), facts.selfSignal)?.type
      return type !== undefined && (wanted.has('any') || wanted.has(type))
    }
  })
}

function hasScore(columns: ReplayColumns, turn: number, domains: ReadonlySet<number>): boolean {
  const { scoreStart, scorePairs } = columns
  const end = scoreStart[turn + 1] ?? 0
  for (let at = scoreStart[turn] ?? end; at < end; at += 2) {
    if (domains.has(scorePairs[at] ?? -1)) return true
  }
  return false
}
