import { useEffect, useRef } from 'react'
import type { Completion } from './find-terms.ts'

interface Props {
  readonly offered: readonly Completion[]
  readonly chosen: number
  readonly onTake: (completion: Completion) => void
}

/** Filters or values that fit what is being written. */
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
