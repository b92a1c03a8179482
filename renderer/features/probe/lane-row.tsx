import { useMemo, type ReactNode } from 'react'
import type { ProbeColumns } from '../../../core/wire/contract.ts'
import type { Immutable } from '../../../core/engine/schema/immutable.ts'
import { valueOf } from '../../app/async-data.ts'
import { lane, type LabelProps } from '../../timeline/lane.tsx'
import type { CollectionStyle } from '../../ui/collection-style.ts'
import type { ThemeName } from '../../ui/domain-style.ts'
import { remember } from '../../ui/remember.ts'
import { drawPersonas, drawProbe } from './draw-lane.ts'
import { personaAt, personaWords, probeLane, probeWords, type ProbeLane } from './lane.ts'
import { useProbeNote } from './probe-note.tsx'
import { stylesOf, useProbe } from '../../stores/probe/store.ts'

interface KeyProps {
  readonly style: CollectionStyle
  readonly theme: ThemeName
}

function Key({ style, theme }: KeyProps) {
  return (
    <i
      className="tl-probe-key heavy dim text-center"
      title={style.name}
      style={{ borderColor: style.color[theme] }}
    >
      {style.code}
    </i>
  )
}

const HITS_TEXT =
  'Hits of the semantic probe: height is the similarity, colour and letters the collection. Hollow: from the session’s cache. Pale: a weak hit. Dash: probed, nothing hit. Tick: not probed. Red cross: a part of the probe failed'

/** Hits of the session, or what there is to do to see them. */
interface Hits {
  readonly hits: ProbeLane | null
  readonly note: ReactNode
}

/** Name of the lane of hits, with its legend, or with the best hit of the told turn. */
function HitsLabel({ data: { hits }, theme, told }: LabelProps<Hits>) {
  return (
    <>
      <span className="tl-name" title={HITS_TEXT}>
        probe
      </span>
      {hits && <HitsValue lane={hits} theme={theme} turn={told?.turn ?? -1} />}
    </>
  )
}

interface ValueProps {
  readonly lane: ProbeLane
  readonly theme: ThemeName
  readonly turn: number
}

function HitsValue({ lane, theme, turn }: ValueProps) {
  if ((lane.hits[turn] ?? 0) > 0) {
    const style = lane.styles[lane.primary[turn] ?? -1]
    return (
      <span className="tl-value" title={probeWords(lane, turn)}>
        {style && <Key style={style} theme={theme} />} {(lane.similarity[turn] ?? 0).toFixed(2)}
      </span>
    )
  }
  return (
    <span
      className="tl-value gap-4 inline-flex"
      title={`${lane.withHits} of ${lane.probed} probed messages hit something; ${lane.skipped} were not probed`}
    >
      {lane.styles.map((style) => style && <Key key={style.name} style={style} theme={theme} />)}
    </span>
  )
}

/** Name of the persona band, with how many switches were refused. */
function PersonaLabel({ data, told }: LabelProps<ProbeLane>) {
  const turn = told?.turn ?? -1
  const refused = data.refusals > 0 ? `⊘ ${data.refusals} refused` : ''
  return (
    <>
      <span
        className="tl-name"
        title="Persona in force, from the collection that was hit. An edge: it switched. A crossed ring: a switch was refused, the hit was too weak or the persona is held (L26)"
      >
        persona
      </span>
      <span className="tl-value truncate" title={personaWords(data, turn)}>
        {personaAt(data, turn) || refused}
      </span>
    </>
  )
}

/** Two lanes show one: it is placed once. */
const placed = remember(probeLane)

interface Found {
  readonly columns: Immutable<ProbeColumns>
  readonly styles: ReadonlyMap<string, CollectionStyle>
}

function useFound(): Found | null {
  const columns = useProbe((state) => valueOf(state.session)?.columns ?? null)
  const styles = useProbe(stylesOf)
  return useMemo(() => columns && { columns, styles }, [columns, styles])
}

function useHits() {
  const found = useFound()
  const note = useProbeNote()
  return useMemo(() => (found === null && note === null ? null : { found, note }), [found, note])
}

/** Hits of the session's messages in the collections. */
export const hitsLane = lane<Hits, NonNullable<ReturnType<typeof useHits>>>({
  id: 'probe',
  place: 'below',
  useSource: useHits,
  prepare: ({ source }, { found, note }) => ({
    hits: found && placed(source.columns.seq, found.columns, found.styles),
    note,
  }),
  // A line that only says what to do gives way before any that shows something.
  size: ({ hits }) => ({
    gap: 3,
    ...(hits ? { height: 32, drop: 4.1 } : { height: 18, drop: 1.5 }),
  }),
  draw: (ctx, scene, row, { hits }) => {
    if (hits) drawProbe(ctx, scene, row, hits)
  },
  Label: HitsLabel,
  isOptional: true,
  legend: { name: 'probe', text: `${HITS_TEXT}.` },
  note: ({ note }) => note,
  term: 'probe',
  words: ({ hits }, turn) => (hits ? probeWords(hits, turn) : ''),
})

/** The persona that the hits bring into force. */
export const personaLane = lane<ProbeLane, Found>({
  id: 'persona',
  place: 'below',
  useSource: useFound,
  prepare: ({ source }, { columns, styles }) => placed(source.columns.seq, columns, styles),
  size: () => ({ height: 13, gap: 3, drop: 3.6 }),
  draw: drawPersonas,
  Label: PersonaLabel,
  isOptional: true,
  legend: { name: 'persona', text: 'The persona that the hits bring into force, by its colour.' },
  term: 'persona',
  words: personaWords,
})
