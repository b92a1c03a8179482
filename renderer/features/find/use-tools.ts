import { useEffect, useState } from 'react'
import { valueOf } from '../../app/async-data.ts'
import type { Value } from './find-terms.ts'
import { host } from '../../app/host.ts'
import { useApp } from '../../app/use-store.ts'
import { counted } from '../../ui/format.ts'

const none: readonly Value[] = []

/** [U5] Names of the session's tools, most used first; asked for when a query is about tools, and again when it grew. */
export function useTools(wanted: boolean): readonly Value[] {
  const key = useApp((state) => valueOf(state.document.opened)?.key ?? null)
  const session = useApp((state) => state.session.index)
  const events = useApp((state) => valueOf(state.session.events)?.kind.length ?? 0)
  const [tools, setTools] = useState(none)
  useEffect(() => {
    if (!wanted || key === null) return undefined
    const controller = new AbortController()
    host()
      .call('session.tools', { key, session }, controller.signal)
      .then((answer) =>
        setTools(
          answer.tools.map(({ name, count }) => ({ value: name, about: counted(count, 'time') })),
        ),
      )
      // Without names the filter is written by hand.
      .catch(() => undefined)
    return () => controller.abort()
  }, [wanted, key, session, events])
  return tools
}
