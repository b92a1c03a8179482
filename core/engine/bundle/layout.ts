import type { TokenBudget } from '../schema/bundle.ts'
import type { PromptPart, TierName } from '../schema/bundle-report.ts'
import type { TokenEstimator } from '../tokens.ts'
import { type Piece, type Renderable, piecesOf } from './pieces.ts'
import { fittingPrefix, MARKER } from './truncate.ts'

/** Between tiers. */
export const JOINT = '\n\n'

/** One tier as laid out in the prompt. */
export interface TierLayout {
  readonly tier: TierName
  /** Text before anything was left out. */
  readonly whole: string
  /** Text in the prompt; '' = not in. */
  readonly text: string
  readonly state: 'empty' | 'whole' | 'truncated' | 'dropped'
  /** Parts with spans in `text`. */
  readonly parts: readonly PromptPart[]
  /** Items that are not in at all. */
  readonly dropped: readonly Piece[]
}

export interface Layout {
  readonly text: string
  readonly tiers: readonly TierLayout[]
}

interface Room {
  /** Prompt so far, with the joint. */
  readonly before: string
  readonly cap: number
  /** Of the whole prompt. */
  readonly available: number
  readonly count: TokenEstimator
}

/** The budget of each tier. */
export const LIMITS: Readonly<Record<TierName, keyof TokenBudget>> = {
  tier0: 'tier0_reserved',
  tier1: 'tier1_cap',
  history: 'history_cap',
  telemetry: 'telemetry_cap',
}

/**
 * [A2] [A11] Assembles a prompt. Tier 0 is always complete. Then tier 1, history and telemetry fill the remaining
 * tokens, each within its cap.
 * @param available maximum tokens of the prompt: context minus reserve
 */
export function layOut(bundle: Renderable, count: TokenEstimator, available: number): Layout {
  const pieces = piecesOf(bundle)
  const first = wholeTier('tier0', pieces.tier0)
  const tiers: TierLayout[] = [first]
  let text = first.text
  const full = count(text) > available
  for (const tier of ['tier1', 'history', 'telemetry'] as const) {
    const room = { before: text + JOINT, cap: bundle.budgets[LIMITS[tier]], available, count }
    const laid = layTier(tier, pieces[tier], full ? null : room)
    tiers.push(laid)
    if (laid.text !== '') text = room.before + laid.text
  }
  return { text, tiers }
}

/** All parts of the prompt, in order, blank lines between tiers included: they cover every character. */
export function partsOf(layout: Layout): readonly PromptPart[] {
  const parts: PromptPart[] = []
  let at = 0
  for (const { text, parts: own } of layout.tiers) {
    if (text === '') continue
    if (at > 0) {
      const span: [number, number] = [at, at + JOINT.length]
      parts.push({ id: 'joint', tier: null, source: 'prompt frame', span })
      at += JOINT.length
    }
    for (const part of own) parts.push({ ...part, span: [part.span[0] + at, part.span[1] + at] })
    at += text.length
  }
  return parts
}

/** @param room null if no room is left because tier 0 alone does not fit */
function layTier(tier: TierName, given: readonly Piece[], room: Room | null): TierLayout {
  const [first, ...others] = given
  if (!first) return { tier, whole: '', text: '', state: 'empty', parts: [], dropped: [] }
  // The joint already separates a tier from the one before.
  const pieces = [{ ...first, before: '' }, ...others]
  const whole = wholeTier(tier, pieces)
  const gone: TierLayout = {
    ...whole,
    text: '',
    state: 'dropped',
    parts: [],
    dropped: items(pieces),
  }
  if (room === null) return gone
  const { before, cap, available, count } = room
  const fits = (text: string) => count(text) <= cap && count(before + text) <= available
  if (fits(whole.text)) return whole
  return tier === 'tier1' ? cutText(whole, pieces, fits, gone) : leaveOut(whole, pieces, fits, gone)
}

function items(pieces: readonly Piece[]): readonly Piece[] {
  return pieces.filter(({ role }) => role === 'item')
}

function wholeTier(tier: TierName, pieces: readonly Piece[]): TierLayout {
  let text = ''
  const parts: PromptPart[] = []
  for (const { id, source, before, text: own } of pieces) {
    const start = text.length
    text += before + own
    // A part begins with the blank lines before it, so that parts leave no gap.
    parts.push({ id, tier, source, span: [start, text.length] })
  }
  return { tier, whole: text, text, state: 'whole', parts, dropped: [] }
}

type Fits = (text: string) => boolean

/** [A11] Tier 1: a beginning of its text, then the marker. */
function cutText(
  whole: TierLayout,
  pieces: readonly Piece[],
  fits: Fits,
  gone: TierLayout,
): TierLayout {
  const prefix = fittingPrefix(whole.text, (text) => fits(marked(text)))
  const headEnd = whole.parts[0]?.span[1] ?? 0
  if (prefix.length <= headEnd) return gone
  const kept = whole.parts
    .filter(({ span }) => span[0] < prefix.length)
    .map((part): PromptPart => ({
      ...part,
      span: [part.span[0], Math.min(part.span[1], prefix.length)],
    }))
  const dropped = pieces.slice(kept.length)
  return { ...withMarker(whole, prefix, kept), dropped: items(dropped) }
}

/** [A11] Tier 2: whole records from the front, then the marker. */
function leaveOut(
  whole: TierLayout,
  pieces: readonly Piece[],
  fits: Fits,
  gone: TierLayout,
): TierLayout {
  let kept = 0
  for (const [index, piece] of pieces.entries()) {
    if (piece.role === 'heading') continue
    const end = whole.parts[index]?.span[1] ?? 0
    if (!fits(marked(whole.text.slice(0, end)))) break
    kept = index + 1
  }
  if (kept === 0) return gone
  const parts = whole.parts.slice(0, kept)
  const text = whole.text.slice(0, parts.at(-1)?.span[1] ?? 0)
  return { ...withMarker(whole, text, parts), dropped: items(pieces.slice(kept)) }
}

function marked(text: string): string {
  return `${text}\n${MARKER}`
}

function withMarker(
  whole: TierLayout,
  prefix: string,
  parts: readonly PromptPart[],
): Omit<TierLayout, 'dropped'> {
  const text = marked(prefix)
  const marker: PromptPart = {
    id: 'marker',
    tier: whole.tier,
    source: 'prompt frame',
    span: [prefix.length, text.length],
  }
  return { ...whole, text, state: 'truncated', parts: [...parts, marker] }
}
