import { Check, ChevronDown, ChevronUp } from 'lucide-react'
import { valueOf } from '../../app/async-data.ts'
import {
  acceptKey,
  flipGroups,
  flipKey,
  groupsInView,
  patchFlipsView,
  stepFlip,
  toggleAccepted,
} from './state.ts'
import { isChanged } from '../dock/sides.ts'
import { type FlipFilter, FLIP_FILTERS, lab, useLab } from '../dock/store.ts'
import type { FlipReport } from '../../../core/engine/schema/lab.ts'
import { count, counted } from '../../ui/format.ts'
import { FailureNote } from '../../ui/failure-note.tsx'
import { ReportList } from './report-list.tsx'
import './flips.css'

const NONE: ReadonlySet<string> = new Set()

/** What the draft changes: every turn that it decides differently, and why. */
export function FlipsPanel() {
  const data = useLab((state) => state.flips)
  const changed = useLab(isChanged)
  const broken = useLab(({ problems }) => problems.some(({ severity }) => severity === 'error'))
  const report = valueOf(data)
  return (
    <section
      className="flips column full-height"
      aria-label="Flips"
      aria-busy={data.status === 'loading'}
    >
      {data.status === 'failed' && <FailureNote failure={data.failure} />}
      {broken && (
        <p className="notice" role="status">
          The draft has an error: these are the flips of its last good state.
        </p>
      )}
      {!changed ? (
        <NoDraft />
      ) : report ? (
        <Report report={report} />
      ) : (
        <p className="list-empty quiet">Computing …</p>
      )}
    </section>
  )
}

function NoDraft() {
  return (
    <div className="dock-empty">
      <h2>No draft, no flips</h2>
      <p>
        Edit a signal under Tune (<kbd>T</kbd>) or try another option under Lab, What-if (
        <kbd>h</kbd>): every turn that would be decided differently is listed here.
      </p>
    </div>
  )
}

function Report({ report }: { readonly report: FlipReport }) {
  const view = useLab((state) => state.flipsView)
  const hidden = view.showAccepted ? NONE : view.accepted
  const groups = flipGroups(report, view.filter, view.group, hidden)
  const accepted = report.flips.filter((flip) => view.accepted.has(acceptKey(flip))).length
  return (
    <>
      <Toolbar report={report} accepted={accepted} />
      {report.flips.length < report.total && (
        <p className="notice">
          Listed: the first {count(report.flips.length)} of {count(report.total)}.
        </p>
      )}
      {groups.length === 0 ? (
        <p className="list-empty quiet">{emptyWords(report, accepted)}</p>
      ) : (
        <ReportList groups={groups} current={view.current} accepted={view.accepted} />
      )}
    </>
  )
}

function emptyWords(report: FlipReport, accepted: number): string {
  if (report.total === 0)
    return `The draft decides all ${count(report.turns)} turns as the saved file does.`
  if (accepted > 0 && accepted === report.total) return 'All flips are accepted.'
  return 'No flip of this kind.'
}

const WORDS: Readonly<Record<FlipFilter, string>> = {
  all: 'All',
  direct: 'Direct',
  momentum: 'By momentum',
  fixed: 'Fixed',
  broken: 'Broken',
}

function Toolbar({ report, accepted }: { readonly report: FlipReport; readonly accepted: number }) {
  const { filter, group, showAccepted } = useLab((state) => state.flipsView)
  const numbers: Record<FlipFilter, number> = {
    all: report.total,
    direct: report.direct,
    momentum: report.momentum,
    fixed: report.fixed,
    broken: report.broken,
  }
  return (
    <div className="toolbar">
      <div className="switch" role="group" aria-label="Flips listed">
        {FLIP_FILTERS.map((name) => (
          <button
            key={name}
            type="button"
            aria-pressed={filter === name}
            onClick={() => patchFlipsView({ filter: name })}
          >
            {WORDS[name]} <span className="num quiet">{count(numbers[name])}</span>
          </button>
        ))}
      </div>
      <div className="switch" role="group" aria-label="Grouped by">
        {(['cause', 'session'] as const).map((name) => (
          <button
            key={name}
            type="button"
            aria-pressed={group === name}
            onClick={() => patchFlipsView({ group: name })}
          >
            By {name}
          </button>
        ))}
      </div>
      <span className="grow" />
      {accepted > 0 && (
        <button
          type="button"
          className="link"
          aria-pressed={showAccepted}
          onClick={() => patchFlipsView({ showAccepted: !showAccepted })}
        >
          {counted(accepted, 'flip')} accepted, {showAccepted ? 'hide' : 'show'}
        </button>
      )}
      <button
        type="button"
        className="button button-small"
        title="Accept the flip that you stand on; again: take it back (Enter goes to its turn)"
        onClick={acceptCurrent}
      >
        <Check size={13} aria-hidden /> Accept
      </button>
      <button
        type="button"
        className="icon-button"
        aria-label="Previous flip"
        title="Previous flip (p)"
        onClick={() => stepFlip(-1)}
      >
        <ChevronUp size={15} aria-hidden />
      </button>
      <button
        type="button"
        className="icon-button"
        aria-label="Next flip"
        title="Next flip (n)"
        onClick={() => stepFlip(1)}
      >
        <ChevronDown size={15} aria-hidden />
      </button>
    </div>
  )
}

/** Accepts the current flip and goes on to the next. */
function acceptCurrent(): void {
  const { current } = lab.getState().flipsView
  const flip = groupsInView()
    .flatMap(({ flips }) => flips)
    .find((one) => flipKey(one) === current)
  if (!flip) return
  stepFlip(1)
  toggleAccepted([flip])
}
