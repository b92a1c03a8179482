import { useEffect } from 'react'
import type { LineProblem } from '../../../core/engine/schema/session.ts'
import { valueOf } from '../../app/async-data.ts'
import { loadProblems, placeOfProblem, showBadLine } from './problems.ts'
import { useApp } from '../../app/use-store.ts'
import { Chip } from '../../ui/bits.tsx'
import { bytes, count, counted } from '../../ui/format.ts'
import { Modal } from '../../ui/modal.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { InspectorSkeleton } from '../../app/inspector-skeleton.tsx'
import './problems.css'

/** The lines that could not be used: where, why, and their bytes. */
export function ProblemsDialog({ onClose }: { readonly onClose: () => void }) {
  const name = useApp((state) => valueOf(state.document.opened)?.name ?? 'this file')
  return (
    <Modal
      title={`Lines of ${name} that could not be read`}
      className="modal-wide"
      onClose={onClose}
    >
      <ProblemList />
    </Modal>
  )
}

export function ProblemList() {
  const problems = useApp((state) => state.document.problems)
  useEffect(() => {
    void loadProblems()
  }, [])
  if (problems.status === 'failed') return <FailureNote failure={problems.failure} />
  const value = valueOf(problems)
  if (!value) return <InspectorSkeleton />
  return (
    <>
      <p className="text-s pad quiet">
        Everything else was loaded. {counted(value.total, 'line')}{' '}
        {value.total === 1 ? 'was' : 'were'} left out
        {value.total > value.problems.length &&
          `; the first ${count(value.problems.length)} are listed`}
        .
      </p>
      <ul className="problems scroll">
        {value.problems.map((problem) => (
          <ProblemRow key={placeOfProblem(problem)} problem={problem} />
        ))}
      </ul>
    </>
  )
}

function ProblemRow({ problem }: { readonly problem: LineProblem }) {
  const bad = useApp((state) => valueOf(state.view.badLine))
  const open = bad?.place === placeOfProblem(problem)
  const file = useApp((state) => valueOf(state.document.opened)?.files[problem.file ?? -1])
  return (
    <li className="problem line-above pad-y-8">
      <button
        type="button"
        className="problem-head row text-s full-width"
        aria-expanded={open}
        onClick={() => void showBadLine(problem)}
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
      </button>
      {open ? (
        <pre className="block" tabIndex={0} aria-label={`Bytes of line ${problem.line}`}>
          {bad.text}
        </pre>
      ) : (
        <p className="mono quiet truncate problem-preview">{problem.preview}</p>
      )}
    </li>
  )
}
