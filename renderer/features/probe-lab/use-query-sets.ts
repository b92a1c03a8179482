import { useMemo, useState } from 'react'
import { valueOf } from '../../app/async-data.ts'
import { askCall, useAnswer } from '../lab/use-answer.ts'

/** Sets of labelled queries, and the chosen one: the first, until somebody chooses. */
export function useQuerySets() {
  const ask = useMemo(() => askCall('probe.querySets', {}), [])
  const { data } = useAnswer(ask)
  const sets = valueOf(data)?.sets ?? null
  const [chosen, choose] = useState<string | null>(null)
  const set = chosen ?? sets?.[0]?.name ?? null
  return { data, sets, set, choose }
}
