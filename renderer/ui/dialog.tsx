import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useState } from 'react'

interface Props {
  readonly title: string
  readonly className?: string
  readonly onClose: () => void
  readonly children: ReactNode
  /** A quiet line at the foot. */
  readonly note?: ReactNode
  /** The title is read out but not shown. */
  readonly bare?: boolean
  /** The element to focus first; by default the first focusable one. */
  readonly first?: RefObject<HTMLElement | null>
}

/** A dialog over a dimmed page. Esc and a click outside close it, and the focus returns to its previous element. */
export function Dialog({ title, className = '', onClose, children, ...rest }: Props) {
  const { note, bare = false, first } = rest
  const [back] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      if (back instanceof HTMLElement) back.focus()
    },
    [back],
  )
  return (
    <Base.Root
      open
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
    >
      <Base.Portal>
        <Base.Backdrop className="backdrop" />
        <Base.Popup className={`modal ${className}`} {...(first ? { initialFocus: first } : {})}>
          {bare ? (
            <Base.Title className="visually-hidden">{title}</Base.Title>
          ) : (
            <header className="modal-head">
              <Base.Title className="modal-title">{title}</Base.Title>
              <Base.Close className="icon-button" aria-label="Close">
                <X size={15} aria-hidden />
              </Base.Close>
            </header>
          )}
          {children}
          {note !== undefined && <p className="modal-foot quiet">{note}</p>}
          {first && <FocusAtOnce first={first} />}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

/** Keys typed right after the one that opened the dialog go into it: the focus moves before they arrive. */
function FocusAtOnce({ first }: Required<Pick<Props, 'first'>>) {
  useLayoutEffect(() => first.current?.focus(), [first])
  return null
}
