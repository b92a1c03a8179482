import { useMemo } from 'react'
import { valueOf } from '../../app/async-data.ts'
import type { Row } from '../../app/store.ts'
import { Pressable } from '../../ui/button.tsx'
import { capital, count, counted } from '../../ui/format.ts'
import { MarkedText } from '../../ui/marked-text.tsx'
import { Chip } from '../../ui/parts.tsx'
import { toggleWhole } from '../../app/rows.ts'
import { barsBySeq, useBundles } from './bundle.ts'
import { markOf, reallyOver, stepName, tierList, usedBy } from './lane.ts'
import { type StepSummary, stepSummary } from './step-summary.ts'
import { Name } from '../../ui/name.tsx'

const NO_METRICS: readonly string[] = []

function useBar(seq: number) {
  return useBundles((state) => {
    const steps = valueOf(state.steps)?.steps
    return steps ? barsBySeq(steps).get(seq) : undefined
  })
}

interface RowProps {
  readonly row: Row
  readonly needles: readonly string[]
}

/** A step in two lines instead of its JSON: which one, how it went, and its metrics. */
export function StepRow({ row, needles }: RowProps) {
  const bar = useBar(row.seq)
  const step = useBundles((state) =>
    valueOf(state.library)?.steps.find(({ stepId }) => stepId === bar?.stepId),
  )
  const summary = useMemo(
    () => stepSummary(row.text, step?.keyMetrics ?? NO_METRICS),
    [row.text, step],
  )
  const name = capital(bar ? stepName(bar) : (row.name ?? 'step'))
  return (
    <>
      <span className="break-words pre-wrap row-step stack gap-2 clip">
        <span className="step-line shrink row gap-7">
          <strong className="no-shrink bold">
            <Name text={name} />
          </strong>
          {step && step.title !== name && <span className="quiet truncate">{step.title}</span>}
          <Outcome summary={summary} />
        </span>
        <Metrics summary={summary} problem={bar?.problem ?? null} needles={needles} />
      </span>
      <Pressable
        className="row-more text-xs accent underlined"
        aria-expanded={false}
        onClick={(event) => {
          event.stopPropagation()
          void toggleWhole(row.seq)
        }}
      >
        show the record, {counted(row.chars, 'character')}
      </Pressable>
    </>
  )
}

function Outcome({ summary }: { readonly summary: StepSummary }) {
  if (summary.empty) return <Chip tone="warn">no results</Chip>
  if (summary.success === null) return null
  return summary.success ? <Chip tone="good">✓ success</Chip> : <Chip tone="bad">✕ failed</Chip>
}

interface MetricsProps {
  readonly summary: StepSummary
  readonly problem: string | null
  readonly needles: readonly string[]
}

function Metrics({ summary, problem, needles }: MetricsProps) {
  const more = summary.more > 0 ? [`${summary.more} more`] : []
  const told =
    summary.metrics.length === 0 ? summary.told : [...summary.metrics, ...more].join(' · ')
  const line = problem ?? told
  if (line === '')
    return <span className="step-metrics truncate text-s dim quiet">nothing was written</span>
  return (
    <span
      className={`step-metrics truncate text-s dim num${problem === null ? '' : ' bad'}`}
      title={line}
    >
      <MarkedText text={line} marks={[]} needles={needles} />
    </span>
  )
}

/** Result for the step's prompt, in the column of verdicts. */
export function StepVerdict({ row }: { readonly row: Row }) {
  return row.kind === 'step' && <BuiltVerdict seq={row.seq} />
}

function BuiltVerdict({ seq }: { readonly seq: number }) {
  const bar = useBar(seq)
  if (!bar) return null
  const mark = markOf(bar)
  return (
    <>
      {bar.problem === null && <span className="quiet num">{counted(usedBy(bar), 'token')}</span>}
      <span className="verdict-chips">
        {mark === 'problem' && <Chip tone="bad">⊘ no bundle</Chip>}
        {mark === 'over' && (
          <Chip tone="bad" title={`The context of ${count(bar.context)} does not hold tier 0`}>
            ✕ tier 0 over
          </Chip>
        )}
        {bar.cut.length > 0 && (
          <Chip tone="warn" title="Did not fit its limit">
            ▼ {tierList(bar.cut)} cut
          </Chip>
        )}
        {mark === 'real' && (
          <Chip tone="warn" title="By the real tokenizer it is over its limit">
            ▽ {tierList(reallyOver(bar))} really over
          </Chip>
        )}
        {bar.recordedSame === false && (
          <Chip tone="accent" title="The prompt that was sent is not the bundle’s">
            ◇ other prompt sent
          </Chip>
        )}
      </span>
    </>
  )
}
