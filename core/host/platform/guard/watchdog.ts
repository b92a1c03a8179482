import { compileSignal } from '../../../engine/matcher/signal.ts'
import type { Pipeline, TurnCutOff } from '../../../engine/pipeline.ts'

/** Number of a cut-off signal among `Pipeline.signals`. */
export function signalNumber(
  { belief }: Pipeline,
  { domain, signal }: Pick<TurnCutOff, 'domain' | 'signal'>,
): number {
  return (belief.set.byName.get(domain)?.firstSignal ?? belief.set.signals.length) + signal
}

const reduced = new WeakSet<Pipeline>()

/** Whether `withoutSignals` took something out of the pipeline. */
export function lacksSignals(pipeline: Pipeline): boolean {
  return reduced.has(pipeline)
}

/** The same pipeline in which the given signals match nothing. */
export function withoutSignals(pipeline: Pipeline, off: ReadonlySet<number>): Pipeline {
  if (off.size === 0) return pipeline
  const never = compileSignal({ pattern: '(?!)', dialect: 'js' }, 'never', {
    asciiBoundaries: false,
  })
  if (!never.ok) throw new Error('a pattern that matches nothing must compile')
  const { programs } = never.value
  const signals = pipeline.signals.map((signal, number) =>
    off.has(number) ? { ...signal, programs } : signal,
  )
  const lesser = { ...pipeline, signals }
  reduced.add(lesser)
  return lesser
}
