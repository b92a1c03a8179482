import type { ProbeColumns } from '../../../core/wire/contract.ts'
import type { Immutable } from '../../../core/engine/schema/immutable.ts'
import { SKIP_REASONS, type Strength } from '../../../core/engine/schema/probe.ts'
import { eachPlaced } from '../../timeline/placed.ts'
import type { CollectionStyle } from '../../ui/collection-style.ts'
import { counted, joined } from '../../ui/format.ts'
import { runsOf } from '../../ui/sorted.ts'

export type SkipReason = (typeof SKIP_REASONS)[number]

/** Codes of the `strength` column. */
const STRENGTHS: readonly Strength[] = ['none', 'weak', 'moderate', 'strong']

/** Why a message was not probed, for people. */
export const SKIP_WORDS: Readonly<Record<SkipReason, string>> = {
  reflex_command: 'a reflex command',
  too_short: 'too few words',
  duplicate: 'the same as the message before',
  no_collections: 'no collection is indexed',
  off: 'the probe is off in this preset',
}

/** [D50] The probe's hits, placed on turns. A user message that is a turn is placed at its own turn. */
export type ProbeLane = Readonly<ReturnType<typeof probeLane>>

function blank(turns: number) {
  return {
    /** 1 = a message was probed or skipped at the turn. */
    has: new Uint8Array(turns),
    similarity: new Float32Array(turns),
    primary: new Int16Array(turns).fill(-1),
    hits: new Uint16Array(turns),
    cached: new Uint16Array(turns),
    strength: new Uint8Array(turns),
    /** Index into SKIP_REASONS; -1 = probed. */
    skip: new Int8Array(turns).fill(-1),
    errors: new Uint16Array(turns),
    /** Persona in force after the turn, carried on to the next message; -1 = none. */
    persona: new Int16Array(turns).fill(-1),
    /** 1 = another persona than before. */
    switched: new Uint8Array(turns),
    refused: new Uint8Array(turns),
  }
}

/**
 * Carries the persona forward from message to message and marks its changes. Returns the collection that brought each
 * persona; -1 if keywords did.
 */
function carryPersona(lane: ReturnType<typeof blank>, personas: number): readonly number[] {
  const broughtBy = new Array<number>(personas).fill(-1)
  const seen = new Set<number>()
  let before = -1
  for (let turn = 0; turn < lane.has.length; turn++) {
    const now = lane.has[turn] === 1 ? (lane.persona[turn] ?? -1) : before
    lane.persona[turn] = now
    if (now !== before) lane.switched[turn] = 1
    if (now >= 0 && !seen.has(now)) {
      seen.add(now)
      broughtBy[now] = lane.primary[turn] ?? -1
    }
    before = now
  }
  return broughtBy
}

/** Columns copied unchanged to the turn of their message. */
const COPIED = [
  ['similarity', 'similarity'],
  ['primary', 'primary'],
  ['hits', 'hits'],
  ['cached', 'cached'],
  ['strength', 'strength'],
  ['skipped', 'skip'],
  ['errors', 'errors'],
  ['persona', 'persona'],
  ['refused', 'refused'],
] as const

const above = (column: readonly number[], least: number) =>
  column.filter((value) => value > least).length

/** Places probes on the turns of a replay: one walk over two rising columns. */
export function probeLane(
  turnSeq: readonly number[],
  columns: Immutable<ProbeColumns>,
  styles: ReadonlyMap<string, CollectionStyle>,
) {
  const lane = blank(turnSeq.length)
  eachPlaced(turnSeq, columns.seq, (turn, at) => {
    lane.has[turn] = 1
    for (const [from, to] of COPIED) lane[to][turn] = columns[from][at] ?? 0
  })
  const { collections, personas } = columns
  const broughtBy = carryPersona(lane, personas.length)
  const skipped = above(columns.skipped, -1)
  return {
    ...lane,
    collections,
    personas,
    broughtBy,
    skipped,
    probed: columns.seq.length - skipped,
    withHits: above(columns.hits, 0),
    failed: above(columns.errors, 0),
    refusals: above(columns.refused, 0),
    /** By code of the `primary` column. */
    styles: collections.map((name) => styles.get(name) ?? null),
  }
}

/** A block of turns in one mark: its best hit, and all that is rare and matters. */
export type ProbeBlock = Readonly<ReturnType<typeof probeBlock>>

/** Sums up turns `[from, to)`; `any`: a message was probed or skipped. */
export function probeBlock(lane: ProbeLane, from: number, to: number) {
  const block = {
    any: false,
    probed: false,
    similarity: 0,
    primary: -1,
    cached: false,
    weak: false,
    failed: false,
  }
  for (let turn = from; turn < Math.min(to, lane.has.length); turn++) {
    if (lane.has[turn] === 0) continue
    block.any = true
    block.probed ||= lane.skip[turn] === -1
    block.failed ||= (lane.errors[turn] ?? 0) > 0
    const similarity = lane.similarity[turn] ?? 0
    if ((lane.hits[turn] ?? 0) === 0 || similarity <= block.similarity) continue
    block.similarity = similarity
    block.primary = lane.primary[turn] ?? -1
    block.cached = (lane.cached[turn] ?? 0) >= (lane.hits[turn] ?? 0)
    block.weak = STRENGTHS[lane.strength[turn] ?? 0] === 'weak'
  }
  return block
}

/** One stretch of turns under one persona, `to` exclusive. */
export interface PersonaRun {
  readonly persona: number
  readonly from: number
  readonly to: number
}

/** The persona band: runs of turns under one persona; turns without one are left out. */
export function personaRuns(lane: Pick<ProbeLane, 'persona'>): readonly PersonaRun[] {
  return runsOf(lane.persona.length, (turn) => lane.persona[turn])
    .map((run) => ({ ...run, persona: lane.persona[run.from] ?? -1 }))
    .filter(({ persona }) => persona >= 0)
}

function foundText(lane: ProbeLane, turn: number): string {
  const skip = SKIP_REASONS[lane.skip[turn] ?? -1]
  if (skip !== undefined) return `not probed: ${SKIP_WORDS[skip]}`
  const hits = lane.hits[turn] ?? 0
  if (hits === 0) return 'nothing was hit'
  const collection = lane.collections[lane.primary[turn] ?? -1] ?? 'no collection'
  const strength = STRENGTHS[lane.strength[turn] ?? 0] ?? 'none'
  const similarity = (lane.similarity[turn] ?? 0).toFixed(2)
  return `${collection} ${similarity}, ${strength}, ${counted(hits, 'hit')}`
}

/** The persona in force at a turn, and whether it changed; '' if there is none and no switch was refused. */
export function personaWords(lane: ProbeLane, turn: number): string {
  const persona = personaAt(lane, turn)
  const switched = persona !== '' && lane.switched[turn] === 1
  const refused = lane.refused[turn] === 1 ? 'a switch was refused' : ''
  return joined([switched ? `switched to ${persona}` : persona, refused], '; ')
}

/** Persona in force; '' = none. */
export function personaAt(lane: ProbeLane, turn: number): string {
  return lane.personas[lane.persona[turn] ?? -1] ?? ''
}

/** Hits at a turn, as text; '' if no message was probed or skipped. */
export function probeWords(lane: ProbeLane, turn: number): string {
  if (lane.has[turn] !== 1) return ''
  const cached = (lane.cached[turn] ?? 0) > 0 ? 'from the cache' : ''
  const failed = (lane.errors[turn] ?? 0) > 0 ? 'a part of the probe failed' : ''
  return joined([foundText(lane, turn), cached, failed], '; ')
}
