/** Aborted by the first key or press in this page. The browser's own mark outlives a reload. */
const untouched = new AbortController()

/** A list that React puts in while Tab is handled would take the keyboard first, and Tab would go on from it. */
const touch = (event: Event) =>
  event instanceof KeyboardEvent && event.key === 'Tab'
    ? void setTimeout(() => untouched.abort())
    : untouched.abort()

/** Whether a key or a button was pressed in this page. */
export const isTouched = (): boolean => untouched.signal.aborted

/** Once, when the page starts. */
export function watchFirstTouch(): void {
  for (const name of ['keydown', 'pointerdown'])
    window.addEventListener(name, touch, { capture: true, signal: untouched.signal })
}
