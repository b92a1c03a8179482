import type { Excerpt, TurnscopeContract } from '../../wire/contract.ts'
import { excerptOf } from '../../engine/find/excerpt.ts'
import { type ReplayFacts, createMatcher } from '../../engine/find/match.ts'
import { parseQuery } from '../../engine/find/parse.ts'
import { toolNames } from '../../engine/find/tool-names.ts'
import type { Query } from '../../engine/find/query.ts'
import { textOf, type SessionEvent, type SessionTexts } from '../../engine/schema/event.ts'
import type { Compared } from '../../engine/schema/compare.ts'
import type { Replay } from '../../engine/replay.ts'
import type { ReplayConfig } from '../../engine/schema/replay.ts'
import type { Handlers, Output } from '../../wire/rpc.ts'
import { type TimeLimit, moreTime, PATTERN_LIMIT_MS } from '../shared/guard.ts'
import { valueOrRefuse } from '../shared/refusal.ts'
import { findEvents } from './find.ts'
import { otherReplay } from './compare.ts'
import type { SessionReplay } from './replay.ts'
import { diffReplays } from '../../engine/lab/diff.ts'
import { createBreath } from '../shared/yielding.ts'
import type { SessionContract } from '../../wire/threads.ts'
import type { SessionService } from './service.ts'

type FindHandlers = Pick<
  Handlers<SessionContract>,
  'session.find' | 'session.excerpts' | 'session.tools'
>

/** Finding in an opened session. */
export function createFindHandlers(service: SessionService, limit: TimeLimit): FindHandlers {
  return {
    'session.find': async (input, { signal }) => {
      const query = parseQuery(input.query)
      if (!query.ok) return nothing(query.error)
      const replayed = (config: ReplayConfig) => service.replay(input, config, { signal })
      const other = async (compare: Compared, base: SessionReplay) => {
        const asked = { address: input, base, compare }
        return (await otherReplay(service, asked, { signal })).replay
      }
      const facts = await factsFor(query.value, input, replayed, other)
      const matcher = createMatcher(query.value, facts)
      if (!matcher.ok) return nothing(matcher.error)
      const breath = createBreath(signal)
      const session = service.session(input)
      return { ...(await findEvents(session, matcher.value, { limit, breath })), problem: null }
    },
    'session.excerpts': (input) => {
      const query = valueOrRefuse(parseQuery(input.query))
      const session = service.session(input)
      const wanted = input.seqs.flatMap((seq) => session.events[seq] ?? [])
      return { excerpts: wanted.map(excerptsOf(session, query, limit)) }
    },
    'session.tools': (input) => ({ tools: toolNames(service.session(input).events) }),
  }
}

function nothing(
  problem: NonNullable<Output<TurnscopeContract, 'session.find'>['problem']>,
): Output<TurnscopeContract, 'session.find'> {
  return { seqs: [], more: false, problem, cutOff: 0 }
}

/** What the query needs of the replay, and nothing when it needs none. */
export async function factsFor<C>(
  query: Query,
  { config, compare }: { readonly config: ReplayConfig; readonly compare: C | null },
  replayed: (config: ReplayConfig) => Promise<SessionReplay>,
  otherOf: (compare: C, base: SessionReplay) => Promise<Replay>,
): Promise<ReplayFacts | null> {
  if (!query.needsReplay) return null
  const base = await replayed(config)
  const other = query.needsCompare && compare !== null ? await otherOf(compare, base) : null
  return {
    columns: base.columns,
    turnOf: base.turnOf,
    flips: other === null ? null : diffReplays(base, other),
    selfSignal: base.compiled.pipeline.preset.selfSignal,
  }
}

/** [F10] A pattern that runs out of time marks nothing: the excerpt is the event's beginning. */
export function excerptsOf(
  { texts }: SessionTexts,
  query: Query,
  limit: TimeLimit,
): (event: SessionEvent) => Excerpt {
  return (event) => {
    const { seq, kind, name, at, chars } = event
    const text = textOf(event, texts)
    const made = limit(
      () => excerptOf({ text }, query),
      PATTERN_LIMIT_MS + moreTime.onePattern(chars),
    )
    const shown = made.ok ? made.value : excerptOf({ text }, NO_TERMS)
    return { seq, kind, name, at, text: shown.text, spans: shown.spans.map(([a, b]) => [a, b]) }
  }
}

const NO_TERMS: Query = { terms: [], needsReplay: false, needsCompare: false }
