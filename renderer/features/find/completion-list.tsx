import { useEffect, useMemo, useRef } from 'react'
import { valueOf } from '../../app/async-data.ts'
import { call } from '../../app/question.ts'
import { useQuery } from '../../app/use-query.ts'
import { useApp } from '../../app/use-store.ts'
import { counted } from '../../ui/format.ts'
import type { Completion, Value } from '../../stores/find/find-terms.ts'

const none: readonly Value[] = []

/**
 * [U5] Names of the session's tools, most used first. Requested when a query filters by tool, and again when the
 * session has grown.
 */
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

interface Props {
  readonly offered: readonly Completion[]
  readonly chosen: number
  readonly onTake: (completion: Completion) => void
}

/** Filters or values that match the input. */
export function CompletionList({ offered, chosen, onTake }: Props) {
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [chosen])
  return (
    <ul
      ref={list}
      id="find-completions"
      className="completions floating scroll"
      role="listbox"
      aria-label="Completions"
    >
      {offered.map((completion, at) => (
        <li
          key={completion.label}
          className="flex baseline gap-12 text-s pointer hoverable chosen"
          id={`completion-${at}`}
          role="option"
          aria-selected={at === chosen}
          // The field keeps the focus.
          onPointerDown={(event) => {
            event.preventDefault()
            onTake(completion)
          }}
        >
          <code className="no-shrink">{completion.label}</code>
          <span className="quiet truncate">{completion.about}</span>
        </li>
      ))}
    </ul>
  )
}
