import { Dialog } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import { type ReactNode, type RefObject, useEffect, useState } from 'react'

interface Props {
  readonly title: string
  readonly className?: string
  readonly onClose: () => void
  readonly children: ReactNode
  /** The title is read out but not shown. */
  readonly bare?: boolean
  /** What has the focus first; else the first thing that can. */
  readonly first?: RefObject<HTMLElement | null>
}

/** A dialog over a dimmed page; Esc and a click outside close it, focus goes back where it was. */
export function Modal({ title, className = '', onClose, children, bare = false, first }: Props) {
  const [back] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      if (back instanceof HTMLElement) back.focus()
    },
    [back],
  )
  return (
    <Dialog.Root
      open
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className={`modal ${className}`} {...(first ? { initialFocus: first } : {})}>
          {bare ? (
            <Dialog.Title className="visually-hidden">{title}</Dialog.Title>
          ) : (
            <header className="modal-head">
              <Dialog.Title className="modal-title">{title}</Dialog.Title>
              <Dialog.Close className="icon-button" aria-label="Close">
                <X size={15} aria-hidden />
              </Dialog.Close>
            </header>
          )}
          {children}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
