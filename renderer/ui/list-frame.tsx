import { type KeyboardEvent, type ReactNode, useCallback } from 'react'
import { isTouched } from './touched.ts'
import type { Rows } from './use-rows.ts'

/**
 * Focuses an element of a panel opened by a key, if no other element has the focus. [U111] On a page that the operator
 * has not touched yet, the focus does not move, so that the first Tab reaches the skip links.
 */
function takeFocus(element: HTMLElement | null): void {
  const { activeElement } = document
  const isFree = activeElement === null || activeElement === document.body
  if (isFree && isTouched()) element?.focus({ preventScroll: true })
}

interface Props {
  readonly view: Rows
  readonly role: 'grid' | 'listbox' | 'list'
  readonly label: string
  readonly className: string
  /** Of all rows, a head included. */
  readonly rowCount?: number
  /** Id of the row that has the keyboard. */
  readonly active?: string | undefined
  /** Above the rows; it scrolls with them unless it is sticky. */
  readonly head?: ReactNode
  /** Takes the keyboard when it appears and nothing else has it. */
  readonly focus?: boolean
  /** A row further down or up by the arrow keys. */
  readonly onStep?: (by: 1 | -1) => void
  readonly onEnter?: () => void
  readonly onKeyDown?: (event: KeyboardEvent) => void
  readonly onFocus?: () => void
  readonly children: (at: number) => ReactNode
}

const noFocus = (): void => undefined

/** Three elements that a virtual list needs, and its roles; rows in view are given by their number. */
export function ListFrame({ view, role, label, children, ...rest }: Props) {
  const { scroller, sizer, rows, from, to } = view
  const onAppear = rest.focus === true ? takeFocus : noFocus
  const attach = useCallback(
    (element: HTMLDivElement | null) => {
      scroller(element)
      onAppear(element)
    },
    [scroller, onAppear],
  )
  const onKeyDown = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : null
    if (by !== null && rest.onStep) rest.onStep(by)
    else if (event.key === 'Enter' && rest.onEnter) rest.onEnter()
    else {
      rest.onKeyDown?.(event)
      return
    }
    event.preventDefault()
    event.stopPropagation()
  }
  const inner = role === 'list' ? undefined : 'presentation'
  return (
    <div
      ref={attach}
      className={rest.className}
      role={role === 'list' ? 'region' : role}
      aria-label={label}
      aria-rowcount={rest.rowCount}
      aria-activedescendant={rest.active}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onFocus={rest.onFocus}
    >
      {rest.head}
      <div ref={sizer} className="list-size" role={role === 'grid' ? 'rowgroup' : inner}>
        <div ref={rows} className="list-rows" role={role === 'list' ? 'list' : inner}>
          {Array.from({ length: to - from }, (_, nth) => children(from + nth))}
        </div>
      </div>
    </div>
  )
}
