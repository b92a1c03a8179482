import type { LineProblem } from '../../../core/engine/schema/session.ts'
import { failed, idle, loading, ready, valueOf } from '../../app/async-data.ts'
import { failureOf, host } from '../../app/host.ts'
import { patchDocument, patchView, store } from '../../app/store.ts'

/** Loads the list of lines that could not be used. */
export async function loadProblems(): Promise<void> {
  const { document } = store.getState()
  const opened = valueOf(document.opened)
  if (!opened || document.problems.status === 'ready') return
  patchDocument({ problems: loading() })
  try {
    patchDocument({ problems: ready(await host().call('session.problems', { key: opened.key })) })
  } catch (error) {
    patchDocument({ problems: failed(failureOf(error, opened.name)) })
  }
}

/** Names a problem: files that were read together may each have one at the same byte. */
export function placeOfProblem({ file, offset }: Pick<LineProblem, 'file' | 'offset'>): string {
  return `${file ?? ''}:${offset}`
}

/** Reads the bytes of one of those lines; asking for the one shown hides it. */
export async function showBadLine(problem: LineProblem): Promise<void> {
  const { document, view } = store.getState()
  const opened = valueOf(document.opened)
  if (!opened) return
  const place = placeOfProblem(problem)
  if (valueOf(view.badLine)?.place === place) {
    patchView({ badLine: idle })
    return
  }
  const { file, offset, length } = problem
  patchView({ badLine: loading() })
  try {
    const where = { key: opened.key, offset, length, ...(file === undefined ? {} : { file }) }
    const line = await host().call('session.line', where)
    patchView({ badLine: ready({ place, text: line.text + (line.truncated ? ' …' : '') }) })
  } catch (error) {
    patchView({ badLine: failed(failureOf(error, opened.name)) })
  }
}
