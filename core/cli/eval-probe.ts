import { z } from 'zod'
import type { ProbePorts } from '../engine/probe/ports.ts'
import { type ProbeState, initialProbeState, probeMessage } from '../engine/probe/run.ts'
import type { ProbeOptions, ProbeResult } from '../engine/schema/probe.ts'
import { filterLines, type LineSource } from './jsonl.ts'

/** One line of input. Lines with the same `session` share cache and persona; without one a line stands alone. */
const Input = z.object({ session: z.string().nullish(), message: z.string() })

export interface EvalProbe {
  readonly ports: ProbePorts
  readonly options: ProbeOptions
  /** Told of a message that was not fully probed (L28). */
  readonly onErrors: (errors: ProbeResult['errors']) => void
}

/**
 * [D49] `turnscope eval probe`: `{"session"?,"message"}` to `{"phrases_tested","hits","primary_collection",
 * "supplemental_collections","strength","persona","from_cache","skipped","probe_time_ms"}`; with
 * `"errors"` where a collection or the embedder failed.
 */
export function evalProbe(
  source: LineSource,
  { ports, options, onErrors }: EvalProbe,
): AsyncIterable<string> {
  const states = new Map<string, ProbeState>()
  return filterLines(source, Input, async ({ session, message }) => {
    const before = states.get(session ?? '') ?? initialProbeState
    const alone = session === null || session === undefined
    const probed = await probeMessage(message, alone ? initialProbeState : before, options, ports)
    if (!alone) states.set(session, probed.state)
    const { result } = probed
    if (result.errors.length > 0) onErrors(result.errors)
    return answerOf(result)
  })
}

function answerOf(result: ProbeResult): unknown {
  const hits = result.hits.map(
    ({ phrase, collection, chunk_text, similarity, filename, chunk_idx }) => ({
      ...{ phrase, collection, chunk_text, similarity, filename, chunk_idx },
    }),
  )
  return {
    phrases_tested: result.phrases_tested,
    hits,
    primary_collection: result.primary_collection,
    supplemental_collections: result.supplemental_collections,
    strength: result.strength,
    persona: result.persona.persona,
    from_cache: result.from_cache,
    skipped: result.skipped,
    probe_time_ms: result.probe_time_ms,
    ...(result.errors.length === 0 ? {} : { errors: result.errors }),
  }
}
