import { useEffect, useRef } from 'react'
import type { RefObject } from 'react'

/** The first thing of a panel that was opened by a key: it gets the keyboard when nothing else has it. */
export function useFirstFocus(): RefObject<HTMLElement | null> {
  const element = useRef<HTMLElement>(null)
  useEffect(() => {
    if (document.activeElement === null || document.activeElement === document.body)
      element.current?.focus({ preventScroll: true })
  }, [])
  return element
}
