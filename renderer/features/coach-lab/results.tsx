import { useMemo, useState } from 'react'
import type { AsyncData } from '../../app/async-data.ts'
import { Answered, Empty } from '../../ui/answered.tsx'
import { Switch } from '../../ui/button.tsx'
import { count, counted } from '../../ui/format.ts'
import { CoachProblem } from '../../views/coach/cost-line.tsx'
import { LabRows } from './rows.tsx'
import { Matrix, Scores } from './score.tsx'
import { type Filter, type LabResult, type Scope, isHarmful, shows } from './state.ts'

interface Props {
  readonly result: AsyncData<LabResult>
  readonly changed: boolean
  readonly scope: Scope
}

/** Right side: how the draft agrees with labels and with the files on disk, then the rows. */
export function LabResults({ result, changed, scope }: Props) {
  const busy = result.status === 'loading'
  return (
    <Answered data={result} stale={() => busy} className="column fill">
      {(value) => (
        <>
          {value.failure && <CoachProblem failure={value.failure} />}
          {value.rows.length === 0 ? (
            <Nothing scope={scope} problem={value.problem} />
          ) : (
            <Judged value={value} changed={changed} scope={scope} />
          )}
        </>
      )}
    </Answered>
  )
}

function Judged({ value, scope, ...rest }: Omit<Props, 'result'> & { readonly value: LabResult }) {
  // Compares a draft with the files on disk, or this prompt's verdicts with those of earlier prompts.
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
            basis={value.basis}
          />
          <Matrix score={value.score} filter={filter} onFilter={setFilter} />
        </div>
      )}
      {scope !== 'selected' && (
        <Filters value={value} filter={filter} setFilter={setFilter} changed={changed} />
      )}
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
      <Empty of="inspector" title="This draft cannot be run">
        <p>{problem}</p>
      </Empty>
    )
  return (
    <Empty of="inspector" title="No labelled output">
      <p>
        {scope === 'session'
          ? 'No output of this transcript is labelled. Give labels in the inspector’s Coach tab; they appear here at once.'
          : 'There is no labelled output in this workspace.'}
      </p>
    </Empty>
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
  const buttons: ReadonlyArray<readonly [Filter['kind'], string, string]> = [
    ['changed', `Changed ${count(value.changed)}`, 'Verdicts that differ from before'],
    ['wrong', `Against the label ${count(wrong)}`, 'Verdicts that are not what the label says'],
    [
      'harmful',
      `Harmful ${count(bad)}`,
      'Rejects that were passed, and questions that were continued',
    ],
    ['all', `All ${count(value.rows.length)}`, 'Every row'],
  ]
  return (
    <div className="row wrap no-shrink text-s line-above pad-8-16">
      <Switch
        label="Rows"
        options={buttons}
        value={filter.kind}
        onChoose={(kind) => {
          if (kind !== 'cell') setFilter({ kind })
        }}
      />
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
