import { placeOfSignal, type Pipeline } from '../pipeline.ts'

const named = new WeakMap<Pipeline, readonly string[]>()

/**
 * Names of all signals by number, all different: "domain/id", or "domain/number" counted from 1 where
 * the signal has no id, or one that another of its domain has too.
 */
export function signalNames(pipeline: Pipeline): readonly string[] {
  let names = named.get(pipeline)
  if (names === undefined) {
    const used = new Set<string>()
    names = pipeline.signals.map((signal, number) => {
      const { domain, index } = placeOfSignal(pipeline, number)
      const own = `${domain}/${signal.id ?? String(index + 1)}`
      const name = used.has(own) ? `${own} (${index + 1})` : own
      used.add(name)
      return name
    })
    named.set(pipeline, names)
  }
  return names
}
