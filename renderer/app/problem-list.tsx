import { useEffect } from 'react'
import type { LineProblem } from '../../core/engine/schema/session.ts'
import { valueOf } from './async-data.ts'
import { createQuery } from './query.ts'
import { call, mapped } from './question.ts'
import { documentPlace, store, viewPlace } from './store.ts'
import { useApp } from './use-store.ts'
import { Answered } from '../ui/answered.tsx'
import { Pressable } from '../ui/button.tsx'
import { bytes, count, counted } from '../ui/format.ts'
import { Block, Chip } from '../ui/parts.tsx'

const problems = createQuery({ place: documentPlace('problems') })

/** Loads the list of lines that could not be used. */
function loadProblems(): void {
  const opened = valueOf(store.getState().document.opened)
  if (!opened) return
  const { key, name, problems: count } = opened
  problems.show(call('session.problems', { key }, { where: name, of: String(count) }))
}

/** Names a problem: files that were read together may each have one at the same byte. */
function placeOfProblem({ file, offset }: Pick<LineProblem, 'file' | 'offset'>): string {
  return `${file ?? ''}:${offset}`
}

const badLine = createQuery({ place: viewPlace('badLine') })

/** Reads the bytes of one of those lines; asking for the one shown hides it. */
function showBadLine(problem: LineProblem): void {
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

/** Lines that could not be used: where, why, and their bytes. */
export function ProblemList() {
  const problems = useApp((state) => state.document.problems)
  useEffect(() => {
    loadProblems()
  }, [])
  return (
    <Answered data={problems}>
      {({ total, problems: listed }) => (
        <>
          <p className="text-s pad quiet">
            Everything else was loaded. {counted(total, 'line')} {total === 1 ? 'was' : 'were'} left
            out
            {total > listed.length && `; the first ${count(listed.length)} are listed`}.
          </p>
          <ul className="problems scroll">
            {listed.map((problem) => (
              <ProblemRow key={placeOfProblem(problem)} problem={problem} />
            ))}
          </ul>
        </>
      )}
    </Answered>
  )
}

function ProblemRow({ problem }: { readonly problem: LineProblem }) {
  const bad = useApp((state) => valueOf(state.view.badLine))
  const open = bad?.place === placeOfProblem(problem)
  const file = useApp((state) => valueOf(state.document.opened)?.files[problem.file ?? -1])
  return (
    <li className="problem line-above pad-y-8">
      <Pressable
        className="problem-head row text-s full-width"
        aria-expanded={open}
        onClick={() => showBadLine(problem)}
      >
        <span className="num problem-line no-shrink medium accent">line {count(problem.line)}</span>
        <Chip tone="bad">{problem.code.replaceAll('_', ' ')}</Chip>
        <span className="grow truncate">
          {problem.message}
          {file !== undefined && ` · ${file}`}
        </span>
        <span className="quiet num">
          byte {count(problem.offset)} · {bytes(problem.length)}
        </span>
      </Pressable>
      {open ? (
        <Block label={`Bytes of line ${problem.line}`}>{bad.text}</Block>
      ) : (
        <p className="mono quiet truncate problem-preview">{problem.preview}</p>
      )}
    </li>
  )
}
