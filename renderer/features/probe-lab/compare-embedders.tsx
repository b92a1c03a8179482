import { useMemo, useState } from 'react'
import { valueOf } from '../../app/async-data.ts'
import { stream } from '../../app/question.ts'
import { patchView } from '../../app/store.ts'
import { useQuery } from '../../app/use-query.ts'
import { useApp } from '../../app/use-store.ts'
import { Computed } from '../../ui/answered.tsx'
import { Button } from '../../ui/button.tsx'
import type { Column } from '../../ui/columns.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { Input, Labelled } from '../../ui/form.tsx'
import { counted } from '../../ui/format.ts'
import { Share } from '../../views/lab/share.tsx'
import { LAB } from '../../views/lab/studied.tsx'
import { CollectionName } from '../../views/probe/collection-name.tsx'
import { type Embedder, useProbe } from '../../stores/probe/store.ts'
import { EmbedderSelect, QuerySetSelect, useQuerySets } from './choices.tsx'
import { type Compared, type Said, type Side, compareRows } from './scores.ts'

/** Default threshold of the specification, for an embedder without a measured one. */
const DOCUMENT = 0.4

function useRows(set: string | null, embedder: string | null) {
  const preset = useApp((state) => state.view.run.preset)
  const input = { queries: set ?? '', embedder, collection: null, preset }
  return useQuery(set === null ? null : stream('probe.curve', input, LAB))
}

function useEmbedder(name: string | null): Embedder | null {
  return useProbe((state) => {
    const known = valueOf(state.embedders)
    return known?.embedders.find((one) => one.name === (name ?? known.current)) ?? null
  })
}

/** The same labeled queries under two embedders. Lists those that get different collections. */
export function CompareEmbedders() {
  const { sets, set, choose } = useQuerySets()
  const [a, setA] = useState<string | null>(null)
  const [b, setB] = useState<string | null>(null)
  const first = useEmbedder(a)
  const second = useEmbedder(b)
  const [at, setAt] = useState<number | null>(null)
  const [bt, setBt] = useState<number | null>(null)
  const one = useRows(set, a)
  const two = useRows(set, b)
  const aThreshold = at ?? first?.threshold ?? DOCUMENT
  const bThreshold = bt ?? second?.threshold ?? DOCUMENT
  return (
    <>
      <div className="panel-bar plab-bar wrap">
        {sets && set !== null && <QuerySetSelect sets={sets} value={set} onChoose={choose} />}
        <EmbedderSelect label="A" value={a} onChoose={setA} />
        <ThresholdField label="Threshold of A" value={aThreshold} onChange={setAt} />
        <EmbedderSelect label="B" value={b} onChoose={setB} />
        <ThresholdField label="Threshold of B" value={bThreshold} onChange={setBt} />
      </div>
      <OnlyOne />
      <Computed {...one} idle="Asking every labelled query of A">
        {(curveA) => (
          <Computed {...two} idle="Asking every labelled query of B">
            {(curveB) => (
              <Differences
                a={{ rows: curveA.rows, threshold: aThreshold }}
                b={{ rows: curveB.rows, threshold: bThreshold }}
              />
            )}
          </Computed>
        )}
      </Computed>
    </>
  )
}

function OnlyOne() {
  const usable = useProbe(
    (state) =>
      valueOf(state.embedders)?.embedders.filter(
        ({ state: is }) => is === 'ready' || is === 'not_loaded',
      ).length ?? 0,
  )
  if (usable > 1) return null
  return (
    <p className="text-s plab-only">
      One embedder is there; another threshold of it can be compared.{' '}
      <Button kind="link" onClick={() => patchView({ dialog: 'collections' })}>
        Add an embedder
      </Button>
    </p>
  )
}

interface FieldProps {
  readonly label: string
  readonly value: number
  readonly onChange: (value: number) => void
}

function ThresholdField({ label, value, onChange }: FieldProps) {
  return (
    <Labelled label={label} hidden>
      <Input
        type="number"
        className="plab-number num"
        min={0}
        max={1}
        step={0.01}
        value={value}
        onText={(text) => {
          if (text !== '') onChange(Number(text))
        }}
      />
    </Labelled>
  )
}

function Differences({ a, b }: { readonly a: Side; readonly b: Side }) {
  const all = useMemo(() => compareRows(a, b), [a, b])
  const differ = all.filter((row) => row.a.collection !== row.b.collection)
  const right = (side: 'a' | 'b') => all.filter((row) => row[side].right).length
  return (
    <div className="stack text-s gap-12 pad-12">
      <p className="plab-sum">
        A is right <Share hits={right('a')} of={all.length} /> · B is right{' '}
        <Share hits={right('b')} of={all.length} /> ·{' '}
        <strong>they differ on {counted(differ.length, 'query', 'queries')}</strong>
      </p>
      {differ.length > 0 && (
        <DataTable
          className="metric-table plab-differ"
          label="Queries on which they differ"
          rows={differ}
          keyOf={({ id }) => id}
          columns={COLUMNS}
        />
      )}
    </div>
  )
}

/** Column of one embedder's answers to the queries. */
function sayings(head: string, said: (row: Compared) => Said): Column<Compared> {
  return {
    head,
    title: (row) => (said(row).phrase === '' ? undefined : `best phrase: ${said(row).phrase}`),
    cell: (row) => {
      const { right, collection, reach } = said(row)
      return (
        <>
          <span className={right ? 'good' : 'bad'} aria-label={right ? 'right' : 'wrong'}>
            {right ? '✓' : '✕'}
          </span>{' '}
          {collection === null ? 'nothing' : <CollectionName name={collection} />}{' '}
          <span className="quiet num">{reach.toFixed(2)}</span>
        </>
      )
    },
  }
}

const COLUMNS: ReadonlyArray<Column<Compared>> = [
  { head: 'query', isName: true, cell: ({ text }) => text },
  {
    head: 'wanted',
    cell: ({ wanted }) => (wanted === null ? 'nothing' : <CollectionName name={wanted} />),
  },
  sayings('A', ({ a }) => a),
  sayings('B', ({ b }) => b),
]
