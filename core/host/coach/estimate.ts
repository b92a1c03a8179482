import type { CoachEstimate } from '../../engine/schema/coach-wire.ts'
import { dollarsOf } from './asker.ts'
import { MAX_OUTPUT_TOKENS } from './model-client.ts'
import type { CoachService } from './service.ts'
import type { CoachRow, CoachRows } from './wire.ts'

/** The rows of a batch; null = all. */
export function chosenRows(
  { rows }: CoachRows,
  seqs: readonly number[] | null,
): readonly CoachRow[] {
  if (seqs === null) return rows
  const wanted = new Set(seqs)
  return rows.filter((row) => wanted.has(row.seq))
}

/** [V20] What a batch would send and cost. Tokens are an estimate, those of the answers a bound. */
export async function estimateOf(
  coach: CoachService,
  set: CoachRows,
  seqs: readonly number[] | null,
): Promise<CoachEstimate> {
  const rows = chosenRows(set, seqs)
  const open = rows.filter((row) => !row.gated)
  const { promptHash } = set.basis
  const known = await Promise.all(
    open.map(({ content }) => coach.asker.known({ content, promptHash })),
  )
  const asked = new Map(
    open.filter((_, index) => known[index] === null).map((row) => [row.content, row]),
  )
  const inputTokens = [...asked.values()].reduce((sum, row) => sum + row.tokens, 0)
  const outputTokens = asked.size * MAX_OUTPUT_TOKENS
  const ready = await coach.asker.model()
  return {
    outputs: rows.length,
    gated: rows.length - open.length,
    cached: open.length - asked.size,
    calls: asked.size,
    inputTokens,
    outputTokens,
    dollars: dollarsOf(await coach.settings(), { inputTokens, outputTokens }),
    problem: ready.ok ? null : ready.error,
  }
}
