import { useState } from 'react'
import type { Matrix } from '../../../core/engine/schema/lab.ts'
import { call } from '../../app/question.ts'
import { domainNames } from '../../app/selectors.ts'
import { useApp } from '../../app/use-store.ts'
import { Empty } from '../../ui/answered.tsx'
import { Switch } from '../../ui/button.tsx'
import { Select } from '../../ui/form.tsx'
import { counted } from '../../ui/format.ts'
import type { Measure } from './matrix-draw.ts'
import { MatrixGrid } from './matrix-grid.tsx'
import { type StudyProps, LAB, Studied, useStudy } from '../../views/lab/studied.tsx'

const MEASURES: Readonly<Record<Measure, { readonly word: string; readonly about: string }>> = {
  both: { word: 'Overlap', about: 'Turns on which both fired' },
  conflict: {
    word: 'Conflict',
    about: 'Both fired, for different domains, and the column’s domain won the turn',
  },
}
const CELLS = ['both', 'conflict'] as const
const BY = ['domains', 'signals'] as const
type By = (typeof BY)[number]

/** Domains or signals against each other: what fires together and who loses. Every cell opens its turns. */
export function MatrixView({ onBehind }: StudyProps) {
  const names = useApp(domainNames)
  const [by, setBy] = useState<By>('domains')
  const [measure, setMeasure] = useState<Measure>('both')
  const [chosen, setDomain] = useState<string | null>(null)
  // Shows one domain and the signals that fire with it, because all signals at a time would be unreadable.
  const domain = by === 'signals' ? (chosen ?? names[0] ?? null) : null
  const asked = useStudy((about) =>
    call('lab.matrix', { ...about, by, domain: domain === ALL ? null : domain }, LAB),
  )
  const show = (matrix: Matrix, row: number, column: number) => {
    const from = matrix.names[row] ?? ''
    const to = matrix.names[column] ?? ''
    const same = row === column
    onBehind({
      title: same ? `${from} fired` : `${from} × ${to}, ${MEASURES[measure].word.toLowerCase()}`,
      cell:
        measure === 'conflict' && !same
          ? { kind: 'conflict', row: from, column: to }
          : { kind: by, row: from, column: to },
    })
  }
  return (
    <>
      <div className="panel-bar">
        <Switch
          label="Rows and columns"
          options={BY.map((name) => [name, name])}
          value={by}
          onChoose={setBy}
        />
        <Switch
          label="Cells"
          options={CELLS.map((name) => [name, MEASURES[name].word])}
          value={measure}
          onChoose={setMeasure}
        />
        {by === 'signals' && (
          <Select
            label="of"
            value={domain ?? ''}
            options={[...names, ALL]}
            words={(name) => (name === ALL ? 'all domains' : name)}
            onChoose={setDomain}
          />
        )}
        <span className="quiet truncate">{MEASURES[measure].about}</span>
      </div>
      <Studied asked={asked} idle="Counting what fires together">
        {(matrix) =>
          matrix.names.length === 0 ? (
            <Empty>Nothing fires.</Empty>
          ) : (
            <MatrixGrid
              matrix={matrix}
              measure={measure}
              about={counted(matrix.names.length, by === 'domains' ? 'domain' : 'signal')}
              onOpen={(row, column) => show(matrix, row, column)}
            />
          )
        }
      </Studied>
    </>
  )
}

const ALL = ' all'
