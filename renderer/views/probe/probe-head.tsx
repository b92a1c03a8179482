import type { PersonaDecision, ProbeResult } from '../../../core/engine/schema/probe.ts'
import { counted, duration } from '../../ui/format.ts'
import { Chip } from '../../ui/parts.tsx'
import { MessageLine } from '../prompt/of-message.tsx'
import { CollectionName } from './collection-name.tsx'
import { PERSONA_SOURCE, REFUSED_WHY, SKIP_LONG, STRENGTH_WORDS } from './probe-words.ts'
import type { ProbedTurn } from '../../stores/probe/store.ts'
import { shortName } from '../../ui/visible.ts'

/** Which collection became primary, how strongly, which persona follows, what failed. */
export function ProbeHead({ turn }: { readonly turn: ProbedTurn }) {
  const { result } = turn
  return (
    <div className="verdict">
      <MessageLine seq={turn.seq} />
      <Found result={result} />
      <Persona decision={result.persona} />
      <ProbeErrors errors={result.errors} />
    </div>
  )
}

export function Found({ result }: { readonly result: ProbeResult }) {
  const { skipped, primary_collection: primary, supplemental_collections: others } = result
  if (skipped !== null)
    return (
      <>
        <h2 className="verdict-title">Not probed</h2>
        <p className="verdict-reason">{SKIP_LONG[skipped]}</p>
      </>
    )
  const strength = STRENGTH_WORDS[result.strength]
  return (
    <>
      <h2 className="verdict-title">
        {primary === null ? 'Nothing was hit' : <CollectionName name={primary} />}
      </h2>
      <p className="wrap flex gap-5">
        {primary !== null && (
          <Chip tone={strength.tone} title={strength.about}>
            {result.strength}
          </Chip>
        )}
        <Chip>{counted(result.hits.length, 'hit')}</Chip>
        <Chip title="Phrases that were not asked again, of all that were tested">
          {result.from_cache} of {counted(result.phrases_tested.length, 'phrase')} from the cache
        </Chip>
        <Chip title="Measured by the host, all steps">{duration(result.probe_time_ms)}</Chip>
      </p>
      {others.length > 0 && (
        <p className="verdict-reason probe-others wrap flex">
          <span className="quiet">supplemental</span>
          {others.map((name) => (
            <CollectionName key={name} name={name} />
          ))}
        </p>
      )}
    </>
  )
}

/** [L26] Persona in force and why, and the switch that was refused. */
export function Persona({ decision }: { readonly decision: PersonaDecision }) {
  const { persona, source, refused, heldFor, collection } = decision
  return (
    <>
      <p className="verdict-reason">
        <span className="quiet">persona</span> <strong>{persona ?? 'none'}</strong>,{' '}
        {PERSONA_SOURCE[source]}
        {collection !== null && source !== 'none' && ` (${shortName(collection)})`}
        {heldFor > 1 && `, for ${counted(heldFor, 'turn')} now`}
      </p>
      {refused && (
        <div className="aside aside-warn" role="note" aria-label="Refused switch">
          <p>
            <strong>⊘ Not switched to {refused.persona ?? 'no persona'}</strong> for{' '}
            {refused.collection}: {REFUSED_WHY[refused.reason]} (L26).
          </p>
        </div>
      )}
    </>
  )
}

/** [L28] Failures, each with its remedy. */
export function ProbeErrors({ errors }: Pick<ProbeResult, 'errors'>) {
  return (
    <>
      {errors.map((error, at) => (
        <div key={at} className="aside aside-bad" role="alert">
          <p>
            <strong>✕ {shortName(error.collection ?? 'The embedder')}</strong>: {error.what}
          </p>
          <p>{error.do}</p>
        </div>
      ))}
    </>
  )
}
