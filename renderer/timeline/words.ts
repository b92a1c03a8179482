import { ambiguousWords } from '../../core/engine/schema/ambiguous-words.ts'
import { EventKind } from '../../core/engine/schema/event-kind.ts'
import {
  EVENT_CODES,
  type Flip,
  type ReplayColumns,
  RULE_CODES,
} from '../../core/engine/schema/replay.ts'
import { joined } from '../ui/format.ts'
import { bisect } from '../ui/sorted.ts'
import { eachScore, flipAt, type TimelineSource } from './data.ts'
import { runIndexAt, type SignatureRun } from './runs.ts'
import { turnNumber } from './ticks.ts'
import type { Prepared } from './use-prepared.ts'

export type EventCode = (typeof EVENT_CODES)[number]

/** Display names of event kinds. */
const KIND_WORDS: Readonly<Record<EventKind, string>> = {
  user: 'person',
  agent: 'agent',
  reasoning: 'agent, reasoning',
  tool_call: 'tool call',
  tool_result: 'tool result',
  injected: 'injected',
  command: 'command',
  summary: 'summary',
  interruption: 'interruption',
  subagent_prompt: 'sub-agent prompt',
  notification: 'notification',
  system: 'system',
  meta: 'meta',
  step: 'pipeline step',
}

/** Sign and one word of each momentum event. */
export const EVENT_WORDS: Readonly<
  Record<EventCode, { readonly sign: string; readonly word: string; readonly tone?: string }>
> = {
  same: { sign: '=', word: 'same' },
  accept: { sign: '›', word: 'accepted' },
  hold: { sign: '▪', word: 'held', tone: 'quiet' },
  resist: { sign: '○', word: 'resisted', tone: 'warn' },
  widen: { sign: '+', word: 'widened', tone: 'good' },
  break: { sign: '✕', word: 'broken', tone: 'bad' },
}

export interface Score {
  readonly domain: number
  readonly score: number
}

/** One turn in words, for the tooltip, the gutter and screen readers. Domain numbers index `data.names`. */
export type TurnWords = Readonly<ReturnType<typeof describeTurn>>

type Told = Pick<Prepared, 'source' | 'data' | 'runs'>

function pairText(names: readonly string[], primary: number, secondary: number): string {
  const pair = [names[primary], names[secondary]].filter((name) => name !== undefined)
  return pair.length === 0 ? 'nothing' : pair.join(' + ')
}

function eventText(told: Told, turn: number, event: EventCode): string {
  const { columns } = told.source
  const resisted = columns.domains[columns.resisted[turn] ?? -1]
  const scored = columns.domains[columns.scoredPrimary[turn] ?? -1]
  const texts: Readonly<Record<EventCode, string>> = {
    same: 'Same signature as before',
    accept: 'New signature, momentum was weak',
    hold: `Signature held: ${scored ?? 'this'} is part of it`,
    resist: `Resisted ${resisted ?? scored ?? 'an outside domain'}: momentum was strong`,
    widen: 'Widened to a compound of two domains',
    break: 'Momentum broken by a new domain',
  }
  return texts[event]
}

function runText(runs: readonly SignatureRun[], turn: number): string {
  const run = runs[runIndexAt(runs, turn)]
  if (run === undefined) return ''
  const range =
    run.to - run.from === 1
      ? `turn ${turnNumber(run.from)}`
      : `turns ${turnNumber(run.from)}–${turnNumber(run.to - 1)}`
  return run.resisted > 0 ? `${range}, ${run.resisted} resisted` : range
}

function flipText(told: Told, turn: number, flip: Flip | undefined): string | null {
  const { data, source } = told
  if (flip === undefined || data.other === null) return null
  const other = pairText(data.names, data.other[turn] ?? -1, data.otherSecondary?.[turn] ?? -1)
  const cause =
    flip.cause === 'direct' ? 'direct' : `by momentum since turn ${turnNumber(flip.since)}`
  return `${source.otherName ?? source.compare?.config.preset ?? 'The other'} says ${other}, ${cause}`
}

/** [B23] `ambiguous: coding or planning, lead 0`. Null if the text decides, or if the preset names no margin. */
export function ambiguousText({ ambiguous, domains }: ReplayColumns, turn: number): string | null {
  if (ambiguous === undefined) return null
  const found = ambiguous[bisect(ambiguous.length, (at) => (ambiguous[at]?.turn ?? 0) < turn)]
  if (found?.turn !== turn) return null
  const names = found.between.map((one) => domains[one] ?? '?')
  return `${ambiguousWords(names)}, lead ${found.lead}`
}

/** Scores of a turn, highest first; fractional ones come under anti-signals. */
export function scoresOf(source: TimelineSource, turn: number): readonly Score[] {
  const scores: Score[] = []
  eachScore(source.columns, { from: turn, to: turn + 1 }, (_turn, domain, score) => {
    scores.push({ domain, score })
  })
  return scores.sort((a, b) => b.score - a.score)
}

/** Describes a turn; `turn` must be inside the session. */
export function describeTurn(told: Told, turn: number) {
  const { source, data, runs } = told
  const event = EVENT_CODES[data.event[turn] ?? 0] ?? 'same'
  const kind = EventKind.options[source.kinds?.[turn] ?? -1]
  const primary = data.primary[turn] ?? -1
  const secondary = data.secondary[turn] ?? -1
  const momentum = data.momentum[turn] ?? 0
  const words = {
    turn,
    number: turnNumber(turn),
    kind: kind === undefined ? '' : KIND_WORDS[kind],
    primary,
    secondary,
    scores: scoresOf(source, turn),
    event,
    eventText: eventText(told, turn, event),
    rule: RULE_CODES[source.columns.rule[turn] ?? -1] ?? '',
    ambiguous: ambiguousText(source.columns, turn),
    momentum,
    strong: momentum >= data.threshold,
    /** `turns 11–33, 5 resisted`. */
    runText: runText(runs, turn),
    /** The compared replay's decision, or null if both agree. */
    flipText: data.flip[turn] === 1 ? flipText(told, turn, flipAt(source.flips, turn)) : null,
  }
  /** Everything as one sentence. */
  const spoken = [
    `Turn ${turn + 1} of ${data.turns}`,
    words.kind,
    pairText(data.names, primary, secondary),
    words.eventText,
    words.ambiguous ?? '',
    `momentum ${momentum}`,
    words.flipText === null ? '' : `flip: ${words.flipText}`,
  ]
  return { ...words, spoken: joined(spoken, ', ') }
}
