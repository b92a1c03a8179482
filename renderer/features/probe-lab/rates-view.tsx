import { useEffect, useState } from 'react'
import type { HitRate, KeywordRow } from '../../../core/engine/schema/hit-rate.ts'
import { valueOf } from '../../app/async-data.ts'
import { call, stream } from '../../app/question.ts'
import { useQuery } from '../../app/use-query.ts'
import { useApp } from '../../app/use-store.ts'
import { Answered, Computed } from '../../ui/answered.tsx'
import { Button } from '../../ui/button.tsx'
import type { Column } from '../../ui/columns.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { counted } from '../../ui/format.ts'
import { Section } from '../../ui/parts.tsx'
import { shortName } from '../../ui/visible.ts'
import { ensureCorpus } from '../../stores/lab/corpus.ts'
import { useLab } from '../../stores/lab/store.ts'
import { Share } from '../../views/lab/share.tsx'
import { LAB } from '../../views/lab/studied.tsx'
import { CollectionName } from '../../views/probe/collection-name.tsx'
import { useProbe } from '../../stores/probe/store.ts'

interface Row {
  readonly name: string
  readonly rate: HitRate
}

const COLUMNS: ReadonlyArray<Column<Row>> = [
  { head: 'session', isName: true, cell: ({ name }) => shortName(name) },
  { head: 'messages', num: true, cell: ({ rate }) => rate.messages },
  {
    head: 'probed',
    about: 'Not probed: commands, repetitions, texts of under three words',
    num: true,
    cell: ({ rate }) => rate.messages - rate.skipped,
  },
  {
    head: 'with a hit',
    about: 'Of those that were probed',
    num: true,
    cell: ({ rate }) => <Share hits={rate.hit} of={rate.messages - rate.skipped} />,
  },
  { head: 'strong', num: true, cell: ({ rate }) => rate.strength.strong },
  { head: 'moderate', num: true, cell: ({ rate }) => rate.strength.moderate },
  { head: 'weak', num: true, cell: ({ rate }) => rate.strength.weak },
  { head: 'failed', num: true, cell: ({ rate }) => rate.failed },
]

/** [D71] [D72] Hit rate of the probe, and the keywords that it makes unnecessary. */
export function RatesView() {
  return (
    <div className="scroll fill">
      <SessionRate />
      <CorpusRates />
      <Keywords />
    </div>
  )
}

function Rates({ label, rows }: { readonly label: string; readonly rows: readonly Row[] }) {
  return (
    <DataTable
      className="text-s full-width"
      label={label}
      rows={rows}
      keyOf={(_, at) => at}
      columns={COLUMNS}
    />
  )
}

function SessionRate() {
  const probed = useProbe((state) => valueOf(state.session))
  const title = useApp((state) => {
    const opened = valueOf(state.document.opened)
    return opened?.sessions[state.session.index]?.title ?? 'This session'
  })
  return (
    <Section title="Session in view">
      {probed === null ? (
        <p className="quiet">It is not probed: open the tab Probe, or press P.</p>
      ) : (
        <>
          <Rates label="Hit rate of the session" rows={[{ name: title, rate: probed.rate }]} />
          <Collections rate={probed.rate} />
        </>
      )}
    </Section>
  )
}

function Collections({ rate }: { readonly rate: HitRate }) {
  if (rate.collections.length === 0) return null
  return (
    <DataTable
      className="text-s full-width mb-8"
      label="Collections that were hit"
      rows={rate.collections}
      keyOf={({ collection }) => collection}
      columns={[
        {
          head: 'collection',
          isName: true,
          cell: (row) => <CollectionName name={row.collection} />,
        },
        { head: 'primary', num: true, cell: ({ primary }) => primary },
        { head: 'supplemental', num: true, cell: ({ supplemental }) => supplemental },
      ]}
    />
  )
}

function CorpusRates() {
  const [wanted, setWanted] = useState(false)
  const corpus = useLab((state) => valueOf(state.corpus))
  const preset = useApp((state) => state.view.run.preset)
  const revision = useProbe((state) => state.revision)
  useEffect(() => {
    if (wanted) ensureCorpus()
  }, [wanted])
  const question =
    wanted && corpus !== null
      ? stream(
          'probe.corpus',
          { corpus: corpus.corpus, preset },
          { ...LAB, of: `${corpus.corpus} ${revision}` },
        )
      : null
  const asked = useQuery(question)
  return (
    <Section
      title="Corpus"
      aside={corpus === null ? 'that of the dock' : counted(corpus.sessions.length, 'session')}
    >
      {wanted ? (
        <Computed {...asked} idle="Probing the sessions of the corpus">
          {({ sessions, total }) => (
            <>
              <Rates
                label="Hit rates of the corpus"
                rows={[{ name: 'All sessions', rate: total }, ...sessions]}
              />
              <Collections rate={total} />
            </>
          )}
        </Computed>
      ) : (
        <Button onClick={() => setWanted(true)}>Probe the corpus</Button>
      )}
    </Section>
  )
}

const NEAR: Column<KeywordRow>['cell'] = ({ best }) =>
  best === null ? '' : `${best.score.toFixed(2)} of ${best.threshold.toFixed(2)}, ${best.filename}`

function Keywords() {
  const preset = useApp((state) => state.view.run.preset)
  const revision = useProbe((state) => state.revision)
  const question = call('probe.keywords', { preset }, { ...LAB, of: String(revision) })
  const { data, again } = useQuery(question)
  return (
    <Section title="Keywords of personas" aside="asked alone, as a phrase of a message">
      <Answered data={data} retry={again}>
        {({ keywords }) =>
          keywords.length === 0 ? (
            <p className="quiet">No collection has keywords.</p>
          ) : (
            <KeywordTable rows={keywords} />
          )
        }
      </Answered>
    </Section>
  )
}

function KeywordTable({ rows }: { readonly rows: readonly KeywordRow[] }) {
  const covered = rows.filter((row) => row.covered).length
  return (
    <>
      <p className="mb-8">
        The probe finds the collection of <Share hits={covered} of={rows.length} /> keywords by
        itself: these are not needed any more.
      </p>
      <DataTable
        className="text-s full-width"
        label="Keywords of personas"
        rows={rows}
        keyOf={({ collection, keyword }) => `${collection} ${keyword}`}
        columns={[
          { head: 'keyword', isName: true, cell: ({ keyword }) => keyword },
          { head: '', cell: (row) => (row.covered ? 'covered' : 'needed') },
          { head: 'of', cell: ({ collection }) => <CollectionName name={collection} /> },
          { head: 'persona', cell: ({ persona }) => persona ?? '' },
          { head: 'its best document', cell: NEAR },
          {
            head: 'hit instead',
            cell: ({ hit, collection }) =>
              hit === null || hit === collection ? '' : <CollectionName name={hit} />,
          },
        ]}
      />
    </>
  )
}
