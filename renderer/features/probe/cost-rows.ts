import type { ProbeResult } from '../../../core/engine/schema/probe.ts'
import { counted } from '../../ui/format.ts'
import { BUDGET } from './probe-words.ts'

interface Row {
  readonly name: string
  readonly about: string
  readonly ms: number
  readonly budget: number
}

/** [D53] Rows against the document's budget; search is allowed 20 ms a collection. */
export function costRows(times: ProbeResult['times'], collections: number): readonly Row[] {
  const searched = Math.max(1, collections)
  return [
    {
      name: 'phrases',
      about: 'Taking phrases from the message',
      ms: times.extract,
      budget: BUDGET.extract,
    },
    {
      name: 'embedding',
      about: 'Vectors of phrases that the cache does not know',
      ms: times.embed,
      budget: BUDGET.embed,
    },
    {
      name: 'search',
      about: `${BUDGET.search} ms for each of ${counted(searched, 'collection')}`,
      ms: times.search,
      budget: BUDGET.search * searched,
    },
    {
      name: 'total',
      about: 'All of it, as the host measured it',
      ms: times.total,
      budget: BUDGET.total,
    },
  ]
}
