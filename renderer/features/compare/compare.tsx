import { ArrowLeftRight } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { FlipReport } from '../../../core/engine/schema/lab.ts'
import { valueOf } from '../../app/async-data.ts'
import { call, stream } from '../../app/question.ts'
import { useQuery } from '../../app/use-query.ts'
import { useApp } from '../../app/use-store.ts'
import { wireConfig } from '../../app/wire.ts'
import { Empty } from '../../ui/answered.tsx'
import { IconButton } from '../../ui/button.tsx'
import { ChoiceBox, Input } from '../../ui/form.tsx'
import { count, counted } from '../../ui/format.ts'
import { FlipSwitch } from '../flips/flips.tsx'
import { ReportList } from '../flips/report-list.tsx'
import { flipGroups } from '../flips/state.ts'
import { isChanged } from '../lab-corpus/sides.ts'
import { type FlipFilter, useLab } from '../lab-corpus/store.ts'
import { MetricTable } from '../lab/metric-table.tsx'
import { LAB, Studied, useLabStatus } from '../lab/studied.tsx'
import { type Revision, sideOf, sideOptions } from './state.ts'

interface Props {
  readonly label: string
  readonly value: string
  readonly onChoose: (value: string) => void
}

const GROUPS = ['Now', 'Presets', 'Domain files', 'Revisions'] as const
const TYPED = 'revision:'

/** One side of a comparison: from a list, or any revision that git understands. */
function SidePicker({ label, value, onChoose }: Props) {
  const info = useApp((state) => valueOf(state.document.info))
  const run = useApp((state) => state.view.run)
  const changed = useLab(isChanged)
  const { revisions, problem } = useRevisions()
  const options = info ? sideOptions(info, run, changed, revisions) : []
  const isTyped = value.startsWith(TYPED) && !options.some((option) => option.value === value)
  return (
    <span className="side-picker shrink gap-8 inline-flex">
      <ChoiceBox label={label} value={isTyped ? TYPED : value} onText={onChoose}>
        {value === '' && <option value="">choose …</option>}
        {GROUPS.map((group) => (
          <optgroup key={group} label={group}>
            {options
              .filter((option) => option.group === group)
              .map((option) => (
                <option key={option.value} value={option.value}>
                  {option.label}
                </option>
              ))}
            {group === 'Revisions' && (
              <option value={TYPED} disabled={problem !== null}>
                {problem ?? 'another revision …'}
              </option>
            )}
          </optgroup>
        ))}
      </ChoiceBox>
      {isTyped && <TypedRevision value={value} onChoose={onChoose} />}
    </span>
  )
}

/** Asked for when the field is left or Enter is pressed. */
function TypedRevision({ value, onChoose }: Omit<Props, 'label'>) {
  const [text, setText] = useState(value.slice(TYPED.length))
  return (
    <Input
      className="field-small mono"
      aria-label="Revision"
      placeholder="HEAD~3, main, a hash"
      value={text}
      onBlur={() => onChoose(TYPED + text)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') onChoose(TYPED + text)
      }}
      onText={setText}
    />
  )
}

interface Revisions {
  readonly revisions: readonly Revision[]
  readonly problem: string | null
}

/** Revisions of the domain file; none where there is no repository, with the reason. */
function useRevisions(): Revisions {
  const run = useApp((state) => state.view.run)
  const input = { config: wireConfig(run) }
  // Git may be asked, or not any more, when the workspace stands otherwise.
  const of = useApp((state) => `${state.document.trustAsked}`)
  const { data } = useQuery(call('git.revisions', input, { where: 'Revisions', of }))
  if (data.status === 'failed') return { revisions: [], problem: data.failure.what }
  return valueOf(data) ?? NO_REVISIONS
}

const NO_REVISIONS: Revisions = { revisions: [], problem: null }

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
        {report.otherKinds.map((side) => (
          <p key={side} className="warning">
            {side === 'base' ? 'The base' : 'The other side'} classifies other kinds of events than
            the turns of this corpus. Turns that only it has are left out: compare one session with
            the picker above to see them.
          </p>
        ))}
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
