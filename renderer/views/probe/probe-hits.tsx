import type { ProbeHit, ProbeResult } from '../../../core/engine/schema/probe.ts'
import { counted } from '../../ui/format.ts'
import { Section } from '../../ui/parts.tsx'
import { CollectionCode } from './collection-name.tsx'
import { HitCard } from './hit-card.tsx'
import type { Pointing } from './probe-message.tsx'
import { groupHits, score2 } from './probe-words.ts'
import { shortName } from '../../ui/visible.ts'

interface Props extends Pointing {
  readonly result: ProbeResult
}

function roleOf(result: ProbeResult, collection: string): string {
  if (collection === result.primary_collection) return 'primary'
  return result.supplemental_collections.includes(collection) ? 'supplemental' : ''
}

/** Hits grouped by collection, then the best scores that were not enough. */
export function ProbeHits({ result, pointed, onPoint }: Props) {
  const order = [result.primary_collection, ...result.supplemental_collections]
  const groups = groupHits(result.hits, order)
  return (
    <>
      {groups.map(([collection, hits]) => {
        const total = result.totals.find((one) => one.collection === collection)
        return (
          <Section
            key={collection}
            title={`Hits in ${shortName(collection)}`}
            aside={
              <>
                <CollectionCode name={collection} />
                {roleOf(result, collection)}
                {total && (
                  <span
                    className="num"
                    title="Sum of the best score of each phrase, weighted: collections are ranked by it"
                  >
                    {' '}
                    · {score2(total.sum)} over {counted(total.hits, 'phrase')}
                  </span>
                )}
              </>
            }
          >
            <Cards hits={hits} pointed={pointed} onPoint={onPoint} />
          </Section>
        )
      })}
      {result.near.length > 0 && (
        <Section title="Near misses" aside="below the threshold">
          <div className="probe-near">
            <Cards hits={result.near} pointed={pointed} onPoint={onPoint} named />
          </div>
        </Section>
      )}
    </>
  )
}

interface CardsProps extends Pointing {
  readonly hits: readonly ProbeHit[]
  readonly named?: boolean
}

function Cards({ hits, pointed, onPoint, named = false }: CardsProps) {
  return (
    <ul className="stack">
      {hits.map((hit) => (
        <HitCard
          key={`${hit.collection} ${hit.phrase} ${hit.filename} ${hit.chunk_idx}`}
          hit={hit}
          named={named}
          pointed={pointed}
          onPoint={onPoint}
        />
      ))}
    </ul>
  )
}
