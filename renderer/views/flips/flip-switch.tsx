import type { ReactNode } from 'react'
import type { FlipReport } from '../../../core/engine/schema/lab.ts'
import type { FlipFilter } from '../../stores/lab/store.ts'
import { Switch } from '../../ui/button.tsx'
import { count } from '../../ui/format.ts'

const FILTERS = [
  ['all', 'All', 'total'],
  ['primary', 'Primary changed', 'primaries'],
  ['direct', 'Direct', 'direct'],
  ['momentum', 'By momentum', 'momentum'],
  ['fixed', 'Better by label', 'fixed'],
  ['broken', 'Worse by label', 'broken'],
] as const

type Counts = Pick<FlipReport, (typeof FILTERS)[number][2]>

interface SwitchProps {
  readonly label: string
  readonly report: Counts
  readonly value: FlipFilter
  readonly onChoose: (filter: FlipFilter) => void
}

/** Which flips of a report are listed, each kind with its number. */
export function FlipSwitch({ report, ...rest }: SwitchProps) {
  const options = FILTERS.map(([name, word, field]): readonly [FlipFilter, ReactNode] => [
    name,
    <>
      {word} <span className="num quiet">{count(report[field])}</span>
    </>,
  ])
  return <Switch {...rest} options={options} />
}
