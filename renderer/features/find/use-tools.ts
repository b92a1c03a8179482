import { useMemo } from 'react'
import { valueOf } from '../../app/async-data.ts'
import { call } from '../../app/question.ts'
import { useQuery } from '../../app/use-query.ts'
import { useApp } from '../../app/use-store.ts'
import { counted } from '../../ui/format.ts'
import type { Value } from './find-terms.ts'

const none: readonly Value[] = []

/** [U5] Names of the session's tools, most used first; asked for when a query is about tools, and again when it grew. */
export function useTools(wanted: boolean): readonly Value[] {
  const key = useApp((state) => valueOf(state.document.opened)?.key ?? null)
  const session = useApp((state) => state.session.index)
  const events = useApp((state) => valueOf(state.session.events)?.kind.length ?? 0)
  const about = { where: 'Tools', of: String(events) }
  // Without names the filter is written by hand.
  const { data } = useQuery(
    wanted && key !== null ? call('session.tools', { key, session }, about) : null,
  )
  const tools = valueOf(data)?.tools
  return useMemo(
    () => tools?.map(({ name, count }) => ({ value: name, about: counted(count, 'time') })) ?? none,
    [tools],
  )
}
