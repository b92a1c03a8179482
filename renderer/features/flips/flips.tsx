import { Check, ChevronDown, ChevronUp } from 'lucide-react'
import { useMemo } from 'react'
import type { FlipReport } from '../../../core/engine/schema/lab.ts'
import { valueOf } from '../../app/async-data.ts'
import { Empty, FailureNote } from '../../ui/answered.tsx'
import { Button, IconButton, Switch } from '../../ui/button.tsx'
import { count, counted } from '../../ui/format.ts'
import { isChanged, savedSide, sideInForce } from '../../stores/lab/sides.ts'
import { lab, useLab } from '../../stores/lab/store.ts'
import { useLabStatus } from '../../views/lab/studied.tsx'
import { corpusSource, flipKey } from '../../stores/flips/flip-source.ts'
import { ReportList } from '../../views/flips/report-list.tsx'
import { SessionFlips } from './session-flips.tsx'
import {
  type FlipGroup,
  acceptKey,
  flipGroups,
  groupsInView,
  patchFlipsView,
  stepFlip,
  toggleAccepted,
} from '../../stores/flips/flips.ts'
import { FlipSwitch } from '../../views/flips/flip-switch.tsx'

const NONE: ReadonlySet<string> = new Set()

/** Effects of the draft: every turn that it decides differently, with the cause. */
export function FlipsPanel() {
  const data = useLab((state) => state.flips)
  const changed = useLab(isChanged)
  const broken = useLab(({ problems }) => problems.some(({ severity }) => severity === 'error'))
  const report = valueOf(data)
  return (
    <section
      className="flips column full-height"
      aria-label="Flips"
      aria-busy={data.status === 'loading' || isPart(report)}
    >
      {data.status === 'failed' && <FailureNote failure={data.failure} />}
      {broken && (
        <p className="notice" role="status">
          The draft has an error: these are the flips of its last good state.
        </p>
      )}
      {!changed ? <NoDraft /> : report ? <Report report={report} /> : <SessionFlips />}
    </section>
  )
}

/** [L106] The first flips are there, and more are looked for. */
function isPart(report: FlipReport | null): boolean {
  return report !== null && report.soFar !== null
}

function NoDraft() {
  return (
    <Empty of="dock" title="No draft, no flips">
      <p>
        Edit a signal under Tune (<kbd>T</kbd>) or try another option under Lab, What-if (
        <kbd>h</kbd>): every turn that would be decided differently is listed here.
      </p>
    </Empty>
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
      {report.soFar !== null && (
        <p className="notice" role="status">
          So far: {count(report.soFar)} of {count(report.turns)} turns are compared. Counts grow
          until all of them are.
        </p>
      )}
      {report.flips.length < report.total && (
        <p className="notice">
          Listed: the first {count(report.flips.length)} of {count(report.total)}.
        </p>
      )}
      {groups.length === 0 ? (
        <Empty>{emptyWords(report, accepted)}</Empty>
      ) : (
        <DraftList groups={groups} />
      )}
    </>
  )
}

/** The draft's flips over the corpus, with their texts. */
function DraftList({ groups }: { readonly groups: readonly FlipGroup[] }) {
  const view = useLab((state) => state.flipsView)
  const corpus = useLab((state) => valueOf(state.corpus)?.corpus ?? '')
  const text = useLab((state) => state.text)
  const options = useLab((state) => state.options)
  const of = useLabStatus()
  const source = useMemo(
    () => corpusSource(corpus, savedSide(), sideInForce(), of),
    // oxlint-disable-next-line react/exhaustive-deps -- the sides are read from the stores
    [corpus, text, options, of],
  )
  return (
    <ReportList
      source={source}
      groups={groups}
      current={view.current}
      accepted={view.accepted}
      acceptable
    />
  )
}

function emptyWords(report: FlipReport, accepted: number): string {
  if (report.total === 0)
    return `The draft decides all ${count(report.turns)} turns as the saved file does.`
  if (accepted > 0 && accepted === report.total) return 'All flips are accepted.'
  return 'No flip of this kind.'
}

function Toolbar({ report, accepted }: { readonly report: FlipReport; readonly accepted: number }) {
  const { filter, group, showAccepted } = useLab((state) => state.flipsView)
  return (
    <div className="toolbar">
      <FlipSwitch
        label="Flips listed"
        report={report}
        value={filter}
        onChoose={(name) => patchFlipsView({ filter: name })}
      />
      <Switch
        label="Grouped by"
        options={GROUPINGS}
        value={group}
        onChoose={(name) => patchFlipsView({ group: name })}
      />
      <span className="grow" />
      {accepted > 0 && (
        <Button
          kind="link"
          aria-pressed={showAccepted}
          onClick={() => patchFlipsView({ showAccepted: !showAccepted })}
        >
          {counted(accepted, 'flip')} accepted, {showAccepted ? 'hide' : 'show'}
        </Button>
      )}
      <Button
        small
        title="Accept the flip that you stand on; again: take it back (Enter goes to its turn)"
        onClick={acceptCurrent}
      >
        <Check size={13} aria-hidden /> Accept
      </Button>
      <IconButton
        icon={ChevronUp}
        size={15}
        name="Previous flip"
        title="Previous flip (p)"
        onClick={() => stepFlip(-1)}
      />
      <IconButton
        icon={ChevronDown}
        size={15}
        name="Next flip"
        title="Next flip (n)"
        onClick={() => stepFlip(1)}
      />
    </div>
  )
}

const GROUPINGS = [
  ['cause', 'By cause'],
  ['session', 'By session'],
] as const

/** Accepts the current flip and moves to the next. */
function acceptCurrent(): void {
  const { current } = lab.getState().flipsView
  const flip = groupsInView()
    .flatMap(({ flips }) => flips)
    .find((one) => flipKey(one) === current)
  if (!flip) return
  stepFlip(1)
  toggleAccepted([flip])
}

/** Number of turns that the draft flips. */
export function FlipCount() {
  const report = useLab((state) => valueOf(state.flips))
  const changed = useLab(isChanged)
  if (!report || !changed || report.total === 0) return null
  const { total, turns, direct, momentum } = report
  return (
    <span className="text-xs accent num">
      {count(total)} of {count(turns)}
      <span className="dock-detail">
        {' '}
        ({count(direct)} direct, {count(momentum)} by momentum)
      </span>
    </span>
  )
}
