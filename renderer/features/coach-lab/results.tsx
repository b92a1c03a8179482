import { useMemo, useState } from 'react'
import { type AsyncData, valueOf } from '../../app/async-data.ts'
import type { LabResult, Scope } from './state.ts'
import { count, counted } from '../../ui/format.ts'
import { FAILURE_TITLES } from '../coach/words.ts'
import { FailureNote } from '../../ui/failure-note.tsx'
import { InspectorSkeleton } from '../../app/inspector-skeleton.tsx'
import { type Filter, isHarmful, shows } from './filter.ts'
import { LabRows } from './rows.tsx'
import { Matrix, Scores } from './score.tsx'

interface Props {
  readonly result: AsyncData<LabResult>
  readonly changed: boolean
  readonly scope: Scope
}

/** Right side: how the draft agrees with labels and with the files on disk, then the rows. */
export function LabResults({ result, changed, scope }: Props) {
  const value = valueOf(result)
  if (result.status === 'failed') return <FailureNote failure={result.failure} />
  if (!value) return <InspectorSkeleton />
  const stale = result.status === 'loading'
  return (
    <div className={stale ? 'column fill stale' : 'column fill'} aria-busy={stale}>
      {value.failure && (
        <FailureNote
          failure={{
            what: FAILURE_TITLES[value.failure.kind],
            where: value.failure.what,
            do: value.failure.do,
          }}
        />
      )}
      {value.rows.length === 0 ? (
        <Nothing scope={scope} problem={value.problem} />
      ) : (
        <Judged value={value} changed={changed} scope={scope} />
      )}
    </div>
  )
}

function Judged({ value, scope, ...rest }: Omit<Props, 'result'> & { readonly value: LabResult }) {
  // A draft against the files on disk, or this prompt against what was said under earlier ones.
  const changed = rest.changed || (value.against === 'earlier' && (value.before?.labelled ?? 0) > 0)
  const [chosen, setFilter] = useState<Filter | null>(null)
  const hasChanged = changed && value.changed > 0
  const filter = useMemo((): Filter => {
    if (scope === 'selected') return { kind: 'all' }
    return chosen ?? { kind: hasChanged ? 'changed' : 'wrong' }
  }, [scope, chosen, hasChanged])
  const rows = useMemo(
    () => value.rows.flatMap((row, at) => (shows(filter, row) ? [{ ...row, at }] : [])),
    [value.rows, filter],
  )
  return (
    <>
      {value.score.labelled > 0 && (
        <div className="lab-top stack no-shrink scroll pad">
          <Scores
            score={value.score}
            before={changed ? value.before : null}
            against={value.against}
          />
          <Matrix score={value.score} filter={filter} onFilter={setFilter} />
        </div>
      )}
      {scope !== 'selected' && <Filters {...{ value, filter, setFilter, changed }} />}
      <LabRows rows={rows} empty={emptyText(filter)} />
    </>
  )
}

function emptyText(filter: Filter): string {
  if (filter.kind === 'changed') return 'No verdict changes.'
  if (filter.kind === 'harmful') return 'No harmful verdict.'
  if (filter.kind === 'wrong') return 'Every verdict is as its label says.'
  return 'No row.'
}

function Nothing({ scope, problem }: { readonly scope: Scope; readonly problem: string | null }) {
  if (problem !== null)
    return (
      <div className="inspector-empty">
        <h2>This draft cannot be run</h2>
        <p>{problem}</p>
      </div>
    )
  return (
    <div className="inspector-empty">
      <h2>No labelled output</h2>
      <p>
        {scope === 'session'
          ? 'Nobody has labelled an output of this transcript. Give labels in the inspector’s Coach tab; they appear here at once.'
          : 'There is no labelled output in this workspace.'}
      </p>
    </div>
  )
}

const AGAINST = { disk: 'by the draft', earlier: 'since earlier prompts' } as const

interface FiltersProps {
  readonly value: LabResult
  readonly filter: Filter
  readonly setFilter: (filter: Filter) => void
  readonly changed: boolean
}

function Filters({ value, filter, setFilter, changed }: FiltersProps) {
  const wrong = value.rows.filter((row) => shows({ kind: 'wrong' }, row)).length
  const bad = value.rows.filter(isHarmful).length
  const buttons = [
    ['changed', `Changed ${count(value.changed)}`, 'Verdicts that differ from before'],
    ['wrong', `Against the label ${count(wrong)}`, 'Verdicts that are not what the label says'],
    [
      'harmful',
      `Harmful ${count(bad)}`,
      'Rejects that were passed, and questions that were continued',
    ],
    ['all', `All ${count(value.rows.length)}`, 'Every row'],
  ] as const
  return (
    <div className="row wrap no-shrink text-s line-above pad-8-16">
      <div className="switch" role="group" aria-label="Rows">
        {buttons.map(([kind, words, about]) => (
          <button
            key={kind}
            type="button"
            aria-pressed={filter.kind === kind}
            title={about}
            onClick={() => setFilter({ kind })}
          >
            {words}
          </button>
        ))}
      </div>
      {filter.kind === 'cell' && (
        <span className="quiet">
          labelled {filter.label}, judged {filter.verdict}
        </span>
      )}
      <span className="grow" />
      <span className="quiet num">
        {changed
          ? `${counted(value.changed, 'verdict')} of ${count(value.rows.length)} changed ${AGAINST[value.against]}`
          : 'no draft: the files on disk'}
      </span>
    </div>
  )
}
