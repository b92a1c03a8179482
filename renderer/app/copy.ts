import { DEFAULT_KINDS } from '../../core/engine/schema/redaction.ts'
import { host } from './host.ts'
import { patchView, store } from './store.ts'

/**
 * [U10] Copies a text to the clipboard. Redacts keys, tokens, addresses and home paths first, by the same rules as an
 * export. If redaction fails, nothing is copied. Returns true if the text was copied.
 * @param what name of the text, for the note
 */
export async function copyText(text: string, what: string): Promise<boolean> {
  try {
    const kinds = [...DEFAULT_KINDS]
    const answer = await host().call('export.text', { text, kinds })
    await navigator.clipboard.writeText(answer.text)
    const note = { what, redacted: answer.redacted, text, refused: false }
    // Nothing taken out: the button's own sign is enough.
    patchView({ copied: answer.redacted > 0 ? note : null })
    return true
  } catch {
    patchView({ copied: { what, redacted: 0, text, refused: true } })
    return false
  }
}

/** Copies a text without redaction. Only for an explicit request. */
export async function copyAsItIs(text: string): Promise<void> {
  await navigator.clipboard.writeText(text)
  patchView({ copied: null })
}

/**
 * [U72] A link names the place by paths of this machine: with a path taken out it would lead nowhere, so it
 * is copied as it is, and says so.
 */
export async function copyLink(link: string): Promise<void> {
  const note = { what: 'link', redacted: 0, text: link }
  try {
    await navigator.clipboard.writeText(link)
    patchView({ copied: { ...note, refused: false, asItIs: true } })
  } catch {
    patchView({ copied: { ...note, refused: true, asItIs: true } })
  }
}

/**
 * [U157] A picture goes as pixels; its titles were redacted when it was drawn. The pixels may still be on their
 * way: the browser waits for them, so that the press of the button still counts.
 */
export async function copyPicture(png: Promise<Blob>): Promise<boolean> {
  const note = { what: 'picture', redacted: 0, text: '', asItIs: true }
  try {
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': png })])
    patchView({ copied: { ...note, refused: false } })
    return true
  } catch {
    patchView({ copied: { ...note, refused: true } })
    return false
  }
}

export function forgetCopied(): void {
  if (store.getState().view.copied) patchView({ copied: null })
}

/** Text that the reader selected goes the same way; fields keep their own copying. */
export function redactSelection(event: ClipboardEvent): void {
  // An editor in a shadow root is a field too.
  const target = event.composedPath()[0]
  if (target instanceof Element && target.closest('input, textarea, [contenteditable]')) return
  const text = getSelection()?.toString() ?? ''
  if (text === '') return
  event.preventDefault()
  void copyText(text, 'selection')
}
