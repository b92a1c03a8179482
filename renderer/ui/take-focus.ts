/** Gives an element of a panel that was opened by a key the keyboard, when nothing else has it. */
export function takeFocus(element: HTMLElement | null): void {
  const { activeElement } = document
  if (activeElement === null || activeElement === document.body)
    element?.focus({ preventScroll: true })
}
