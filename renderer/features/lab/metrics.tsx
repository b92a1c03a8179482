import { useMemo } from 'react'
import type { LabMetrics } from '../../../core/engine/schema/lab.ts'
import { valueOf } from '../../app/async-data.ts'
import { openDock } from '../dock/dock.ts'
import { isChanged } from '../dock/sides.ts'
import { useLab } from '../dock/store.ts'
import { Section } from '../../ui/bits.tsx'
import { count, counted } from '../../ui/format.ts'
import { Confusion } from './confusion.tsx'
import { EnrichmentTable } from './enrichment-table.tsx'
import type { StudyProps } from './study-props.ts'
import { DomainMetrics, MetricTable } from './metric-table.tsx'
import { askCall, useAbout, useAnswer } from './use-answer.ts'

/** What labels say of the configuration in force, and of the draft beside it. */
export function Metrics({ onBehind }: StudyProps) {
  const report = useLab((state) => valueOf(state.flips))
  const changed = useLab(isChanged)
  const before = report?.before ?? null
  const after = changed ? (report?.after ?? null) : null
  if (!report) return <p className="list-empty quiet">The corpus is being read …</p>
  if (!before || before.labelled === 0) return <NoLabels />
  return <Shown before={before} after={after} onBehind={onBehind} />
}

function Shown({
  before,
  after,
  onBehind,
}: StudyProps & { readonly before: LabMetrics; readonly after: LabMetrics | null }) {
  const about = useAbout()
  const ask = useMemo(() => (about ? askCall('lab.coverage', about) : null), [about])
  const enrichment = valueOf(useAnswer(ask).data)?.enrichment ?? []
  return (
    <div className="study-columns wrap flex align-start">
      <Section title="Against the labels" aside={counted(before.labelled, 'labelled turn')}>
        <MetricTable
          names={after ? ['saved', 'draft'] : ['in force']}
          sides={after ? [before, after] : [before]}
        />
      </Section>
      <Section title="By domain" aside="precision, recall, F1">
        <DomainMetrics before={before} after={after} />
      </Section>
      <Section title="Confusion" aside={after ? 'of the draft' : 'labelled, decided'}>
        <Confusion metrics={after ?? before} onBehind={onBehind} />
      </Section>
      {enrichment.length > 0 && (
        <Section title="With and without enrichment" aside="sessions with an outcome">
          <EnrichmentTable effects={enrichment} />
        </Section>
      )}
    </div>
  )
}

function NoLabels() {
  const corpus = useLab((state) => valueOf(state.corpus))
  return (
    <div className="dock-empty">
      <h2>No label yet</h2>
      <p>
        None of the {count(corpus?.turns ?? 0)} turns of the corpus has a label. Say of some turns
        what they should have been: then every edit shows whether they get better.
      </p>
      <button type="button" className="button" onClick={() => openDock('label')}>
        Label turns
      </button>
    </div>
  )
}
