import type { LineProblem } from '../../../core/engine/schema/session.ts'
import { valueOf } from '../../app/async-data.ts'
import { createQuery } from '../../app/query.ts'
import { call, mapped } from '../../app/question.ts'
import { documentPlace, viewPlace, store } from '../../app/store.ts'

const problems = createQuery({
  place: documentPlace('problems'),
})

/** Loads the list of lines that could not be used. */
export function loadProblems(): void {
  const opened = valueOf(store.getState().document.opened)
  if (!opened) return
  const { key, name, problems: count } = opened
  problems.show(call('session.problems', { key }, { where: name, of: String(count) }))
}

/** Names a problem: files that were read together may each have one at the same byte. */
export function placeOfProblem({ file, offset }: Pick<LineProblem, 'file' | 'offset'>): string {
  return `${file ?? ''}:${offset}`
}

const badLine = createQuery({
  place: viewPlace('badLine'),
})

/** Reads the bytes of one of those lines; asking for the one shown hides it. */
export function showBadLine(problem: LineProblem): void {
  const { document, view } = store.getState()
  const opened = valueOf(document.opened)
  if (!opened) return
  const place = placeOfProblem(problem)
  badLine.show(null)
  if (valueOf(view.badLine)?.place === place) return
  const { file, offset, length } = problem
  const where = { key: opened.key, offset, length, ...(file === undefined ? {} : { file }) }
  const question = call('session.line', where, { where: opened.name })
  void badLine.ask(
    mapped(question, ({ text, truncated }) => ({ place, text: text + (truncated ? ' …' : '') })),
  )
}
