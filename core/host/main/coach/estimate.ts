import type { CoachEstimate } from '../../../engine/schema/coach-wire.ts'
import { dollarsOf } from './asker.ts'
import { MAX_OUTPUT_TOKENS } from './model-client.ts'
import type { CoachService } from './service.ts'
import type { CoachBasis, CoachRow, CoachRows } from '../../../wire/internal/coach.ts'

/** The rows of a batch; null = all. */
export function chosenRows(
  { rows }: CoachRows,
  seqs: readonly number[] | null,
): readonly CoachRow[] {
  if (seqs === null) return rows
  const wanted = new Set(seqs)
  return rows.filter((row) => wanted.has(row.seq))
}

/** [V20] What asking about outputs of a session would send and cost. */
export function estimateOf(
  coach: CoachService,
  set: CoachRows,
  seqs: readonly number[] | null,
): Promise<CoachEstimate> {
  return estimateFor(coach, set.basis, chosenRows(set, seqs))
}

/**
 * [V20] What a batch would send and cost: every question once, without those that a gate decides or
 * that were answered before. Tokens in are an estimate, those of the answers their limit.
 */
export async function estimateFor(
  coach: CoachService,
  { promptHash }: Pick<CoachBasis, 'promptHash'>,
  outputs: ReadonlyArray<Pick<CoachRow, 'content' | 'gated' | 'tokens'>>,
): Promise<CoachEstimate> {
  const open = outputs.filter((output) => !output.gated)
  const known = await Promise.all(
    open.map(({ content }) => coach.asker.known({ content, promptHash })),
  )
  const asked = new Map(
    open
      .filter((_, index) => known[index] === null)
      .map(({ content, tokens }) => [content, tokens]),
  )
  const inputTokens = [...asked.values()].reduce((sum, tokens) => sum + tokens, 0)
  const outputTokens = asked.size * MAX_OUTPUT_TOKENS
  const ready = await coach.asker.model()
  return {
    outputs: outputs.length,
    gated: outputs.length - open.length,
    cached: open.length - asked.size,
    calls: asked.size,
    inputTokens,
    outputTokens,
    dollars: dollarsOf(await coach.settings(), { inputTokens, outputTokens }),
    problem: ready.ok ? null : ready.error,
  }
}
