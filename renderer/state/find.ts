import { valueOf } from './async-data.ts'
import { failureOf, host, wasCancelled } from './host.ts'
import { selectSeq } from './select.ts'
import { patchView, store } from './store.ts'

let asking: AbortController | null = null

/**
 * Finds plain text in the session's data, not in rendered rows. Rejects when the host does; null
 * when there is nothing to search.
 */
export async function searchSession(
  text: string,
  signal: AbortSignal,
): Promise<{ readonly seqs: readonly number[]; readonly more: boolean } | null> {
  const { document, session } = store.getState()
  const opened = valueOf(document.opened)
  if (!opened || text.trim() === '') return null
  return host().call('session.find', { key: opened.key, session: session.index, text }, signal)
}

/** The find field: results replace the old ones, the first at or after the selection is selected. */
export async function find(text: string): Promise<void> {
  asking?.abort()
  if (text === '') {
    patchView({ find: { text, seqs: [], more: false, at: -1 } })
    return
  }
  const controller = new AbortController()
  asking = controller
  try {
    const answer = await searchSession(text, controller.signal)
    const seqs = answer?.seqs ?? []
    const from = store.getState().view.selected ?? 0
    const next = seqs.findIndex((seq) => seq >= from)
    const at = seqs.length === 0 ? -1 : Math.max(0, next)
    patchView({ find: { text, seqs, more: answer?.more ?? false, at } })
    const target = seqs[at]
    if (target !== undefined) selectSeq(target)
  } catch (error) {
    if (!wasCancelled(error)) patchView({ notice: failureOf(error, 'Find') })
  }
}

/** Next or previous result, around the end. */
export function findNext(by: 1 | -1): void {
  const { find: found } = store.getState().view
  if (!found || found.seqs.length === 0) return
  const at = (found.at + by + found.seqs.length) % found.seqs.length
  patchView({ find: { ...found, at }, show: 'all' })
  const seq = found.seqs[at]
  if (seq !== undefined) selectSeq(seq)
}

export function openFind(): void {
  patchView({ find: store.getState().view.find ?? { text: '', seqs: [], more: false, at: -1 } })
}

export function closeFind(): void {
  asking?.abort()
  patchView({ find: null })
}
