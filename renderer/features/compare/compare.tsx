import { ArrowLeftRight } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { FlipReport } from '../../../core/engine/schema/lab.ts'
import { valueOf } from '../../app/async-data.ts'
import { sideOf } from './state.ts'
import { flipGroups } from '../flips/state.ts'
import { type FlipFilter, lab, useLab } from '../dock/store.ts'
import { runKey, store } from '../../app/store.ts'
import { useApp } from '../../app/use-store.ts'
import { count, counted } from '../../ui/format.ts'
import { ReportList } from '../flips/report-list.tsx'
import { MetricTable } from '../lab/metric-table.tsx'
import { Studied } from '../lab/studied.tsx'
import { askStream, useAnswer } from '../lab/use-answer.ts'
import { SidePicker } from './side-picker.tsx'
import './compare.css'

const NONE: ReadonlySet<string> = new Set()

/** Two configurations over the whole corpus: metrics side by side, and every turn that differs. */
export function ComparePanel() {
  const [base, setBase] = useState('now')
  const [side, setSide] = useState('')
  const corpus = useLab((state) => valueOf(state.corpus)?.corpus ?? null)
  const text = useLab((state) => state.text)
  const options = useLab((state) => state.options)
  const run = useApp((state) => runKey(state.view.run))
  const ask = useMemo(() => {
    const state = lab.getState()
    const { view } = store.getState()
    const [a, b] = [sideOf(base, view.run, state), sideOf(side, view.run, state)]
    return corpus !== null && a && b ? askStream('lab.flips', { corpus, base: a, side: b }) : null
    // Sides are read from the stores: they are others when any of these is.
    // eslint-disable-next-line react-hooks/exhaustive-deps -- see above
  }, [corpus, base, side, text, options, run])
  const asked = useAnswer(ask)
  return (
    <section className="compare column full-height" aria-label="Compare">
      <div className="toolbar">
        <SidePicker label="Base" value={base} onChoose={setBase} />
        <button
          type="button"
          className="icon-button"
          aria-label="Swap the sides"
          title="Swap the sides"
          disabled={side === ''}
          onClick={() => {
            setBase(side)
            setSide(base)
          }}
        >
          <ArrowLeftRight size={14} aria-hidden />
        </button>
        <SidePicker label="Compared with" value={side} onChoose={setSide} />
      </div>
      {ask === null ? (
        <div className="dock-empty">
          <h2>Choose the other side</h2>
          <p>
            A preset, another domain file, a revision of it in git, or the draft: every turn of the
            corpus that the two decide differently is listed, with the reason.
          </p>
        </div>
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

const FILTERS: ReadonlyArray<readonly [FlipFilter, string]> = [
  ['all', 'All'],
  ['direct', 'Direct'],
  ['momentum', 'By momentum'],
  ['fixed', 'Fixed'],
  ['broken', 'Broken'],
]

function Compared({ report }: { readonly report: FlipReport }) {
  const [filter, setFilter] = useState<FlipFilter>('all')
  const current = useLab((state) => state.flipsView.current)
  const groups = useMemo(() => flipGroups(report, filter, 'session', NONE), [report, filter])
  const numbers: Record<FlipFilter, number> = {
    all: report.total,
    direct: report.direct,
    momentum: report.momentum,
    fixed: report.fixed,
    broken: report.broken,
  }
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
        <div className="switch" role="group" aria-label="Differences listed">
          {FILTERS.map(([name, word]) => (
            <button
              key={name}
              type="button"
              aria-pressed={filter === name}
              onClick={() => setFilter(name)}
            >
              {word} <span className="num quiet">{count(numbers[name])}</span>
            </button>
          ))}
        </div>
        {groups.length === 0 ? (
          <p className="list-empty quiet">
            {report.total === 0 ? 'Both sides decide every turn alike.' : 'None of this kind.'}
          </p>
        ) : (
          <ReportList groups={groups} current={current} accepted={NONE} acceptable={false} />
        )}
      </div>
    </div>
  )
}
