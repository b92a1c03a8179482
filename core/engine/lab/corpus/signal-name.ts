import { keptIn } from '../../maps.ts'
import { placeOfSignal, type Pipeline } from '../../pipeline.ts'

const named = new WeakMap<Pipeline, readonly string[]>()

/**
 * Names of all signals by number, all different: "domain/id", or "domain/number" counted from 1 where
 * the signal has no id, or one that another of its domain has too.
 */
export function signalNames(pipeline: Pipeline): readonly string[] {
  return keptIn(named, pipeline, () => {
    const used = new Set<string>()
    return pipeline.signals.map((signal, number) => {
      const { domain, index } = placeOfSignal(pipeline, number)
      const own = `${domain}/${signal.id ?? String(index + 1)}`
      const name = used.has(own) ? `${own} (${index + 1})` : own
      used.add(name)
      return name
    })
  })
}
