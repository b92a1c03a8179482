import { type ReactNode, useMemo, useState } from 'react'
import type { SessionDiff } from '../../../core/engine/schema/compare.ts'
import type { FlipReport } from '../../../core/engine/schema/lab.ts'
import { Empty } from '../../ui/answered.tsx'
import { Button } from '../../ui/button.tsx'
import { count } from '../../ui/format.ts'
import { shortName } from '../../ui/visible.ts'
import type { FlipSource } from '../../stores/flips/flip-source.ts'
import { FlipSwitch } from '../../views/flips/flip-switch.tsx'
import { ReportList } from '../../views/flips/report-list.tsx'
import { flipGroups } from '../../stores/flips/flips.ts'
import { type FlipFilter, useLab } from '../../stores/lab/store.ts'
import { CellMatrix, type Pair } from './cell-matrix.tsx'

const NONE: ReadonlySet<string> = new Set()

interface Props {
  readonly report: FlipReport | SessionDiff
  readonly source: FlipSource | null
  /** Text shown if nothing flips. */
  readonly none: string
  /** Content next to the flips. */
  readonly children: ReactNode
}

/** Facts on the left; the matrix, and the turns of a cell or a kind, on the right. */
export function Compared({ report, source, none, children }: Props) {
  const [filter, setFilter] = useState<FlipFilter>('all')
  const [pair, setPair] = useState<Pair | null>(null)
  const current = useLab((state) => state.flipsView.current)
  // Another source fetches the rows again, so the same source must stay the same object.
  // oxlint-disable-next-line react/exhaustive-deps -- its key says all that it is
  const steady = useMemo(() => source, [source?.key])
  const shown = useMemo(() => {
    const flips = pair
      ? report.flips.filter(
          ({ before, after }) => before.primary === pair.from && after.primary === pair.to,
        )
      : report.flips
    return { flips }
  }, [report, pair])
  const by = steady?.isCorpus === true ? 'session' : 'cause'
  const groups = useMemo(() => flipGroups(shown, filter, by, NONE), [shown, filter, by])
  return (
    <div className="compared fill">
      <div className="compared-side content-start stack scroll text-s line-end pad-12">
        {children}
      </div>
      <div className="compared-list shrink-y column">
        {report.cells.length > 0 && (
          <CellMatrix cells={report.cells} chosen={pair} onChoose={setPair} />
        )}
        <div className="compared-filter row wrap gap-8 line-below">
          <FlipSwitch
            label="Differences listed"
            report={report}
            value={filter}
            onChoose={setFilter}
          />
          {pair && (
            <Button kind="link" onClick={() => setPair(null)}>
              only {shortName(pair.from)} → {shortName(pair.to)}: show all
            </Button>
          )}
          {report.flips.length < report.total && (
            <span className="quiet">the first {count(report.flips.length)}</span>
          )}
        </div>
        {groups.length === 0 || steady === null ? (
          <Empty>{report.total === 0 ? none : 'None of this kind.'}</Empty>
        ) : (
          <ReportList
            groups={groups}
            current={current}
            source={steady}
            accepted={NONE}
            acceptable={false}
          />
        )}
      </div>
    </div>
  )
}
