import type { z } from 'zod'
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
import type { Workspace } from '../files/workspace.ts'
import type { Session } from '../../engine/schema/session.ts'
import { createCoachRequests } from './coach/service.ts'
import { type FindSources, knownFacts } from './known-facts.ts'
import type { SessionService } from './service.ts'
import { createSessionLabels } from './label-handlers.ts'

type FindHandlers = Pick<
  Handlers<SessionContract>,
  'session.find' | 'session.excerpts' | 'session.tools'
>
type Asked = z.output<SessionContract['session.find']['in']>

/** Finding in an opened session. */
export function createFindHandlers(
  service: SessionService,
  workspace: Workspace,
  limit: TimeLimit,
): FindHandlers {
  const coach = createCoachRequests(workspace, limit)
  const labels = createSessionLabels(service, workspace.root)
  const sourcesOf = (
    { key, session: index, personas }: Asked,
    signal: AbortSignal,
  ): FindSources => {
    const session = service.session({ key, session: index })
    const of = { session, transcript: service.file(key).path, task: undefined }
    return {
      labels: () => labels({ key, session: index }),
      verdicts: async () => (await coach.rows(of, signal)).rows,
      personas,
    }
  }
  return {
    'session.find': async (input, { signal }) => {
      const query = parseQuery(input.query)
      if (!query.ok) return nothing(query.error)
      const replayed = (config: ReplayConfig) => service.replay(input, config, { signal })
      const session = service.session(input)
      const sources = sourcesOf(input, signal)
      const otherOf = async (compare: Compared, base: SessionReplay) => {
        const asked = { address: input, base, compare }
        return (await otherReplay(service, asked, { signal })).replay
      }
      const facts = await factsFor(query.value, input, { session, replayed, otherOf, sources })
      const matcher = createMatcher(query.value, facts)
      if (!matcher.ok) return nothing(matcher.error)
      const breath = createBreath(signal)
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

interface FactsOf<C> {
  readonly session: Session
  readonly replayed: (config: ReplayConfig) => Promise<SessionReplay>
  readonly otherOf: (compare: C, base: SessionReplay) => Promise<Replay>
  readonly sources: FindSources
}

/** What the query needs of the replay, and nothing when it needs none. */
export async function factsFor<C>(
  query: Query,
  { config, compare }: { readonly config: ReplayConfig; readonly compare: C | null },
  { session, replayed, otherOf, sources }: FactsOf<C>,
): Promise<ReplayFacts | null> {
  if (!query.needsReplay) return null
  const base = await replayed(config)
  const other = query.needsCompare && compare !== null ? await otherOf(compare, base) : null
  return {
    columns: base.columns,
    turnOf: base.turnOf,
    flips: other === null ? null : diffReplays(base, other),
    selfSignal: base.compiled.pipeline.preset.selfSignal,
    known: await knownFacts(query, { session, base, other }, sources),
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

const NO_TERMS: Query = { terms: [], needsReplay: false, needsCompare: false, asks: new Set() }
