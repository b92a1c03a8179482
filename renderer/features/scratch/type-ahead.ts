/** Maximum time that letters wait for the field, in milliseconds: longer than any session takes to begin. */
const LONGEST_MS = 10_000

type Field = HTMLInputElement | HTMLTextAreaElement
const isField = (target: EventTarget | null): target is Field =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement

/** Inserts as if typed: at the end of the field, with the cursor after it. */
function typeInto(field: Field, text: string): void {
  const { length } = field.value
  field.setRangeText(text, length, length, 'end')
  field.dispatchEvent(new Event('input', { bubbles: true }))
}

/**
 * [U160] Letters typed while a scratch session opens are part of its text, not shortcuts. They go to the first field
 * that gets the focus. Capture ends then, on Escape, or after a timeout. Returns a function that ends it immediately.
 */
export function typeAhead(): () => void {
  let text = ''
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape') stop()
    if (event.key === 'Escape' || isField(event.target)) return
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'Backspace') text = text.slice(0, -1)
    else if (event.key.length === 1) text += event.key
    else return
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  const onFocus = ({ target }: FocusEvent) => {
    if (!isField(target)) return
    stop()
    if (text !== '') typeInto(target, text)
  }
  const timer = setTimeout(() => stop(), LONGEST_MS)
  const stop = () => {
    clearTimeout(timer)
    window.removeEventListener('keydown', onKey, true)
    window.removeEventListener('focusin', onFocus)
  }
  window.addEventListener('keydown', onKey, true)
  window.addEventListener('focusin', onFocus)
  return stop
}
