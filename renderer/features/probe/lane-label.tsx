import type { ReactNode } from 'react'
import type { ThemeName } from '../../ui/domain-style.ts'
import type { CollectionStyle } from '../../ui/collection-style.ts'
import type { ProbeLane } from './lane.ts'
import type { TurnWords } from '../../timeline/words.ts'

interface Props {
  readonly probe: ProbeLane | null
  readonly theme: ThemeName
  /** The hovered turn, else the selected one. */
  readonly told: TurnWords | null
}

function Key({ style, theme }: { readonly style: CollectionStyle; readonly theme: ThemeName }) {
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

/** Name of the lane of hits, with its legend, or with the best hit of the told turn. */
export function ProbeLaneLabel({ probe, theme, told }: Props): ReactNode {
  const words = told?.probe ?? null
  const styles = probe?.styles.flatMap((style) => style ?? []) ?? []
  return (
    <>
      <span
        className="tl-name"
        title="Hits of the semantic probe: height is the similarity, colour and letters the collection. Hollow: from the session’s cache. Pale: a weak hit. Dash: probed, nothing hit. Tick: not probed. Red cross: a part of the probe failed"
      >
        probe
      </span>
      {words !== null && words.hits > 0 ? (
        <span className="tl-value" title={words.told}>
          {words.style && <Key style={words.style} theme={theme} />} {words.similarity.toFixed(2)}
        </span>
      ) : (
        probe !== null && (
          <span
            className="tl-value gap-4 inline-flex"
            title={`${probe.withHits} of ${probe.probed} probed messages hit something; ${probe.skipped} were not probed`}
          >
            {styles.map((style) => (
              <Key key={style.name} style={style} theme={theme} />
            ))}
          </span>
        )
      )}
    </>
  )
}

function personaText(told: TurnWords | null, refusals: number): string {
  const persona = told?.probe?.persona ?? ''
  if (persona !== '') return persona
  return refusals > 0 ? `⊘ ${refusals} refused` : ''
}

/** Name of the persona band, with how many switches were refused. */
export function PersonaLabel({ probe, told }: Props): ReactNode {
  if (probe === null) return null
  return (
    <>
      <span
        className="tl-name"
        title="Persona in force, from the collection that was hit. An edge: it switched. A crossed ring: a switch was refused, the hit was too weak or the persona is held (L26)"
      >
        persona
      </span>
      <span className="tl-value truncate" title={told?.probe?.personaTold ?? ''}>
        {personaText(told, probe.refusals)}
      </span>
    </>
  )
}
