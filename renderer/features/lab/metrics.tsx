import type { EnrichmentEffect, LabMetrics } from '../../../core/engine/schema/metrics.ts'
import { valueOf } from '../../app/async-data.ts'
import { call } from '../../app/question.ts'
import { Empty, Updating } from '../../ui/answered.tsx'
import { Button, Pressable, classes } from '../../ui/button.tsx'
import type { Column } from '../../ui/columns.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { Domain, Swatch } from '../../ui/domain.tsx'
import { count, counted } from '../../ui/format.ts'
import { Section } from '../../ui/parts.tsx'
import { useLook } from '../../ui/use-look.ts'
import { openDock } from '../../app/dock.ts'
import { isChanged } from '../../stores/lab/sides.ts'
import { useLab } from '../../stores/lab/store.ts'
import { CorpusBasis } from '../../views/lab/basis.tsx'
import { Abstain } from './abstain.tsx'
import { DomainMetrics, MetricTable } from '../../views/lab/metric-table.tsx'
import { Share } from '../../views/lab/share.tsx'
import { type StudyProps, LAB, useStudy } from '../../views/lab/studied.tsx'
import { Name } from '../../ui/name.tsx'
import { shortName } from '../../ui/visible.ts'

/** Results against labels for the configuration in force, and for the draft beside it. */
export function Metrics({ onBehind }: StudyProps) {
  const report = useLab((state) => valueOf(state.flips))
  const changed = useLab(isChanged)
  const before = report?.before ?? null
  const after = changed ? (report?.after ?? null) : null
  const isRead = useLab((state) => valueOf(state.corpus) !== null)
  if (!report) return isRead ? <Updating /> : <Empty>The corpus is being read …</Empty>
  if (!before || before.labelled === 0) return <NoLabels />
  return <Shown before={before} after={after} onBehind={onBehind} />
}

interface ShownProps extends StudyProps {
  readonly before: LabMetrics
  readonly after: LabMetrics | null
}

function Shown({ before, after, onBehind }: ShownProps) {
  const { data } = useStudy((about) => call('lab.coverage', about, LAB))
  const enrichment = valueOf(data)?.enrichment ?? []
  return (
    <div className="study-columns wrap flex align-start">
      <Section title="Against the labels" aside={counted(before.labelled, 'labelled turn')}>
        <MetricTable
          names={after ? ['saved', 'draft'] : ['in force']}
          sides={after ? [before, after] : [before]}
        />
        <CorpusBasis />
      </Section>
      <Section title="By domain" aside="precision, recall, F1">
        <DomainMetrics before={before} after={after} />
      </Section>
      <Section title="Confusion" aside={after ? 'of the draft' : 'labelled, decided'}>
        <Confusion metrics={after ?? before} onBehind={onBehind} />
      </Section>
      <Abstain metrics={after ?? before} />
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
    <Empty of="dock" title="No label yet">
      <p>
        None of the {count(corpus?.turns ?? 0)} turns of the corpus has a label. Say of some turns
        what they should have been: then every edit shows whether they get better.
      </p>
      <Button onClick={() => openDock('label')}>Label turns</Button>
    </Empty>
  )
}

/** Labelled against decided: the diagonal is right, every cell opens its turns. */
function Confusion({ metrics, onBehind }: StudyProps & { readonly metrics: LabMetrics }) {
  const look = useLook()
  const { confusion, domains } = metrics
  const cells = new Map(
    confusion.map((cell) => [`${cell.expected}\n${cell.predicted}`, cell.count]),
  )
  const occurs = new Set(confusion.flatMap(({ expected, predicted }) => [expected, predicted]))
  const ranked = domains.map(({ domain }) => domain).filter((name) => occurs.has(name))
  const names = [...new Set([...ranked, ...occurs])]
  const most = Math.max(1, ...confusion.map((cell) => cell.count))
  const cell = (expected: string, predicted: string) => {
    const number = cells.get(`${expected}\n${predicted}`) ?? 0
    if (number === 0) return null
    const right = expected === predicted
    const color = right ? 'var(--good)' : look(predicted).color
    const heat = `${12 + 48 * Math.sqrt(number / most)}%`
    const title = right ? `${expected}, rightly` : `labelled ${expected}, decided ${predicted}`
    return (
      <Pressable
        className={classes('cell full-height full-width text-center', right && 'cell-right', 'num')}
        style={{ '--cell': color, '--heat': heat }}
        aria-label={`${expected} decided as ${predicted}: ${counted(number, 'turn')}`}
        title={`${expected} decided as ${predicted}: show the turns`}
        onClick={() => onBehind({ title, cell: { kind: 'confusion', expected, predicted } })}
      >
        {count(number)}
      </Pressable>
    )
  }
  return (
    <div
      className="confusion-scroll scroll"
      tabIndex={0}
      role="region"
      aria-label="Confusion matrix"
    >
      <DataTable
        className="confusion text-s"
        rows={names}
        keyOf={(name) => name}
        columns={[
          {
            head: 'labelled ↓ decided →',
            headClass: 'quiet',
            isCorner: true,
            isName: true,
            cell: (name) => (
              <>
                <Swatch domain={name} />
                <Name text={name} className="truncate" />
              </>
            ),
          },
          ...names.map((name): Column<string> => ({
            about: shortName(name),
            head: (
              <>
                <Swatch domain={name} />
                <span className="visually-hidden">{shortName(name)}</span>
              </>
            ),
            cell: (expected) => cell(expected, name),
          })),
        ]}
      />
    </div>
  )
}

const SIDES = [
  ['with', 'with', 'Its text was injected in at least one turn'],
  ['without', 'without', 'Injected in no turn'],
  ['heldBack', 'held back', 'Classified, but its text was held back'],
] as const

/** [L12] [T20] Sessions that passed, with a domain's enrichment and without. Observed, not caused. */
function EnrichmentTable({ effects }: { readonly effects: readonly EnrichmentEffect[] }) {
  return (
    <>
      <DataTable
        className="metric-table"
        rows={effects}
        keyOf={({ domain }) => domain}
        columns={[
          { head: 'Domain', isName: true, cell: ({ domain }) => <Domain name={domain} /> },
          ...SIDES.map(([side, word, about]): Column<EnrichmentEffect> => ({
            head: `passed ${word}`,
            about,
            cell: (effect) => <Share {...effect[side].passed} />,
          })),
          {
            head: 'Mean score',
            num: true,
            cell: (effect) => (
              <>
                <Mean {...effect.with} /> <span className="quiet">against</span>{' '}
                <Mean {...effect.without} />
              </>
            ),
          },
        ]}
      />
      <p className="quiet">
        Sessions that got an enrichment differ in other ways too: this shows, it does not prove.
      </p>
    </>
  )
}

function Mean({ meanScore, scored }: EnrichmentEffect['with']) {
  if (meanScore === null) return <>–</>
  return (
    <>
      {meanScore.toFixed(2)} <span className="quiet">n {count(scored)}</span>
    </>
  )
}
