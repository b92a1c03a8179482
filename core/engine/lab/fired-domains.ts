import type { Pipeline } from '../pipeline.ts'

/** Number of the domain of each signal, by number of the signal; anti-signals have none. */
export function domainsOfSignals(pipeline: Pipeline): readonly number[] {
  return pipeline.belief.set.domains.flatMap((domain) => domain.signals.map(() => domain.index))
}
