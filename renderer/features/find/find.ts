import { valueOf } from '../../app/async-data.ts'
import { type Find, emptyFind } from './find-state.ts'
import { failureOf, host, wasCancelled } from '../../app/host.ts'
import { selectSeq } from '../../app/select.ts'
import { firstAtOrAfter } from '../../ui/sorted.ts'
import { patchView, store } from '../../app/store.ts'
import { wireConfigs } from '../../app/wire.ts'

let asking: AbortController | null = null

/** Asks the host; null when there is nothing to search. Rejects when the host does. */
export async function searchSession(query: string, signal: AbortSignal) {
  const { document, session, view } = store.getState()
  const opened = valueOf(document.opened)
  if (!opened || query.trim() === '') return null
  const request = { key: opened.key, session: session.index, query, ...wireConfigs(view) }
  return host().call('session.find', request, signal)
}

/** Changes what the find box shows; nothing when it is closed. */
export function patchFind(patch: Partial<Find>): void {
  const { find: found } = store.getState().view
  if (found) patchView({ find: { ...found, ...patch } })
}

/** The find field: results replace the old ones, the first at or after the selection is selected. */
export async function find(query: string): Promise<void> {
  openFind()
  patchFind({ query })
  if (await ask()) goTo(nearest())
}

/** The same query over what the session has become (it grew, or another preset decides). */
export async function findAgain(): Promise<void> {
  const { find: found } = store.getState().view
  if (!found || found.query === '' || found.scope !== 'session') return
  const isFirst = found.asked === ''
  if (await ask()) patchFind({ at: nearest() })
  if (isFirst && found.only) goTo(nearest())
}

/** True when there is a new answer. */
async function ask(): Promise<boolean> {
  asking?.abort()
  const { find: found } = store.getState().view
  if (!found) return false
  const { query } = found
  if (query.trim() === '') {
    patchFind({ seqs: [], more: false, at: -1, asked: query, problem: null, cutOff: 0 })
    return false
  }
  const controller = new AbortController()
  asking = controller
  try {
    const answer = await searchSession(query, controller.signal)
    if (!answer || controller.signal.aborted) return false
    const { seqs, more, problem, cutOff } = answer
    const same = found.asked === query
    patchFind({
      seqs,
      more,
      cutOff,
      asked: query,
      problem,
      at: -1,
      ...(same ? {} : { excerpts: new Map() }),
    })
    return true
  } catch (error) {
    if (!wasCancelled(error))
      patchFind({ asked: query, problem: failureOf(error, 'Find'), seqs: [], more: false, at: -1 })
    return false
  }
}

/** Place of the first result at or after the selection, else the first; -1 without results. */
function nearest(): number {
  const { find: found, selected } = store.getState().view
  if (!found || found.seqs.length === 0) return -1
  const at = firstAtOrAfter(found.seqs, selected ?? 0)
  return at < found.seqs.length ? at : 0
}

/** Selects a result by its place in the list. */
export function goTo(at: number): void {
  const seq = store.getState().view.find?.seqs[at]
  if (seq === undefined) return
  patchFind({ at })
  selectSeq(seq)
}

/** Next or previous result, around the end. From where the reader is, when that is no result. */
export function findNext(by: 1 | -1): void {
  const { find: found, selected } = store.getState().view
  if (!found || found.seqs.length === 0) return
  const { seqs, at } = found
  if (seqs[at] === selected || selected === null) {
    goTo((at + by + seqs.length) % seqs.length)
    return
  }
  const after = firstAtOrAfter(seqs, by === 1 ? selected + 1 : selected)
  goTo((by === 1 ? after : after - 1 + seqs.length) % seqs.length)
}

/** @param panel whether the results stand beside the list */
export function openFind(panel = true): void {
  const { find: found } = store.getState().view
  if (!found) patchView({ find: { ...emptyFind, panel } })
}

export function closeFind(): void {
  asking?.abort()
  patchView({ find: null })
}

const AT_ONCE = 40
const awaited = new Set<string>()

/** Fetches the text around results `from` to `to` (places in the list, inclusive) that is not here yet. */
export function ensureExcerpts(from: number, to: number): void {
  const { document, session, view } = store.getState()
  const opened = valueOf(document.opened)
  const { find: found } = view
  if (!opened || !found || found.asked !== found.query) return
  const first = Math.max(0, Math.floor(from / AT_ONCE)) * AT_ONCE
  for (let at = first; at <= to && at < found.seqs.length; at += AT_ONCE) {
    const seqs = found.seqs.slice(at, at + AT_ONCE).filter((seq) => !found.excerpts.has(seq))
    const key = `${opened.key} ${session.index} ${found.query} ${seqs.join()}`
    if (seqs.length > 0 && !awaited.has(key)) void fetchExcerpts(key, found.query, seqs)
  }
}

async function fetchExcerpts(key: string, query: string, seqs: number[]): Promise<void> {
  const { document, session } = store.getState()
  const opened = valueOf(document.opened)
  if (!opened) return
  awaited.add(key)
  try {
    const request = { key: opened.key, session: session.index, query, seqs }
    const { excerpts } = await host().call('session.excerpts', request)
    const { find: found } = store.getState().view
    if (found?.asked !== query) return
    const known = new Map(found.excerpts)
    for (const excerpt of excerpts) known.set(excerpt.seq, excerpt)
    patchFind({ excerpts: known })
  } catch {
    // A result without its text stays a line with its turn; the next look asks again.
  } finally {
    awaited.delete(key)
  }
}
