import type { z } from 'zod'
import type { Excerpt, TurnscopeContract } from '../../../wire/contract.ts'
import { excerptOf } from '../../../engine/find/excerpt.ts'
import { type ReplayFacts, createMatcher } from '../../../engine/find/match.ts'
import { parseQuery } from '../../../engine/find/parse.ts'
import { toolNames } from '../../../engine/find/tool-names.ts'
import type { Query } from '../../../engine/find/query.ts'
import { textOf, type SessionEvent, type SessionTexts } from '../../../engine/schema/event.ts'
import { type Compared, type Stage, deciderOf } from '../../../engine/schema/compare.ts'
import type { ReplayConfig } from '../../../engine/schema/replay.ts'
import type { Handlers, Output } from '../../../wire/rpc.ts'
import { type TimeLimit, moreTime, PATTERN_LIMIT_MS } from '../../platform/guard/guard.ts'
import { valueOrRefuse } from '../../platform/threads/refusal.ts'
import { findEvents } from './find.ts'
import { type OtherReplay, createStaging, otherReplay } from '../../compare/session/compare.ts'
import {
  type StagePair,
  compareStages,
  stageFlipsOf,
} from '../../compare/session/compared-stages.ts'
import type { SessionReplay } from '../../replay/session/replay.ts'
import { diffReplays } from '../../../engine/lab/flips/diff.ts'
import { createBreath } from '../../platform/threads/yielding.ts'
import type { SessionContract } from '../../../wire/threads.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import type { Session } from '../../../engine/schema/session.ts'
import { createCoachRequests } from '../../coach/session/service.ts'
import { type FindSources, factsBeside } from './query-facts.ts'
import type { SessionService } from '../../sessions/session/service.ts'
import { createSessionLabels } from '../../labels/session/label-handlers.ts'
import { isTextless } from '../../replay/session/textless.ts'

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
  const staged = createStaging(service, workspace)
  return {
    'session.find': async (input, { signal }) => {
      const query = parseQuery(input.query)
      if (!query.ok) return nothing(query.error)
      const replayed = (config: ReplayConfig) => service.replay(input, config, { signal })
      const session = service.session(input)
      if (
        isTextless(session) &&
        query.value.terms.some(({ condition }) => condition.field === 'text')
      )
        return nothing(NO_TEXTS_TO_FIND)
      const sources = sourcesOf(input, signal)
      const otherOf = async (compare: Compared, base: SessionReplay) => {
        const asked = { address: input, base, compare }
        return otherReplay(service, asked, { signal })
      }
      const stagesOf: StagesOf = (base, other, only) => {
        const { config, compare, flipPersonas: personas } = input
        const decider = compare && deciderOf(compare)
        const here = staged(config, base)
        const there = decider && other && staged(decider, other)
        return compareStages({ workspace, limit }, { session, here, there, personas, only }, signal)
      }
      const ways = { session, replayed, otherOf, sources, stagesOf }
      const facts = await factsFor(query.value, input, ways)
      const matcher = createMatcher(query.value, { facts, events: session.events })
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

const NO_TEXTS_TO_FIND = {
  what: 'the texts of this session were left out, so words cannot be found in it',
  where: 'the query',
  do: 'Find by domain:, signal:, event:, flip:, tool:, kind: or error:',
}

function nothing(
  problem: NonNullable<Output<TurnscopeContract, 'session.find'>['problem']>,
): Output<TurnscopeContract, 'session.find'> {
  return { seqs: [], more: false, problem, cutOff: 0 }
}

interface FactsOf<C> {
  readonly session: Session
  readonly replayed: (config: ReplayConfig) => Promise<SessionReplay>
  readonly otherOf: (
    compare: C,
    base: SessionReplay,
  ) => Promise<Pick<OtherReplay, 'replay' | 'decided'>>
  readonly sources: FindSources
  readonly stagesOf: StagesOf
}

/** Returns the stage facts of both sides. `other` is null for a recorded run. */
export type StagesOf = (
  base: SessionReplay,
  other: SessionReplay | null,
  only: ReadonlySet<Stage>,
) => Promise<StagePair>

/** The facts that the query needs of the replay; none if it needs none. */
export async function factsFor<C>(
  query: Query,
  { config, compare }: { readonly config: ReplayConfig; readonly compare: C | null },
  { session, replayed, otherOf, sources, stagesOf }: FactsOf<C>,
): Promise<ReplayFacts | null> {
  if (!query.needsReplay) return null
  const base = await replayed(config)
  const other = query.needsCompare && compare !== null ? await otherOf(compare, base) : null
  const stages =
    other === null || query.stages.size === 0
      ? null
      : await stagesOf(base, other.decided, query.stages)
  return {
    columns: base.columns,
    turnOf: base.turnOf,
    flips: other === null ? null : diffReplays(base, other.replay),
    stageFlips: stages === null ? new Map() : stageFlipsOf(stages),
    selfSignal: base.compiled.pipeline.preset.selfSignal,
    known: await factsBeside(query, { session, base, other: other?.replay ?? null }, sources),
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

const NO_TERMS: Query = {
  terms: [],
  needsReplay: false,
  needsCompare: false,
  asks: new Set(),
  stages: new Set(),
}
