import { ArrowLeftRight } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { FlipReport } from '../../../core/engine/schema/lab.ts'
import { valueOf } from '../../app/async-data.ts'
import { stream } from '../../app/question.ts'
import { useQuery } from '../../app/use-query.ts'
import { useApp } from '../../app/use-store.ts'
import { Empty } from '../../ui/answered.tsx'
import { IconButton } from '../../ui/button.tsx'
import { count, counted } from '../../ui/format.ts'
import { FlipSwitch } from '../flips/flips.tsx'
import { ReportList } from '../flips/report-list.tsx'
import { flipGroups } from '../flips/state.ts'
import { type FlipFilter, useLab } from '../lab-corpus/store.ts'
import { MetricTable } from '../lab/metric-table.tsx'
import { Studied } from '../lab/studied.tsx'
import { LAB, useLabStatus } from '../lab/use-study.ts'
import { SidePicker } from './side-picker.tsx'
import { sideOf } from './state.ts'

const NONE: ReadonlySet<string> = new Set()

/** Two configurations over the whole corpus: metrics side by side, and every turn that differs. */
export function ComparePanel() {
  const [base, setBase] = useState('now')
  const [side, setSide] = useState('')
  const corpus = useLab((state) => valueOf(state.corpus)?.corpus ?? null)
  const draft = useLab((state) => state)
  const run = useApp((state) => state.view.run)
  const of = useLabStatus()
  const [a, b] = [sideOf(base, run, draft), sideOf(side, run, draft)]
  const question =
    corpus !== null && a && b
      ? stream('lab.flips', { corpus, base: a, side: b }, { ...LAB, of })
      : null
  const asked = useQuery(question)
  return (
    <section className="compare column full-height" aria-label="Compare">
      <div className="toolbar">
        <SidePicker label="Base" value={base} onChoose={setBase} />
        <IconButton
          icon={ArrowLeftRight}
          name="Swap the sides"
          disabled={side === ''}
          onClick={() => {
            setBase(side)
            setSide(base)
          }}
        />
        <SidePicker label="Compared with" value={side} onChoose={setSide} />
      </div>
      {question === null ? (
        <Empty of="dock" title="Choose the other side">
          <p>
            A preset, another domain file, a revision of it in git, or the draft: every turn of the
            corpus that the two decide differently is listed, with the reason.
          </p>
        </Empty>
      ) : (
        <Studied asked={asked} idle="Comparing">
          {({ report, problems }) =>
            report ? (
              <Compared report={report} />
            ) : (
              <p className="notice" role="alert">
                {problems[0]?.what ?? 'One of the sides could not be read.'} {problems[0]?.do}
              </p>
            )
          }
        </Studied>
      )}
    </section>
  )
}

function Compared({ report }: { readonly report: FlipReport }) {
  const [filter, setFilter] = useState<FlipFilter>('all')
  const current = useLab((state) => state.flipsView.current)
  const groups = useMemo(() => flipGroups(report, filter, 'session', NONE), [report, filter])
  const { before, after } = report
  return (
    <div className="compared fill">
      <div className="compared-side content-start stack scroll text-s line-end pad-12">
        <p className="num">
          <strong>{count(report.total)}</strong> of {counted(report.turns, 'turn')} differ
        </p>
        {before && after && before.labelled > 0 ? (
          <MetricTable names={['base', 'other']} sides={[before, after]} />
        ) : (
          <p className="quiet">Without labels there is no better or worse, only other.</p>
        )}
      </div>
      <div className="compared-list shrink-y column">
        <FlipSwitch
          label="Differences listed"
          report={report}
          value={filter}
          onChoose={setFilter}
        />
        {groups.length === 0 ? (
          <Empty>
            {report.total === 0 ? 'Both sides decide every turn alike.' : 'None of this kind.'}
          </Empty>
        ) : (
          <ReportList groups={groups} current={current} accepted={NONE} acceptable={false} />
        )}
      </div>
    </div>
  )
}
