import { hash } from 'node:crypto'
import { type Outcome, partChanges } from '../../../engine/lab/flips/causes.ts'
import type { ProbePorts } from '../../../engine/probe/ports.ts'
import { initialProbeState, probeMessage } from '../../../engine/probe/run.ts'
import type { ProbeOptions, ProbeResult } from '../../../engine/schema/probe.ts'
import { type FoundCauses, searchChanges } from '../../compare/cause-search.ts'
import type { ProbeMessage } from './session-probe.ts'

interface Watch {
  readonly signal: AbortSignal
  readonly probed: (done: number, total: number) => void
}

/** [T83] What a message is answered: skipped or not, hits, primary, persona, and the text for its prompt. */
function saidOf(result: ProbeResult): string {
  const { skipped, primary_collection, supplemental_collections, strength, prompt } = result
  const hits = result.hits.map(({ phrase, collection, filename, chunk_idx }) => [
    ...[phrase, collection, filename, chunk_idx],
  ])
  const { persona } = result.persona
  const said = [skipped, primary_collection, supplemental_collections, strength, persona, prompt]
  return hash('sha256', JSON.stringify([said, hits]))
}

/**
 * [L52] [T83] Switches what differs between two ways to probe, one option at a time. Every embedding is asked
 * once: what is asked again is in the embedder's cache.
 */
export async function probeCauses(
  messages: readonly ProbeMessage[],
  { here, there }: { readonly here: ProbeOptions; readonly there: ProbeOptions },
  ports: ProbePorts,
  { signal, probed }: Watch,
): Promise<FoundCauses> {
  const changes = partChanges('probe', here, there)
  let [runs, most] = [0, 1]
  const run = async (options: ProbeOptions): Promise<Outcome> => {
    const said = new Map<string, string>()
    let state = initialProbeState
    for (const [at, { seq, text }] of messages.entries()) {
      signal.throwIfAborted()
      probed(runs * messages.length + at, most * messages.length)
      const turn = await probeMessage(text, state, options, { ...ports, signal })
      state = turn.state
      said.set(`message ${seq}`, saidOf(turn.result))
    }
    runs += 1
    return said
  }
  const known = Object.entries(there)
  const before = await run(here)
  return searchChanges(
    changes,
    async (chosen) => {
      const names = changes.filter((_, at) => chosen.has(at)).map(({ option }) => option)
      const taken = Object.fromEntries(known.filter(([name]) => names.includes(name)))
      const after = await run({ ...here, ...taken })
      return new Map([...after].filter(([key, value]) => before.get(key) !== value))
    },
    (done, total) => {
      // The run before the search is one, too.
      most = Math.max(runs + 1, runs + total - done)
    },
  )
}
