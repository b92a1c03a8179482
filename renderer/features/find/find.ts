import { createAsking } from '../../app/asking.ts'
import type { Link } from '../../app/link.ts'
import { createQuery } from '../../app/query.ts'
import { type Answer, call } from '../../app/question.ts'
import { selectSeq } from '../../app/select.ts'
import { firstAtOrAfter } from '../../ui/sorted.ts'
import { patchView, store } from '../../app/store.ts'
import { sessionAddress, wireConfigs } from '../../app/wire.ts'
import { type Find, emptyFind } from '../../app/find-state.ts'

/** A search of the session in view; null when there is nothing to search. */
export function searching(query: string) {
  const address = sessionAddress()
  if (!address || query.trim() === '') return null
  const input = { ...address, query, ...wireConfigs(store.getState().view) }
  return call('session.find', input, { where: 'Find' })
}

const search = createQuery<Answer<'session.find'>>()

/** Changes the state of the find box; does nothing if it is closed. */
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

/** Repeats the query after the session has changed, because it grew or another preset decides. */
export async function findAgain(): Promise<void> {
  const { find: found } = store.getState().view
  if (!found || found.query === '' || found.scope !== 'session') return
  const isFirst = found.asked === ''
  if (await ask()) patchFind({ at: nearest() })
  if (isFirst && found.only) goTo(nearest())
}

/** True when there is a new answer. */
async function ask(): Promise<boolean> {
  search.show(null)
  const { find: found } = store.getState().view
  if (!found) return false
  const { query: asked } = found
  const question = searching(asked)
  if (!question) {
    if (asked.trim() === '')
      patchFind({ seqs: [], more: false, at: -1, asked, problem: null, cutOff: 0 })
    return false
  }
  await search.ask(question)
  const data = search.get()
  if (data.status === 'failed')
    patchFind({ asked, problem: data.failure, seqs: [], more: false, at: -1 })
  // A later search may be under way already.
  if (data.status !== 'ready') return false
  const { seqs, more, problem, cutOff } = data.value
  const other = found.asked === asked ? {} : { excerpts: new Map() }
  patchFind({ seqs, more, cutOff, asked, problem, at: -1, ...other })
  return true
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
  const { find: found } = store.getState().view
  const seq = found?.seqs[at]
  if (!found || seq === undefined) return
  selectSeq(seq, { find: { ...found, at } })
}

/** Moves to the next or previous result, with wrap-around. Starts at the selection if that is no result. */
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

/** @param panel whether to show the results next to the list */
export function openFind(panel = true): void {
  const { find: found } = store.getState().view
  if (!found) patchView({ find: { ...emptyFind, panel } })
}

export function closeFind(): void {
  search.show(null)
  patchView({ find: null })
}

const AT_ONCE = 40
const excerpting = createAsking()

/** Fetches the text around results `from` to `to` (places in the list, inclusive) that is not here yet. */
export function ensureExcerpts(from: number, to: number): void {
  const { find: found } = store.getState().view
  if (!found || found.asked !== found.query) return
  const first = Math.max(0, Math.floor(from / AT_ONCE)) * AT_ONCE
  for (let at = first; at <= to && at < found.seqs.length; at += AT_ONCE) {
    const seqs = found.seqs.slice(at, at + AT_ONCE).filter((seq) => !found.excerpts.has(seq))
    if (seqs.length > 0) fetchExcerpts(found.query, seqs)
  }
}

/** A result without its text stays a line with its turn; the next look asks again. */
function fetchExcerpts(query: string, seqs: number[]): void {
  const address = sessionAddress()
  if (!address) return
  const question = call('session.excerpts', { ...address, query, seqs }, { where: 'Find' })
  void excerpting.once(question, {
    answer: ({ excerpts }) => {
      const { find: found } = store.getState().view
      if (found?.asked !== query) return
      const known = new Map(found.excerpts)
      for (const excerpt of excerpts) known.set(excerpt.seq, excerpt)
      patchFind({ excerpts: known })
    },
  })
}

/** A link in the session in view: another query, or none. */
export function goToFind({ find: query, only, scope }: Link): void {
  const { find: found } = store.getState().view
  if (query === null) {
    if (found !== null && found.query !== '') closeFind()
    return
  }
  if (found?.query === query && found.only === only && found.scope === scope) return
  patchView({ find: { ...(found ?? emptyFind), query, only, scope } })
  void findAgain()
}
