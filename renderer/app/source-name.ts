import { valueOf } from './async-data.ts'
import { lastOf } from './offered-files.ts'
import { type ShownSource, store } from './store.ts'

/** Name of a source as people know it. */
export function sourceName(source: ShownSource): string {
  if (source.kind === 'sample') {
    const samples = valueOf(store.getState().document.library)?.samples
    return samples?.find((sample) => sample.id === source.id)?.title ?? source.id
  }
  if (source.kind === 'upload') return source.name
  if (source.kind === 'scratch') return 'Scratch session'
  if (source.kind === 'result') return source.session
  return lastOf(source.path)
}
