import { type Result, err, ok } from '../../../engine/result.ts'
import { recommendedProbe } from '../../../engine/probe/options.ts'
import type { Embedder } from '../../../engine/probe/ports.ts'
import type { ProbeOptions, ProbeQuery, ThresholdPoint } from '../../../engine/schema/probe.ts'
import type { ProbeSettings } from '../../../engine/schema/probe-settings.ts'
import { type Asked, askOf } from '../ask.ts'
import type { ProbeService, ProbeWork, Question } from '../service.ts'
import { indexCollection } from '../collections/indexer.ts'
import {
  type AnsweredQuery,
  answerQuery,
  bestThreshold,
  listQuerySets,
  pointsOf,
  readQuerySet,
  seenBy,
} from './query-sets.ts'
import type { StoredCollection } from '../collections/catalog.ts'

type EvaluationWork = ProbeWork & {
  readonly answered: (done: number, total: number) => void
}

export interface Curve {
  readonly points: readonly ThresholdPoint[]
  readonly answered: readonly AnsweredQuery[]
}

async function queriesOf(
  service: ProbeService,
  name: string,
): Promise<Result<readonly ProbeQuery[]>> {
  const sets = await listQuerySets(service.roots)
  const set = sets.find((each) => each.name === name)
  if (set !== undefined) return await readQuerySet(set)
  const known = sets.map((each) => each.name).join(', ')
  return err({
    what: `there is no set of queries "${name}"`,
    where: 'profiles/queries',
    do: `There are: ${known}`,
  })
}

/**
 * [L30] [D46] Every labelled query with all its candidates, and precision and recall at every
 * threshold. For an embedder that is not the collections' own, their documents are embedded beside
 * them, without a trace.
 */
export async function drawCurve(
  service: ProbeService,
  settings: ProbeSettings,
  { queries, embedder, collection, preset }: Question<'probe.curve'>,
  work: EvaluationWork,
): Promise<Result<Curve>> {
  const labelled = await queriesOf(service, queries)
  if (!labelled.ok) return labelled
  const options = await service.options(preset, {})
  if (!options.ok) return options
  const seen = labelled.value.map((query) => seenBy(query, collection))
  const current = await service.current(settings)
  if (!current.ok) return current
  const wanted = (each: StoredCollection): boolean =>
    collection === null || each.collection.entry.name === collection
  if (embedder === null || embedder === current.value) {
    const asked = await service.asked(settings, null, work)
    if (!asked.ok) return asked
    return await answerAll(only(asked.value, collection), seen, options.value, work)
  }
  return await withScratch({ service, settings, name: embedder, wanted }, work, (asked) =>
    answerAll(asked, seen, options.value, work),
  )
}

function only(asked: Asked, collection: string | null): Asked {
  if (collection === null) return asked
  const collections = asked.collections.filter((each) => each.name === collection)
  return {
    ...asked,
    collections,
    ports: (signal) => ({ ...asked.ports(signal), collections }),
  }
}

/** [D47] The threshold of an embedder, over the samples and the queries kept for tuning. */
export async function measureEmbedder(
  service: ProbeService,
  settings: ProbeSettings,
  name: string,
  work: EvaluationWork,
): Promise<
  Result<{ readonly threshold: number; readonly queries: number; readonly points: Curve['points'] }>
> {
  const labelled = await queriesOf(service, 'tune')
  if (!labelled.ok) return labelled
  const wanted = (each: StoredCollection): boolean => each.collection.isSample
  const measured = await withScratch({ service, settings, name, wanted }, work, (asked) =>
    answerAll(asked, labelled.value, recommendedProbe, work),
  )
  if (!measured.ok) return measured
  const { points, answered } = measured.value
  const threshold = bestThreshold(points)
  if (threshold === null || answered.length === 0) {
    const what = 'there are no collections to measure with'
    const advice = 'The samples of profiles/collections.yaml are needed for it'
    return err({ what, where: 'profiles/collections.yaml', do: advice })
  }
  return ok({ threshold, points, queries: answered.length })
}

async function answerAll(
  asked: Asked,
  queries: readonly ProbeQuery[],
  options: ProbeOptions,
  work: EvaluationWork,
): Promise<Result<Curve>> {
  const { signal } = work
  const answered: AnsweredQuery[] = []
  for (const [index, query] of queries.entries()) {
    signal.throwIfAborted()
    work.answered(index, queries.length)
    const answer = await answerQuery(query, asked.ports(signal), options)
    signal.throwIfAborted()
    const [failure] = answer.errors
    // A curve over half of the answers would be a wrong curve.
    if (failure !== undefined) {
      return err({ what: failure.what, where: failure.collection ?? 'embedder', do: failure.do })
    }
    answered.push(answer)
  }
  work.answered(queries.length, queries.length)
  const names = asked.collections.map((each) => each.name)
  return ok({ answered, points: pointsOf(answered, options.rule, names) })
}

interface ScratchWork {
  readonly service: ProbeService
  readonly settings: ProbeSettings
  /** Of the embedder. */
  readonly name: string
  readonly wanted: (each: StoredCollection) => boolean
}

/** Embeds documents with another embedder into stores that go away afterwards. */
async function withScratch<T>(
  { service, settings, name, wanted }: ScratchWork,
  work: ProbeWork,
  study: (asked: Asked) => Promise<Result<T>>,
): Promise<Result<T>> {
  const list = await service.catalog.list()
  if (!list.ok) return list
  const opened = await service.embedder(name, settings)
  if (!opened.ok) return opened
  const chosen = list.value.all.filter(wanted)
  const scratch = chosen.map((each) => service.catalog.scratch(each.collection))
  try {
    const stored = scratch.map((each) => each.stored)
    const filled = await fillAll(service, stored, opened.value, work)
    if (!filled.ok) return filled
    const failures = new Map<string, never>()
    return await study(await askOf(stored, { embedder: opened.value, isFailed: false, failures }))
  } finally {
    await Promise.all(scratch.map((each) => each.dispose()))
  }
}

async function fillAll(
  { clock }: ProbeService,
  stored: readonly StoredCollection[],
  embedder: Embedder,
  work: ProbeWork,
): Promise<Result<null>> {
  for (const each of stored) {
    const done = await indexCollection(each, { ...work, clock, embedder, rebuild: false })
    if (!done.ok) return done
  }
  return ok(null)
}
