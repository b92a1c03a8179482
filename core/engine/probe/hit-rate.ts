import type { HitRate } from '../schema/hit-rate.ts'
import type { ProbeResult } from '../schema/probe.ts'

type Counted = Pick<
  ProbeResult,
  'hits' | 'primary_collection' | 'supplemental_collections' | 'strength' | 'skipped' | 'errors'
>

export const noHitRate: HitRate = {
  messages: 0,
  skipped: 0,
  failed: 0,
  hit: 0,
  strength: { weak: 0, moderate: 0, strong: 0 },
  collections: [],
}

/** [D71] The contribution of one message. */
export function hitRateOf(result: Counted): HitRate {
  const { hits, primary_collection: primary, supplemental_collections: others } = result
  const { strength, skipped, errors } = result
  const row = (collection: string, isPrimary: boolean) => ({
    collection,
    primary: Number(isPrimary),
    supplemental: Number(!isPrimary),
  })
  return {
    messages: 1,
    skipped: Number(skipped !== null),
    failed: Number(errors.length > 0),
    hit: Number(hits.length > 0),
    strength: {
      weak: Number(strength === 'weak'),
      moderate: Number(strength === 'moderate'),
      strong: Number(strength === 'strong'),
    },
    collections: [
      ...(primary === null ? [] : [row(primary, true)]),
      ...others.map((name) => row(name, false)),
    ],
  }
}

/** [D71] Sums, so that sessions add up to a corpus. */
export function addHitRates(a: HitRate, b: HitRate): HitRate {
  const names = [...new Set([...a.collections, ...b.collections].map((each) => each.collection))]
  const sumOf = (name: string, what: 'primary' | 'supplemental') =>
    [...a.collections, ...b.collections]
      .filter(({ collection }) => collection === name)
      .reduce((sum, each) => sum + each[what], 0)
  return {
    messages: a.messages + b.messages,
    skipped: a.skipped + b.skipped,
    failed: a.failed + b.failed,
    hit: a.hit + b.hit,
    strength: {
      weak: a.strength.weak + b.strength.weak,
      moderate: a.strength.moderate + b.strength.moderate,
      strong: a.strength.strong + b.strength.strong,
    },
    collections: names.map((collection) => ({
      collection,
      primary: sumOf(collection, 'primary'),
      supplemental: sumOf(collection, 'supplemental'),
    })),
  }
}
