import { useMemo, useState } from 'react'
import type { Matrix } from '../../../core/engine/schema/lab.ts'
import { domainNames } from '../../app/selectors.ts'
import { useApp } from '../../app/use-store.ts'
import { counted } from '../../ui/format.ts'
import type { StudyProps } from './study-props.ts'
import type { Measure } from './matrix-draw.ts'
import { MatrixGrid } from './matrix-grid.tsx'
import { Studied } from './studied.tsx'
import { askCall, useAbout, useAnswer } from './use-answer.ts'

const MEASURES: Readonly<Record<Measure, { readonly word: string; readonly about: string }>> = {
  both: { word: 'Overlap', about: 'Turns on which both fired' },
  conflict: {
    word: 'Conflict',
    about: 'Both fired, for different domains, and the column’s domain won the turn',
  },
}
const BY = ['domains', 'signals'] as const
type By = (typeof BY)[number]

/** Domains or signals against each other: what fires together and who loses. Every cell opens its turns. */
export function MatrixView({ onBehind }: StudyProps) {
  const about = useAbout()
  const names = useApp(domainNames)
  const [by, setBy] = useState<By>('domains')
  const [measure, setMeasure] = useState<Measure>('both')
  const [chosen, setDomain] = useState<string | null>(null)
  // All signals at once would be a carpet: one domain and what fires beside it.
  const domain = by === 'signals' ? (chosen ?? names[0] ?? null) : null
  const ask = useMemo(
    () =>
      about
        ? askCall('lab.matrix', { ...about, by, domain: domain === ALL ? null : domain })
        : null,
    [about, by, domain],
  )
  const asked = useAnswer(ask)
  const show = (matrix: Matrix, row: number, column: number) => {
    const [from = '', to = ''] = [matrix.names[row], matrix.names[column]]
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
          names={BY}
          value={by}
          words={(name) => name}
          onChoose={setBy}
        />
        <Switch
          label="Cells"
          names={['both', 'conflict'] as const}
          value={measure}
          words={(name) => MEASURES[name].word}
          onChoose={setMeasure}
        />
        {by === 'signals' && (
          <label className="inline-field">
            <span>of</span>
            <select
              className="field"
              value={domain ?? ''}
              onChange={(event) => setDomain(event.target.value)}
            >
              {names.map((name) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
              <option value={ALL}>all domains</option>
            </select>
          </label>
        )}
        <span className="quiet truncate">{MEASURES[measure].about}</span>
      </div>
      <Studied asked={asked} idle="Counting what fires together">
        {(matrix) =>
          matrix.names.length === 0 ? (
            <p className="list-empty quiet">Nothing fires.</p>
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

interface SwitchProps<T extends string> {
  readonly label: string
  readonly names: readonly T[]
  readonly value: T
  readonly words: (name: T) => string
  readonly onChoose: (name: T) => void
}

function Switch<T extends string>({ label, names, value, words, onChoose }: SwitchProps<T>) {
  return (
    <div className="switch" role="group" aria-label={label}>
      {names.map((name) => (
        <button
          key={name}
          type="button"
          aria-pressed={value === name}
          onClick={() => onChoose(name)}
        >
          {words(name)}
        </button>
      ))}
    </div>
  )
}
