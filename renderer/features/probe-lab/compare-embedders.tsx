import { useMemo, useState } from 'react'
import { valueOf } from '../../app/async-data.ts'
import { type Compared, type CurveRow, type Said, compareRows } from './scores.ts'
import { type Embedder, useProbe } from '../probe/store.ts'
import { patchView } from '../../app/store.ts'
import { useApp } from '../../app/use-store.ts'
import { counted } from '../../ui/format.ts'
import { Answered } from '../lab/answered.tsx'
import { Share } from '../lab/share.tsx'
import { askStream, useAnswer } from '../lab/use-answer.ts'
import { CollectionName } from '../probe/collection-name.tsx'
import { EmbedderSelect } from './embedder-select.tsx'
import { QuerySetSelect } from './query-set-select.tsx'
import { useQuerySets } from './use-query-sets.ts'

/** Where an embedder has no measured threshold: the document's. */
const DOCUMENT = 0.4

function useRows(set: string | null, embedder: string | null) {
  const preset = useApp((state) => state.view.run.preset)
  const ask = useMemo(
    () =>
      set === null
        ? null
        : askStream('probe.curve', { queries: set, embedder, collection: null, preset }),
    [set, embedder, preset],
  )
  return useAnswer(ask)
}

function useEmbedder(name: string | null): Embedder | null {
  return useProbe((state) => {
    const known = valueOf(state.embedders)
    return known?.embedders.find((one) => one.name === (name ?? known.current)) ?? null
  })
}

/** The same labelled queries under two embedders: where they say different collections. */
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
      <Answered asked={one} idle="Asking every labelled query of A">
        {(curveA) => (
          <Answered asked={two} idle="Asking every labelled query of B">
            {(curveB) => (
              <Differences
                a={{ rows: curveA.rows, threshold: aThreshold }}
                b={{ rows: curveB.rows, threshold: bThreshold }}
              />
            )}
          </Answered>
        )}
      </Answered>
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
      <button type="button" className="link" onClick={() => patchView({ dialog: 'probe-desk' })}>
        Add an embedder
      </button>
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
    <label className="inline-field">
      <span className="visually-hidden">{label}</span>
      <input
        type="number"
        className="field plab-number num"
        min={0}
        max={1}
        step={0.01}
        value={value}
        onChange={(event) => {
          if (event.target.value !== '') onChange(Number(event.target.value))
        }}
      />
    </label>
  )
}

interface Side {
  readonly rows: readonly CurveRow[]
  readonly threshold: number
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
        <table className="metric-table plab-differ" aria-label="Queries on which they differ">
          <thead>
            <tr>
              <th scope="col">query</th>
              <th scope="col">wanted</th>
              <th scope="col">A</th>
              <th scope="col">B</th>
            </tr>
          </thead>
          <tbody>
            {differ.map((row) => (
              <Differing key={row.id} row={row} />
            ))}
          </tbody>
        </table>
      )}
    </div>
  )
}

function Differing({ row }: { readonly row: Compared }) {
  return (
    <tr>
      <th scope="row">{row.text}</th>
      <td>{row.wanted === null ? 'nothing' : <CollectionName name={row.wanted} />}</td>
      <SaidCell said={row.a} />
      <SaidCell said={row.b} />
    </tr>
  )
}

function SaidCell({ said }: { readonly said: Said }) {
  return (
    <td title={said.phrase === '' ? undefined : `best phrase: ${said.phrase}`}>
      <span className={said.right ? 'good' : 'bad'} aria-label={said.right ? 'right' : 'wrong'}>
        {said.right ? '✓' : '✕'}
      </span>{' '}
      {said.collection === null ? 'nothing' : <CollectionName name={said.collection} />}{' '}
      <span className="quiet num">{said.reach.toFixed(2)}</span>
    </td>
  )
}
