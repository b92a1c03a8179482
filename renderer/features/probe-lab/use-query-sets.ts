import { useState } from 'react'
import { valueOf } from '../../app/async-data.ts'
import { call } from '../../app/question.ts'
import { useQuery } from '../../app/use-query.ts'
import { LAB } from '../lab/use-study.ts'

const QUESTION = call('probe.querySets', {}, LAB)

/** Sets of labelled queries, and the chosen one: the first, until somebody chooses. */
export function useQuerySets() {
  const { data } = useQuery(QUESTION)
  const sets = valueOf(data)?.sets ?? null
  const [chosen, choose] = useState<string | null>(null)
  const set = chosen ?? sets?.[0]?.name ?? null
  return { data, sets, set, choose }
}
